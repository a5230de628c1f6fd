import type { PrerenderFunctions } from '../../contract/initial-data.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { openFileStore } from '../files/open.ts'
import { createLog } from '../log.ts'
import { createDocumentAssembler } from '../pages/assemble-document.ts'
import { openStorage } from '../storage/open.ts'
import { checkResponses } from './response-check.ts'

interface ClockedServerOptions {
  /** The settings of the server as environment variables, with `PORT` and `DATA_DIR`. */
  env: Record<string, string>
  clientDir: string
  prerender: PrerenderFunctions
}

/** Starts a server whose clock the caller can advance. */
export async function startClockedServer({ env, clientDir, prerender }: ClockedServerOptions) {
  const config = readConfig(env)
  const storage = await openStorage({ dataDir: config.dataDir })
  let offsetMs = 0
  const getClockMs = () => Date.now() + offsetMs
  const app = await buildApp({
    config,
    storage,
    fileStore: await openFileStore(config),
    clientDir,
    assembleDocument: createDocumentAssembler(clientDir, prerender),
    log: createLog('silent'),
    nowMs: getClockMs,
  })
  const contractViolations = checkResponses(app)
  await app.listen({ host: config.host, port: config.port })
  return {
    storage,
    /** Returns the server's time in epoch milliseconds. */
    nowMs: getClockMs,
    /** Advances the server's clock. */
    advanceClock(ms: number): void {
      offsetMs += ms
    },
    async stop(): Promise<void> {
      app.server.closeAllConnections()
      await app.close()
      await storage.close()
      if (contractViolations.length > 0) throw new Error(`API responses do not match the contract:\n${contractViolations.join('\n')}`)
    },
  }
}
