import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Server } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { brands } from '../brands/registry.ts'
import { buildApp } from './app.ts'
import { startBackups } from './backups/backups.ts'
import { findClientDir, nameBuild } from './build-name.ts'
import { type Config, findUnknownVariables, readConfig } from './config.ts'
import type { ConversionProgram } from './conversion/runner.ts'
import { demoCatalogue, writeDemoCatalogueFile } from './demo/demo.ts'
import { openFileStore } from './files/open.ts'
import { createHostResolver } from './http/hosts.ts'
import type { ServerLifecycle } from './http/request-hooks.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics/metrics.ts'
import { startMetricsServer } from './metrics/metrics-server.ts'
import type { AssembleDocument } from './pages/assemble-document.ts'
import { startRenderThread } from './pages/render-thread.ts'
import { describeStartFailure } from './start-failure.ts'
import type { Storage } from './storage/open.ts'
import { openStorage } from './storage/open.ts'
import { startSweeps } from './sweep/sweep.ts'

/**
 * A stopping server still answers on its open connections until no request has come for some steps, so that a proxy that has just sent a request on one
 * of them gets its answer. Connections that are idle then are closed. After each step the process reads what has arrived: a busy process may notice the
 * end of a longer time before it has read the requests that came within it.
 */
const DRAIN_STEP_MS = 50
const QUIET_DRAIN_STEPS = 10
const DRAIN_STEPS_MAX = 60
/**
 * When the server stops, running requests have this time to finish. Then the remaining connections are closed, and after the same time again the
 * process exits in any case.
 */
const REQUESTS_FINISH_MAX_MS = 5000
const STOP_MAX_MS = 10_000
/** The time after which a query to PostgreSQL is given up. Clients wait no longer; retention, pushes and mails try again later. */
const QUERY_TIMEOUT_MS = 30_000

/** Starts the thread that makes the documents of pages, with the programs that are built next to the client. */
function startDocumentAssembler(clientDir: string): AssembleDocument | undefined {
  const [programFile, prerenderFile] = [join(clientDir, '../server/render.js'), join(clientDir, '../prerender/prerender.js')]
  return existsSync(programFile) && existsSync(prerenderFile) ? startRenderThread(programFile, { clientDir, prerenderFile }) : undefined
}

/** Returns the program that converts songs, which is built next to the client. */
function findConversionProgram(clientDir: string): ConversionProgram | undefined {
  const [mainFile, wasmKernelPath] = [join(clientDir, '../server/convert.js'), join(clientDir, '../dsp/kernel.wasm')]
  return existsSync(mainFile) && existsSync(wasmKernelPath) ? { mainFile, wasmKernelPath } : undefined
}

async function loadDemo(storage: Storage, dataDir: string): Promise<void> {
  const importPath = await writeDemoCatalogueFile(dataDir, Date.now())
  const { playlists, songs } = await storage.catalogue.importFile(importPath)
  await rm(importPath)
  await storage.settings.set('EXAMPLE_SITE', demoCatalogue.supporters[0]?.domain_name, undefined)
  console.log(`Loaded the demo catalogue: ${playlists} playlists, ${songs} songs. (DEMO=off starts empty.)`)
}

/** Returns the configured addresses of the brands' main sites, one line each. */
function listSiteAddresses(config: Config, port: number): string[] {
  const publicOrigin = new URL(config.publicOrigin)
  if (config.port === 0) publicOrigin.port = String(port)
  const hostResolver = createHostResolver({ siteHosts: config.siteHosts, publicOrigin })
  const ownSites = [publicOrigin.hostname, ...config.siteHosts].map((host) => hostResolver.siteOf(host))
  return brands.flatMap((brand) => {
    const site = ownSites.find((each) => each.brand.id === brand.id)
    return site === undefined ? [] : [`  ${site.mainUrl}/  ${brand.settings.NAME}`]
  })
}

/** Resolves when a server that accepts no further connections has none left, when no request comes any more, or at the end of the time for draining. */
async function drainConnections(server: Server, lifecycle: ServerLifecycle): Promise<void> {
  let isServerClosed = false
  const serverClosed = once(server, 'close').then(() => {
    isServerClosed = true
  })
  let quietStepCount = 0
  for (let drainStep = 0; drainStep < DRAIN_STEPS_MAX && quietStepCount < QUIET_DRAIN_STEPS && !isServerClosed; drainStep++) {
    const requestCountBefore = lifecycle.unreadyRequestCount
    await Promise.race([serverClosed, sleep(DRAIN_STEP_MS)])
    // `nextTurn` resolves after Node has read from the connections.
    await nextTurn()
    quietStepCount = lifecycle.unreadyRequestCount === requestCountBefore ? quietStepCount + 1 : 0
  }
}

