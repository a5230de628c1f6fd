import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PrerenderFunctions } from '../../contract/initial-data.ts'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { openFileStore } from '../../server/files/open.ts'
import { createLog } from '../../server/log.ts'
import type { Storage } from '../../server/storage/open.ts'
import { openStorage } from '../../server/storage/open.ts'
import { checkResponses } from '../../server/testing/response-check.ts'
import { findFreePort, serverScriptPath } from '../server.ts'

/** A server with the built client. It runs in the process of the test, which can advance its clock. */
export interface SiteWithTestClock {
  origin: string
  storage: Storage
  /** Returns the server's time in epoch milliseconds. */
  nowMs(): number
  /** Advances the server's clock. */
  advanceClock(ms: number): void
  stop(): Promise<void>
}

const distDir = dirname(dirname(serverScriptPath))

/** Starts a server with its own port, data folder and log. @param env further settings as environment variables */
export async function startSiteWithTestClock(env: Record<string, string> = {}): Promise<SiteWithTestClock> {
  const port = await findFreePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-clocked-'))
  const config = readConfig({ PORT: String(port), DATA_DIR: dataDir, ...env })
  const storage = await openStorage({ dataDir })
  let offsetMs = 0
  const nowMs = () => Date.now() + offsetMs
  const prerender = (await import(pathToFileURL(join(distDir, 'prerender/prerender.js')).href)) as PrerenderFunctions
  const app = await buildApp({
    config,
    storage,
    fileStore: await openFileStore(config),
    clientDir: join(distDir, 'client'),
    prerender,
    log: createLog('silent'),
    nowMs,
  })
  const contractViolations = checkResponses(app)
  await app.listen({ host: config.host, port })
  return {
    origin: `http://localhost:${port}`,
    storage,
    nowMs,
    advanceClock(ms) {
      offsetMs += ms
    },
    async stop() {
      app.server.closeAllConnections()
      await app.close()
      await storage.close()
      await rm(dataDir, { recursive: true, force: true })
      if (contractViolations.length > 0) throw new Error(`API responses do not match the contract:\n${contractViolations.join('\n')}`)
    },
  }
}
