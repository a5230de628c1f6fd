import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Site, startSite } from '../server.ts'

// The built server with an additional module, which throws in a timer or leaves a rejection unhandled as soon as the test creates a file.

let workFolder = ''
let site: Site
beforeEach(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'varispeed-faults-'))
  const plantedModulePath = join(workFolder, 'planted.mjs')
  await writeFile(
    plantedModulePath,
    `import { existsSync, rmSync } from 'node:fs'
    const isAsked = (kind) => existsSync(${JSON.stringify(workFolder)} + '/' + kind) && (rmSync(${JSON.stringify(workFolder)} + '/' + kind), true)
    setInterval(() => {
      if (isAsked('rejection')) Promise.reject(new Error('planted rejection'))
      if (isAsked('exception')) throw new Error('planted exception')
    }, 20).unref()`,
  )
  site = await startSite({ DEMO: 'off', NODE_OPTIONS: `--import=${plantedModulePath}` })
})
afterEach(async () => {
  await site.stop()
  await rm(workFolder, { recursive: true, force: true })
})

const plantFault = (kind: 'rejection' | 'exception') => writeFile(join(workFolder, kind), '')

it('an unhandled rejection is logged, and the server continues', async () => {
  await plantFault('rejection')
  await vi.waitUntil(() => site.readLog().includes('planted rejection'))
  expect((await fetch(`${site.origin()}/healthz`)).status).toBe(200)
  expect(await site.stop()).toBe(0)
})

it('an uncaught exception shuts the server down gracefully, with an exit code that makes systemd restart it', async () => {
  await plantFault('exception')
  await vi.waitUntil(() => site.readLog().includes('stopping after an unexpected error'))
  expect(await site.stop()).toBe(1)
  await expect(access(join(workFolder, 'exception'))).rejects.toThrow('ENOENT')
})
