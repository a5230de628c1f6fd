import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PrerenderFunctions } from '../../contract/initial-data.ts'
import { bundleProgram } from '../../server/testing/bundle-program.ts'
import type * as ClockedServerModule from '../../server/testing/clocked-server.ts'
import { prepareFolderOnce } from '../prepared.ts'
import { findFreePort, serverScriptPath } from '../server.ts'

type ClockedServer = Awaited<ReturnType<typeof ClockedServerModule.startClockedServer>>

/** A server with the built client. It runs in the process of the test, which can advance its clock. */
export interface SiteWithTestClock extends ClockedServer {
  origin: string
}

const distDir = dirname(dirname(serverScriptPath))

/**
 * Loads the server as a bundle that all workers share: Playwright would compile each of its hundreds of modules by Babel, which takes ten
 * seconds of a processor.
 */
async function loadClockedServer(): Promise<typeof ClockedServerModule> {
  const source = new URL('../../server/testing/clocked-server.ts', import.meta.url)
  const folder = await prepareFolderOnce('clocked-server', async (path) => void (await bundleProgram(source, path)))
  return import(pathToFileURL(join(folder, 'clocked-server.js')).href)
}

/** Starts a server with its own port, data folder and log. @param env further settings as environment variables */
export async function startSiteWithTestClock(env: Record<string, string> = {}): Promise<SiteWithTestClock> {
  const port = await findFreePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-clocked-'))
  const { startClockedServer } = await loadClockedServer()
  const prerenderModule = (await import(pathToFileURL(join(distDir, 'prerender/prerender.js')).href)) as PrerenderFunctions
  const server = await startClockedServer({
    env: { PORT: String(port), DATA_DIR: dataDir, ...env },
    clientDir: join(distDir, 'client'),
    prerender: prerenderModule,
  })
  return {
    ...server,
    origin: `http://localhost:${port}`,
    async stop() {
      await server.stop().finally(() => rm(dataDir, { recursive: true, force: true }))
    },
  }
}
