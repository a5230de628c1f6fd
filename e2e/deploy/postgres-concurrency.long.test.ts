import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openFolderStore } from '../../server/files/folder-store.ts'
import { type BackupOptions, createBackup } from '../../server/storage/backup/create-backup.ts'
import { openPostgres } from '../../server/storage/dialects/postgres.ts'
import { openPool } from '../../server/storage/dialects/postgres-connection.ts'
import { openPostgresReader } from '../../server/storage/dialects/postgres-reader.ts'
import { openStorage, type Storage } from '../../server/storage/open.ts'
import { allRows, createPlaylistRow, createSongRows, formatSongId, songReadOptions } from '../../server/storage/testing/fixture.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'

// Imports, backups, migrations and requests that meet in one PostgreSQL (Debian's package `postgresql`), and connections that hang.

/** The time within which a site answers a request that nothing blocks, on a busy machine too. */
const ANSWER_MS = 10_000
const QUERY_TIMEOUT_MS = 2000
/** The number of connections of a process. */
const CONNECTIONS_MAX = 10

const workFolder = await mkdtemp(join(tmpdir(), 'varispeed-postgres-concurrency-'))
let cluster: PostgresCluster
let databaseNumber = 0
let databaseUrl: string
let pool: ReturnType<typeof openPool>
let storage: Storage
const openedStorages: Storage[] = []

async function openSite(): Promise<Storage> {
  const openedStorage = await openStorage({ dataDir: workFolder, databaseUrl })
  openedStorages.push(openedStorage)
  return openedStorage
}

beforeAll(async () => {
  cluster = await startPostgresCluster(workFolder, ['fsync=off', 'full_page_writes=off'])
})
afterAll(async () => {
  await cluster.stop()
  rmSync(workFolder, { recursive: true, force: true })
})
beforeEach(async () => {
  const databaseName = `site${databaseNumber++}`
  cluster.createDatabase(databaseName)
  databaseUrl = cluster.getUrl(databaseName)
  pool = openPool(databaseUrl)
  storage = await openSite()
  await importSongs(3)
})
afterEach(async () => {
  for (const endTransaction of transactionEnds.splice(0)) await endTransaction()
  for (const openedStorage of openedStorages.splice(0)) await openedStorage.close()
  await pool.end()
})

async function importSongs(songCount: number): Promise<void> {
  const filePath = join(workFolder, `${songCount}.json`)
  const rows = { songs: createSongRows(songCount), playlists: [createPlaylistRow('one', [1, 2])], supporters: [] }
  await writeFile(filePath, JSON.stringify(rows))
  await storage.catalogue.importFile(filePath)
}

const countSongs = async () => (await storage.playlists.get('house', allRows, songReadOptions))?.songs.length ?? 0

/** The functions that end the transactions of a test that has failed before it ended them. */
const transactionEnds: (() => Promise<void>)[] = []

/** Opens a connection in a transaction that has run a statement, for example one that takes a lock. */
async function beginTransaction(...statements: readonly string[]) {
  const client = await pool.connect()
  for (const statement of ['begin', ...statements]) await client.query(statement)
  let isOpen = true
  async function endTransaction(): Promise<void> {
    if (!isOpen) return
    isOpen = false
    await client.query('rollback')
    client.release()
  }
  transactionEnds.push(endTransaction)
  return { query: async (sqlText: string) => (await client.query(sqlText)).rows, end: endTransaction }
}

/** Waits until a connection waits for a lock of a table, or `work` has ended. */
async function waitUntilBlocked(table: string, work: Promise<unknown>): Promise<void> {
  let hasEnded = false
  const markEnded = () => {
    hasEnded = true
  }
  work.then(markEnded, markEnded)
  const deadlineMs = Date.now() + ANSWER_MS
  while (!hasEnded) {
    const { rowCount } = await pool.query('select 1 from pg_locks where not granted and relation = $1::regclass', [table])
    if (rowCount !== 0) return
    if (Date.now() > deadlineMs) expect.fail(`Nothing waits for a lock of ${table}`)
    await sleep(20)
  }
}

function createSignal() {
  let send = () => {}
  const sent = new Promise<void>((resolve) => {
    send = resolve
  })
  return { sent, send }
}

async function expectAnswer<T>(answer: Promise<T>, name: string): Promise<T> {
  const noAnswer = Symbol(name)
  const result = await Promise.race([answer, sleep(ANSWER_MS, noAnswer, { ref: false })])
  if (result === noAnswer) expect.fail(`${name}: no answer`)
  return result as T
}

