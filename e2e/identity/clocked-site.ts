import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Prerender } from '../../contract/first-data.ts'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/services/log.ts'
import { openStorage } from '../../server/storage/open.ts'
import type { Storage } from '../../server/storage/storage.ts'
import { freePort, serverProgram } from '../server.ts'

/** The server over the built page, in the test's own process: its clock can be turned. */
export interface ClockedSite {
  origin: string
  storage: Storage
  /** Epoch milliseconds, as the server knows them. */
  nowMs(): number
  /** Turns the server's clock on. */
  advance(ms: number): void
  stop(): Promise<void>
}

const distDir = dirname(dirname(serverProgram))

/** @param env settings of the product; its port, data and log are its own */
export async function startClockedSite(env: Record<string, string> = {}): Promise<ClockedSite> {
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-clocked-'))
  const config = readConfig({ PORT: String(port), DATA_DIR: dataDir, ...env })
  const storage = await openStorage({ dataDir })
  let offsetMs = 0
  const nowMs = () => Date.now() + offsetMs
  const prerender = (await import(pathToFileURL(join(distDir, 'prerender/prerender.js')).href)) as Prerender
  const app = await buildApp({ config, storage, clientDir: join(distDir, 'client'), prerender, log: createLog('silent'), nowMs })
  await app.listen({ host: config.host, port })
  return {
    origin: `http://localhost:${port}`,
    storage,
    nowMs,
    advance(ms) {
      offsetMs += ms
    },
    async stop() {
      app.server.closeAllConnections()
      await app.close()
      await storage.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
