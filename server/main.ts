import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { brands } from '../brands/registry.ts'
import type { Prerender } from '../contract/first-data.ts'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { demoCatalogueFile } from './demo/demo.ts'
import type { Lifecycle } from './http/lifecycle.ts'
import { createHosts } from './services/hosts.ts'
import { createLog } from './services/log.ts'
import { startFailure } from './start-failure.ts'
import { openStorage } from './storage/open.ts'
import type { Storage } from './storage/storage.ts'

/** The built client stands beside the built server; from the sources, where the build puts it. */
function findClientDir(): string {
  const candidates = ['../client/', '../dist/client/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  return candidates.find((path) => existsSync(`${path}index.html`) && existsSync(`${path}assets`)) ?? candidates[0] ?? '.'
}

/** Stands beside the built client, made of the same sources. */
async function loadPrerender(clientDir: string): Promise<Prerender | undefined> {
  const file = join(clientDir, '../prerender/prerender.js')
  return existsSync(file) ? ((await import(pathToFileURL(file).href)) as Prerender) : undefined
}

async function loadDemo(storage: Storage, dataDir: string): Promise<void> {
  if (!(await storage.catalogue.isEmpty())) return
  const path = await demoCatalogueFile(dataDir, Date.now())
  const { playlists, songs } = await storage.catalogue.importFile(path)
  await rm(path)
  console.log(`Loaded the demo catalogue: ${playlists} playlists, ${songs} songs. (DEMO=off starts empty.)`)
}

/** The addresses of the brands' main sites, as configuration names them. */
function addresses(config: Config, port: number): string[] {
  const publicOrigin = new URL(config.publicOrigin)
  if (config.port === 0) publicOrigin.port = String(port)
  const hosts = createHosts({ siteHosts: config.siteHosts, publicOrigin })
  const own = [publicOrigin.hostname, ...config.siteHosts].map((host) => hosts.siteOf(host))
  return brands.flatMap((brand) => {
    const site = own.find((each) => each.brand.id === brand.id)
    return site === undefined ? [] : [`  ${site.mainUrl}/  ${brand.settings.NAME}`]
  })
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const storage = await openStorage({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })
  const lifecycle: Lifecycle = { state: 'starting' }
  const clientDir = findClientDir()
  const app = await buildApp({ config, storage, clientDir, log, lifecycle, prerender: await loadPrerender(clientDir) })
  closeWithGrace({ delay: 10_000 }, async ({ err }) => {
    lifecycle.state = 'stopping'
    if (err !== undefined) log.fatal({ err }, 'stopping after an unexpected error')
    try {
      await app.close()
    } finally {
      // Last: routes finish work of the background as they close.
      await storage.close()
    }
  })
  await app.listen({ host: config.host, port: config.port })
  if (config.demo) await loadDemo(storage, config.dataDir)
  // A signal may have come while the catalogue was loaded.
  if (lifecycle.state !== 'starting') return
  lifecycle.state = 'ready'

  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  console.log(
    ['Varispeed is running. Open one of these in a browser:', ...addresses(config, port).reverse(), 'Ctrl+C stops it.'].join('\n'),
  )
}

start().catch((error: unknown) => {
  console.error(startFailure(error, process.env))
  process.exit(1)
})