let writeNumber = 0
/** Reads the catalogue and writes rows of each kind, as requests do. Returns the number of songs. */
async function expectSiteAnswers(): Promise<number> {
  const text = String(writeNumber++)
  await expectAnswer(storage.settings.set('HERO_TITLE', text, undefined), 'a write that changes the revision')
  await expectAnswer(storage.contacts.add({ topic: 'other', message: text, brandId: 'b', atMs: 1 }), 'a write')
  await expectAnswer(storage.checkHealth(), 'the health check')
  expect(await expectAnswer(storage.songs.get(formatSongId(1), undefined, songReadOptions), 'a song')).toBeDefined()
  expect(await expectAnswer(storage.feed.list(allRows, 1), 'the news')).toEqual([])
  return expectAnswer(countSongs(), 'a playlist')
}

async function createBackupOptions(overrides: Partial<BackupOptions> = {}): Promise<BackupOptions> {
  const sharedFiles = await openFolderStore(workFolder)
  return { dataDir: workFolder, databaseUrl, sharedFiles, build: 'a-build', nowMs: 1, checkFiles: async () => [], ...overrides }
}

test('an import that ends while a backup copies tables waits for the copy, whose catalogue is complete; requests are answered', async () => {
  // The backup stops at the last table before those of the catalogue.
  const blockade = await beginTransaction('lock table websites in access exclusive mode')
  const backup = createBackup(join(workFolder, 'copying.backup'), await createBackupOptions())
  await waitUntilBlocked('websites', backup)
  const importing = importSongs(5)
  await waitUntilBlocked('migrations', importing)
  const countDuringBackup = await expectSiteAnswers()
  await blockade.end()
  expect((await backup).tables).toMatchObject({ 'catalogue.songs': { rows: 3 }, 'catalogue.totals': { rows: 1 } })
  expect(countDuringBackup).toBe(3)
  await importing
  expect(await countSongs()).toBe(5)
})

test('while a backup reads the catalogue, an import waits, and requests are answered', async () => {
  const reader = await openPostgresReader(pool)
  transactionEnds.push(reader.close)
  for await (const _ of reader.readRows('catalogue.songs'));
  const importing = importSongs(5)
  await waitUntilBlocked('migrations', importing)
  expect(await expectSiteAnswers()).toBe(3)
  await reader.close()
  transactionEnds.pop()
  await importing
  expect(await countSongs()).toBe(5)
})

test('an import is published while a backup writes and checks its file, and a second backup is refused meanwhile', async () => {
  const sharedFiles = await openFolderStore(workFolder)
  const pause = createSignal()
  const copied = createSignal()
  const list: typeof sharedFiles.list = async (folder) => {
    copied.send()
    await pause.sent
    return sharedFiles.list(folder)
  }
  const backup = createBackup(
    join(workFolder, 'checking.backup'),
    await createBackupOptions({ sharedFiles: { list, open: sharedFiles.open } }),
  )
  await copied.sent
  try {
    await expectAnswer(importSongs(5), 'an import')
    expect(await expectSiteAnswers()).toBe(5)
    const secondPath = join(workFolder, 'second.backup')
    await expect(createBackup(secondPath, await createBackupOptions())).rejects.toThrow('Another backup is under way')
    expect(existsSync(secondPath)).toBe(false)
  } finally {
    pause.send()
  }
  expect((await backup).tables).toMatchObject({ 'catalogue.songs': { rows: 3 } })
  await createBackup(join(workFolder, 'third.backup'), await createBackupOptions())
})

test('a backup whose catalogue has no totals is refused', async () => {
  await pool.query('delete from catalogue.totals')
  const filePath = join(workFolder, 'empty.backup')
  await expect(createBackup(filePath, await createBackupOptions())).rejects.toMatchObject({ name: 'StorageError', fault: 'corrupt' })
  expect(existsSync(filePath)).toBe(false)
})

test('an import waits while pg_dump runs, and requests are answered', async () => {
  const dump = await beginTransaction(
    'set transaction isolation level repeatable read',
    'lock table migrations, catalogue.songs in access share mode',
    'select name from migrations',
  )
  const importing = importSongs(5)
  await sleep(1500)
  expect(await expectSiteAnswers()).toBe(3)
  // A process that starts does not wait for the import.
  await expectAnswer(openSite(), 'another process')
  expect(await dump.query('select count(*)::integer as count from catalogue.songs')).toEqual([{ count: 3 }])
  await dump.end()
  await importing
  expect(await countSongs()).toBe(5)
})