async function startServer(): Promise<void> {
  // Files of the server and its processes are readable by their owner only.
  process.umask(0o077)
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const unknownNames = findUnknownVariables(process.env)
  if (unknownNames.length > 0) log.warn({ names: unknownNames }, 'these variables are not read: README.md lists the ones that are')
  const clientDir = findClientDir()
  const buildId = nameBuild(clientDir)
  const metricsRegistry = config.metrics === undefined ? undefined : createMetrics({ build: buildId, log })
  const storage = await openStorage({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    observeQuery: metricsRegistry?.observeQuery,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
  })
  const lifecycle: ServerLifecycle = { state: 'starting', unreadyRequestCount: 0 }
  const fileStore = await openFileStore(config)
  const app = await buildApp({
    config,
    storage,
    fileStore: metricsRegistry?.observeFileStore(fileStore) ?? fileStore,
    clientDir,
    log,
    lifecycle,
    build: buildId,
    metrics: metricsRegistry,
    assembleDocument: startDocumentAssembler(clientDir),
    conversionProgram: findConversionProgram(clientDir),
  })
  // The metrics have an address of their own, so that they are never reachable through the site's address. Without the setting METRICS, no server of
  // metrics is started.
  const metricsServer = metricsRegistry && config.metrics && (await startMetricsServer(metricsRegistry, config.metrics, log))
  // An unhandled rejection has ended only the work that caused it. An uncaught exception may have interrupted any work: the server finishes running
  // requests and exits, and its service manager restarts it.
  process.on('unhandledRejection', (err) => log.error({ err }, 'a failure that nobody waited for'))
  let endBackups = () => {}
  let endSweeps = () => {}
  closeWithGrace({ delay: STOP_MAX_MS, skip: ['unhandledRejection'] }, async ({ err }) => {
    lifecycle.state = 'draining'
    if (err !== undefined) log.fatal({ err }, 'stopping after an unexpected error')
    // Further connections are refused, which makes a proxy choose another process. `close` of HTTP servers would also close idle connections.
    Server.prototype.close.call(app.server)
    await drainConnections(app.server, lifecycle)
    lifecycle.state = 'stopping'
    // Remaining connections have to be closed, because a client that does not read its response would prevent the server from exiting.
    setTimeout(() => app.server.closeAllConnections(), REQUESTS_FINISH_MAX_MS)
    try {
      await app.close()
    } finally {
      metricsServer?.close()
      endBackups()
      endSweeps()
      // The storage is closed after the app, because routes finish their background work when the app closes.
      await storage.close()
    }
  })
  // A proxy sends requests as soon as the server listens. All are answered immediately, unless the demo catalogue has to be imported first.
  const needsDemo = config.demo && (await storage.catalogue.isEmpty())
  if (!needsDemo && lifecycle.state === 'starting') lifecycle.state = 'ready'
  await app.listen({ host: config.host, port: config.port })
  app.server.on('error', (err) => log.error({ err }, 'a connection could not be accepted'))
  if (needsDemo) await loadDemo(storage, config.dataDir)
  // Stops the server if a signal arrived while it was starting.
  if (lifecycle.state !== 'starting' && lifecycle.state !== 'ready') return
  lifecycle.state = 'ready'
  const programFile = join(clientDir, '../server/admin.js')
  if (config.backup !== undefined)
    endBackups = startBackups({ ...config.backup, readBackupTime: storage.readBackupTime, programFile, nowMs: Date.now, log })

  endSweeps = startSweeps(config, storage, Date.now, log)

  const listenAddress = app.server.address()
  const port = typeof listenAddress === 'object' && listenAddress !== null ? listenAddress.port : config.port
  console.log(
    ['Varispeed is running. Open one of these in a browser:', ...listSiteAddresses(config, port).reverse(), 'Ctrl+C stops it.'].join('\n'),
  )
}

startServer().catch((error: unknown) => {
  console.error(describeStartFailure(error, process.env))
  process.exit(1)
})
