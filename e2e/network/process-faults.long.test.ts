import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Site, startSite } from '../server.ts'

// The built server with an additional module, which throws in a timer or leaves a rejection unhandled as soon as the test creates a file.

let folder = ''
let site: Site
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'varispeed-faults-'))
  const module = join(folder, 'planted.mjs')
  await writeFile(
    module,
    `import { existsSync, rmSync } from 'node:fs'
    const isAsked = (kind) => existsSync(${JSON.stringify(folder)} + '/' + kind) && (rmSync(${JSON.stringify(folder)} + '/' + kind), true)
    setInterval(() => {
      if (isAsked('rejection')) Promise.reject(new Error('planted rejection'))
      if (isAsked('exception')) throw new Error('planted exception')
    }, 20).unref()`,
  )
  site = await startSite({ DEMO: 'off', NODE_OPTIONS: `--import=${module}` })
})
afterEach(async () => {
  await site.stop()
  await rm(folder, { recursive: true, force: true })
})

const plant = (kind: 'rejection' | 'exception') => writeFile(join(folder, kind), '')

it('an unhandled rejection is logged, and the server continues', async () => {
  await plant('rejection')
  await vi.waitUntil(() => site.readLog().includes('planted rejection'))
  expect((await fetch(`${site.origin()}/healthz`)).status).toBe(200)
  expect(await site.stop()).toBe(0)
})

it('an uncaught exception shuts the server down gracefully, with an exit code that makes systemd restart it', async () => {
  await plant('exception')
  await vi.waitUntil(() => site.readLog().includes('stopping after an unexpected error'))
  expect(await site.stop()).toBe(1)
  await expect(access(join(folder, 'exception'))).rejects.toThrow('ENOENT')
})