test('an import does not wait for a process that migrates, which may wait for the import', async () => {
  const migrating = await beginTransaction('select pg_advisory_xact_lock(22011801)', 'select name from migrations')
  await expectAnswer(importSongs(5), 'the import')
  await migrating.end()
})

test.each([
  ['songs', 'contexts'],
  ['contexts', 'songs'],
  ['totals', 'artists'],
  ['artists', 'totals'],
])('an import is published while a transaction reads %s and then %s of the catalogue', async (firstTable, secondTable) => {
  const listSchemas = async () =>
    (await pool.query("select nspname as name from pg_namespace where nspname like 'catalogue%' order by 1")).rows.map(({ name }) => name)
  const reading = await beginTransaction(`select * from catalogue.${firstTable}`)
  const importing = importSongs(5)
  await waitUntilBlocked(`catalogue.${firstTable}`, importing)
  await reading.query(`select * from catalogue.${secondTable}`)
  await expectAnswer(importing, 'the import')
  expect(await expectSiteAnswers()).toBe(5)
  expect(await listSchemas()).toEqual(['catalogue', 'catalogue_old'])
  const { tables } = await createBackup(join(workFolder, `${firstTable}.backup`), await createBackupOptions())
  expect(Object.keys(tables).filter((table) => table.includes('old'))).toEqual([])
  await reading.end()
  await importSongs(6)
  expect(await countSongs()).toBe(6)
  expect(await listSchemas()).toEqual(['catalogue'])
})

test('imports and readers of the catalogue never end each other', async () => {
  let isDone = false
  const readers = Array.from({ length: 6 }, async (_, index) => {
    const tables = ['catalogue.songs s', 'catalogue.context_songs p on p.song_rank = s.rank', 'catalogue.contexts c on c.no = p.context_no']
    const text =
      index % 2 === 0
        ? `select count(*)::integer as count from ${tables.join(' join ')}`
        : `select count(*)::integer as count from catalogue.contexts c join catalogue.context_songs p on c.no = p.context_no
           join catalogue.songs s on p.song_rank = s.rank`
    while (!isDone) {
      const { rows } = await pool.query(text)
      expect(rows[0].count).toBeGreaterThan(0)
    }
  })
  for (let importNumber = 1; importNumber <= 20; importNumber++) {
    await importSongs(3)
    expect(await countSongs()).toBe(3)
  }
  isDone = true
  await Promise.all(readers)
})

test('a migration waits for a backup before it locks a table', async () => {
  // Undoes the last change of a table that has rows before it.
  await pool.query("alter table feed drop column updated; delete from migrations where name = '029-feed-updated'")
  const backup = await beginTransaction('lock table migrations in share mode', 'select * from members')
  const opening = openSite()
  await waitUntilBlocked('migrations', opening)
  await expectAnswer(pool.query('select title from feed'), 'the news')
  await backup.end()
  await opening
  expect(await expectSiteAnswers()).toBe(3)
})

test('of two changes that wait for each other, one fails as busy, and nothing of it is stored', async () => {
  const database = await openPostgres(databaseUrl)
  const hasChanged = [createSignal(), createSignal()]
  await storage.settings.set('NAME', 'name', undefined)
  await storage.settings.set('DOMAIN', 'domain', undefined)
  const changeBoth = (keys: readonly string[], index: 0 | 1) =>
    database.write(async (queries) => {
      for (const [position, key] of keys.entries()) {
        if (position > 0) await hasChanged[1 - index]?.sent
        await queries
          .updateTable('settings')
          .set({ value: String(index) })
          .where('key', '=', key)
          .execute()
        hasChanged[index]?.send()
      }
    })
  const outcomes = await Promise.allSettled([changeBoth(['NAME', 'DOMAIN'], 0), changeBoth(['DOMAIN', 'NAME'], 1)])
  const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
  expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))).toMatchObject([
    { name: 'StorageError', fault: 'busy' },
  ])
  expect(await storage.settings.readForBrand('any')).toEqual({ NAME: String(winner), DOMAIN: String(winner) })
  await database.close()
})

