import { expect, it } from 'vitest'
import { findMissingPlatforms } from './lock-platforms.mjs'

it('returns the packages for other platforms that are missing in the lock file', () => {
  const lockedPackages = {
    'node_modules/tool': {
      version: '1.2.3',
      dev: true,
      optionalDependencies: {
        '@tool/cli-darwin-arm64': '1.2.3',
        '@tool/linux-x64-musl': '1.2.3',
        '@tool/linux-x64-gnu': '1.2.3',
        fsevents: '~2.3.3',
      },
    },
    'node_modules/@tool/linux-x64-gnu': { version: '1.2.3' },
  }
  expect(findMissingPlatforms(lockedPackages)).toEqual({
    'node_modules/@tool/cli-darwin-arm64': { version: '1.2.3', dev: true, optional: true, os: ['darwin'], cpu: ['arm64'] },
    'node_modules/@tool/linux-x64-musl': { version: '1.2.3', dev: true, optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  })
})
