import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { PrerenderFunctions } from '../contract/initial-data.ts'
import { type AppDependencies, buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { openFolderStore } from './files/folder-store.ts'
import { openFileStore } from './files/open.ts'
import type { ServerLifecycle } from './http/request-hooks.ts'
import { openKeyRing } from './identity/keys.ts'
import { createLog } from './log.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { createDocumentAssembler } from './pages/assemble-document.ts'
import { PictureFetchError } from './pictures/fetch.ts'
import type { Storage, StorageOptions } from './storage/open.ts'
import { openStorage } from './storage/open.ts'
import { createTemplateDatabase, postgresServerUrl } from './storage/testing/postgres-server.ts'
import { checkResponses } from './testing/response-check.ts'

/** The catalogue of tests: a few rows of every kind, with two categories, accents, and texts with markup. */
const testCatalogue = {
  playlists: [
    {
      id: 'night-drive',
      title: 'Night Drive',
      category_id: 'nightcore',
      category_name: 'Nightcore',
      home: true,
      description: 'For empty roads.',
      songs: ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3'],
    },
    {
      id: 'empty',
      title: '</script><script>alert(1)</script>',
      category_id: 'rock',
      category_name: 'Rock',
      description: '"><img src=x onerror=alert(1)>',
      songs: [],
    },
  ],
  songs: [
    ['AAAAAAAAAA1', 'Café del Mar', 'Élan', 'nightcore', 'Nightcore', 'The first.\nhttps://example.com'],
    ['AAAAAAAAAA2', 'Second Sun', 'Élan', 'nightcore', 'Nightcore', ''],
    ['AAAAAAAAAA3', '</title><script>alert(1)</script>', 'A & "B"', 'nightcore', 'Nightcore', '</script><b>bold</b>\u2028'],
    ['BBBBBBBBBB1', 'Stone', 'Rocker', 'rock', 'Rock', ''],
  ].map(([youtube_id, songTitle, author_name, category_id, category_name, description], index) => ({
    youtube_id,
    title: songTitle,
    author_name,
    category_id,
    category_name,
    description,
    date_added: `2026-01-0${index + 1}T00:00:00Z`,
    duration: 200 + index,
    author_channel_id: `UC${index}`,
  })),
  members: [{ channel_id: 'UC0', channel_name: 'Élan', sub_tag: '10K', testimonial: 'It is fine.', subs: 10_000, views: 5 }],
  supporters: [{ domain_name: 'aria', name: 'Aria', subtitle: 'Slow songs', soundcloud: 'https://example.com/aria' }],
  feed: [{ title: 'Hello', content: '<p>Hi</p><script>alert(1)</script>', date: '2026-01-05' }],
}

const HTML_TEMPLATE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <!--head-->
    <script type="module" crossorigin src="/assets/index-1.js"></script>
  </head>
  <body><div id="root"><!--page--></div></body>
</html>
`

export interface TestApp {
  app: FastifyInstance
  storage: Storage
  dataDir: string
  /** The environment in which an admin command uses the database of the app. */
  environment: Record<string, string>
  /** Returns everything that the server has logged so far. */
  readLog: () => string
  /** Returns the lines that the server has logged since the last call of this function. */
  takeLog: () => string[]
  lifecycle: ServerLifecycle
  /** The metrics of the app; undefined unless `METRICS` is set. */
  metrics: Metrics | undefined
  close: () => Promise<void>
}

async function importCatalogue(options: StorageOptions, cataloguePath: string): Promise<void> {
  const storage = await openStorage(options)
  await storage.catalogue.importFile(cataloguePath)
  await storage.close()
}

/** Creates a database of `postgresServerUrl` that has `testCatalogue` imported. */
let createDatabase: Awaited<ReturnType<typeof createTemplateDatabase>> | undefined

/** Fills a temporary directory with a built client and with data that have `testCatalogue` imported. Deleted when the process exits. */
async function createSampleDataDir(): Promise<string> {
  const templateDir = await mkdtemp(join(tmpdir(), 'varispeed-template-'))
  process.on('exit', () => rmSync(templateDir, { recursive: true, force: true }))
  const clientDir = join(templateDir, 'client')
  await mkdir(join(clientDir, 'assets'), { recursive: true })
  await writeFile(join(clientDir, 'index.html'), HTML_TEMPLATE)
  await writeFile(join(clientDir, 'assets', 'main-abc123.js'), 'console.log("plain")')
  await writeFile(join(clientDir, 'assets', 'main-abc123.js.br'), 'packed')
  await writeFile(join(clientDir, 'assets', 'kernel-abc123.wasm'), 'plain')
  await writeFile(join(clientDir, 'assets', 'kernel-abc123.wasm.br'), 'packed')
  await writeFile(join(templateDir, 'secret.txt'), 'outside of the client')
  const cataloguePath = join(templateDir, 'catalogue.json')
  await writeFile(cataloguePath, JSON.stringify(testCatalogue))
  await importCatalogue({ dataDir: join(templateDir, 'data') }, cataloguePath)
  if (postgresServerUrl !== undefined)
    createDatabase = await createTemplateDatabase((databaseUrl) =>
      importCatalogue({ dataDir: join(templateDir, 'data'), databaseUrl }, cataloguePath),
    )
  // The key that signs tokens is created once, because generating it takes long. Its date is later than the clock of any test, so that no test
  // rotates it.
  const fileStore = await openFolderStore(join(templateDir, 'data'))
  await openKeyRing({ fileStore, runExclusively: (_, task) => task(), nowMs: () => Date.UTC(2100, 0) })
  return templateDir
}

let templateDir: Promise<string> | undefined

/** The lowest cost of a password hash that argon2id allows. */
const LOWEST_PASSWORD_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 }

interface TestAppOptions extends Partial<Pick<AppDependencies, 'nowMs' | 'firebaseKeys' | 'conversionProgram' | 'fileStore'>> {
  /** Renders the contents of pages; without it, they contain only their heading. */
  prerender?: PrerenderFunctions
  wrapStorage?: (storage: Storage) => Storage
  /**
   * Whether streams are sent while they are being read. They are not checked against the contract then, because the check has to read a stream to
   * its end first.
   */
  sendsStreams?: boolean
  /** Whether passwords are hashed at the cost of production; by default at the lowest cost. */
  hasProductionPasswordCost?: boolean
  /** Another test app whose data directory the new app opens too, like a second process of the site. The new app must be closed first. */
  appWithSameData?: Pick<TestApp, 'dataDir' | 'environment'>
}

/** Starts the server over a temporary copy of a directory with `testCatalogue`, which is migrated and imported once per worker. */
export async function createTestApp(siteEnvironment: Record<string, string> = {}, options: TestAppOptions = {}): Promise<TestApp> {
  templateDir ??= createSampleDataDir()
  const ownDirectory = options.appWithSameData === undefined ? await mkdtemp(join(tmpdir(), 'varispeed-server-')) : undefined
  if (ownDirectory !== undefined) await cp(await templateDir, ownDirectory, { recursive: true })
  const dataDirParent = ownDirectory ?? dirname(options.appWithSameData?.dataDir ?? '')
  const clientDir = join(dataDirParent, 'client')
  const ownDatabase = options.appWithSameData === undefined ? await createDatabase?.() : undefined
  const databaseUrl = options.appWithSameData?.environment.DATABASE_URL ?? ownDatabase?.url

  const logLines: string[] = []
  const config = readConfig({ LOG_LEVEL: 'debug', DATA_DIR: join(dataDirParent, 'data'), ...siteEnvironment })
  const testLog = createLog(config.logLevel, { write: (line) => logLines.push(line) })
  const appMetrics = config.metrics === undefined ? undefined : createMetrics({ build: 'a-build', log: testLog })
  const openedStorage = await openStorage({ dataDir: join(dataDirParent, 'data'), databaseUrl, observeQuery: appMetrics?.observeQuery })
  const storage = options.wrapStorage?.(openedStorage) ?? openedStorage
  const lifecycle: ServerLifecycle = { state: 'ready', unreadyRequestCount: 0 }
  const fetchPicture = () => Promise.reject(new PictureFetchError('unreachable', 'tests do not use the network'))
  const fileStore = options.fileStore ?? (await openFileStore(config))
  const app = await buildApp({
    config,
    storage,
    fileStore: appMetrics?.observeFileStore(fileStore) ?? fileStore,
    clientDir,
    log: testLog,
    lifecycle,
    build: 'a-build',
    metrics: appMetrics,
    fetchPicture,
    ...(options.hasProductionPasswordCost === true ? {} : { passwordCost: LOWEST_PASSWORD_COST }),
    ...(options.nowMs === undefined ? {} : { nowMs: options.nowMs }),
    ...(options.firebaseKeys === undefined ? {} : { firebaseKeys: options.firebaseKeys }),
    assembleDocument: createDocumentAssembler(clientDir, options.prerender),
    ...(options.conversionProgram === undefined ? {} : { conversionProgram: options.conversionProgram }),
  })
  const responseProblems = options.sendsStreams === true ? [] : checkResponses(app)
  await app.ready()
  return {
    app,
    storage,
    dataDir: config.dataDir,
    environment: { DATA_DIR: config.dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) },
    lifecycle,
    metrics: appMetrics,
    readLog: () => logLines.join(''),
    takeLog: () => logLines.splice(0),
    close: async () => {
      await app.close()
      await openedStorage.close()
      await ownDatabase?.drop()
      if (ownDirectory !== undefined) await rm(ownDirectory, { recursive: true, force: true })
      if (responseProblems.length > 0) throw new Error(`API responses do not match the contract:\n${responseProblems.join('\n')}`)
    },
  }
}