/** Forwards connections to PostgreSQL. `freeze` makes the open ones hang, as if their machine had vanished; new ones are forwarded. */
async function startProxy() {
  const sockets = new Set<Socket>()
  const server = createServer((clientSocket) => {
    const serverSocket = connect(cluster.port, '127.0.0.1')
    for (const socket of [clientSocket, serverSocket]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    clientSocket.pipe(serverSocket)
    serverSocket.pipe(clientSocket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('a process whose connections hang sees changes of other processes again after 10 s', async () => {
  const proxy = await startProxy()
  const proxyUrl = Object.assign(new URL(databaseUrl), { port: String(proxy.port) }).href
  const database = await openPostgres(proxyUrl)
  proxy.freeze()
  // A poll is sent on the connection that hangs.
  await sleep(1000)
  await storage.settings.set('NAME', 'other', undefined)
  await expect.poll(() => database.revision(), { timeout: 20_000 }).toBe(storage.revision())
  await expectAnswer(database.close(), 'the end of the database')
  proxy.close()
})

test('requests whose connections all hang fail after the limit of a query, and later ones get new connections', async () => {
  const proxy = await startProxy()
  const proxyUrl = Object.assign(new URL(databaseUrl), { port: String(proxy.port) }).href
  const database = await openPostgres(proxyUrl, undefined, undefined, QUERY_TIMEOUT_MS)
  const occupyConnections = () =>
    Promise.all(Array.from({ length: CONNECTIONS_MAX }, () => database.write((queries) => sql`select pg_sleep(0.3)`.execute(queries))))
  await occupyConnections()
  proxy.freeze()
  const outcomes = await expectAnswer(
    Promise.allSettled(
      Array.from({ length: CONNECTIONS_MAX }, (_, index) =>
        index % 2 === 0 ? database.write((queries) => sql`select 1`.execute(queries)) : sql`select 1`.execute(database.queries),
      ),
    ),
    'the requests',
  )
  const faults = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.fault : outcome.status))
  // The poll of the revision may have one of the connections.
  expect(faults.filter((fault) => fault === 'unreachable').length).toBeGreaterThanOrEqual(CONNECTIONS_MAX - 1)
  await expectAnswer(occupyConnections(), 'later requests')
  await expectAnswer(database.close(), 'the end of the database')
  proxy.close()
})

test('statements that wait for a lock longer than the limit of a query are cancelled, so that none is carried out later', async () => {
  const database = await openPostgres(databaseUrl, undefined, undefined, QUERY_TIMEOUT_MS)
  const blocking = await beginTransaction('lock table settings in access exclusive mode')
  const write = () => database.write((queries) => sql`delete from settings`.execute(queries))
  const outcomes = await expectAnswer(Promise.allSettled(Array.from({ length: CONNECTIONS_MAX }, write)), 'the requests')
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.fault : outcome.status))).toEqual(
    Array(CONNECTIONS_MAX).fill('unreachable'),
  )
  const countWaiting = async () =>
    (await pool.query("select 1 from pg_stat_activity where query like 'delete from settings%' and wait_event_type = 'Lock'")).rowCount
  await expect.poll(countWaiting, { timeout: ANSWER_MS }).toBe(0)
  await blocking.end()
  await expectAnswer(database.close(), 'the end of the database')
})

test('an import and a migration may take longer than the limit of a query', async () => {
  const database = await openPostgres(databaseUrl, undefined, undefined, QUERY_TIMEOUT_MS)
  const staging = await database.openStaging()
  await sql`select pg_sleep(${(QUERY_TIMEOUT_MS + 500) / 1000})`.execute(staging.queries)
  await staging.close()
  await database.close()
  const migrating = await beginTransaction('select pg_advisory_xact_lock(22011801)')
  const opening = openPostgres(databaseUrl, undefined, undefined, QUERY_TIMEOUT_MS)
  await sleep(QUERY_TIMEOUT_MS + 500)
  await migrating.end()
  await (await opening).close()
})

test.skipIf(process.platform !== 'linux')('an idle connection is probed after 10 s', async () => {
  // A line has the remote address, the state 01 (established), the lengths of the queues, and the timer: 02 is that of the probe, in hundredths of a second.
  const remotePort = cluster.port.toString(16).toUpperCase().padStart(4, '0')
  const connectionPattern = new RegExp(` 0100007F:${remotePort} 01 \\S+ 02:([0-9A-F]{8}) `, 'g')
  const readTimers = async () =>
    [...(await readFile('/proc/net/tcp', 'utf8')).matchAll(connectionPattern)].map(([, hex = '']) => Number.parseInt(hex, 16) / 100)
  await expect.poll(async () => (await readTimers()).length).toBeGreaterThan(0)
  expect(Math.max(...(await readTimers()))).toBeLessThanOrEqual(10)
})
