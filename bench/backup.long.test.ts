import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PostgresCluster, startPostgresCluster } from '../e2e/deploy/postgres-cluster.ts'
import { adminScriptPath, createMinimalEnvironment } from '../e2e/server.ts'
import { openFolderStore } from '../server/files/folder-store.ts'
import { openKeyRing } from '../server/identity/keys.ts'
import { createTableDigest, type TableDigest, technicalTables } from '../server/storage/backup/table-digests.ts'
import { openPool } from '../server/storage/dialects/postgres-connection.ts'
import { openPostgresReader } from '../server/storage/dialects/postgres-reader.ts'
import { openSqliteReader } from '../server/storage/dialects/sqlite-reader.ts'
import { openStorage } from '../server/storage/open.ts'
import { SqliteFile } from '../server/storage/sqlite-driver.ts'
import type { TableReader } from '../server/storage/table-reader.ts'
import { generateCatalogue } from './generate-catalogue.ts'
import { timedCommand } from './timed-import.ts'

// Backups of a site with 100,000 songs, 1,000 accounts, rows in every table, and files, restored into other data directories and other database
// servers. The test needs a built server and Debian's package `postgresql`.

const SONG_COUNT = 100_000
const ACCOUNT_COUNT = 1000
const FILE_COUNT = 30
const FILE_BYTES = 1_000_000
const MEMORY_MAX_MIB = 512

const folder = mkdtempSync(join(tmpdir(), 'varispeed-backups-'))
const dirOf = (name: string) => join(folder, name)
const site = dirOf('site')
const clusters: PostgresCluster[] = []
const databaseOf = (index: number) => clusters[index]?.urlOf('varispeed') ?? ''

async function run(label: string, dataDir: string, args: readonly string[], databaseUrl = '') {
  const figures = await timedCommand(dataDir, args, { DATABASE_URL: databaseUrl })
  process.stdout.write(`${label}: ${figures.seconds.toFixed(1)} s, ${Math.round(figures.peakMib)} MiB\n`)
  expect(figures.peakMib).toBeLessThan(MEMORY_MAX_MIB)
  return figures.output
}

const refusalOf = (dataDir: string, args: readonly string[], databaseUrl = '') =>
  timedCommand(dataDir, args, { DATABASE_URL: databaseUrl }).then(
    () => expect.fail('The command was not refused.'),
    (error: unknown) => String(error).trim(),
  )

/** Fills every table that has no rows with rows of all kinds of values. */
function fillEmptyTables(dataDir: string): void {
  const handle = new SqliteFile(join(dataDir, 'varispeed.sqlite'))
  const tables = handle.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'").pluck().all().map(String)
  for (const table of tables) {
    if (handle.prepare(`select 1 from ${table} limit 1`).get() !== undefined) continue
    const columns = handle.prepare<[], { name: string; type: string }>(`pragma table_info(${table})`).all()
    const insert = handle.prepare(`insert into ${table} values (${columns.map(() => '?').join(', ')})`)
    const fillValue = (name: string, type: string, n: number) => {
      if (!/text/i.test(type)) return /real/i.test(type) ? n + 0.125 : n
      if (name === 'uid') return `u${n}`
      return /(^|_)id$/.test(name) ? `id-${n}` : `${name} ${n}: "ä'\\\n\u2028☃𝓝`
    }
    for (let n = 0; n < 50; n++) insert.run(columns.map(({ name, type }) => fillValue(name, type, n)))
  }
  handle.close()
}

async function createSite(): Promise<void> {
  const file = dirOf('catalogue.json')
  await generateCatalogue(file, { songs: SONG_COUNT, playlists: 1000 })
  await run(`import of ${SONG_COUNT} songs`, site, ['catalog', 'import', file])
  const storage = await openStorage({ dataDir: site })
  await openKeyRing({ fileStore: await openFolderStore(site), runExclusively: storage.runExclusively, nowMs: Date.now })
  const songIds = JSON.parse(readFileSync(file, 'utf8')).songs.map((song: { youtube_id: string }) => song.youtube_id)
  mkdirSync(join(site, 'conversions'))
  for (let n = 0; n < ACCOUNT_COUNT; n++) {
    const uid = `u${n}`
    const login = { familyId: uid, tokenHash: uid, authTimeMs: 1, loginId: uid, device: 'a', network: 'b' }
    await storage.accounts.create({ uid, email: `${uid}@example.com`, passwordHash: 'hash', atMs: 1 }, login)
    for (let i = 0; i < 10; i++) await storage.favorites.set(uid, songIds[(n * 10 + i) % SONG_COUNT], true, i)
  }
  for (let n = 0; n < FILE_COUNT; n++) {
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
    const texts = { demuxer: 'wav', format: 'mp3', message: '', secret: 's', file_name: 'ä.mp3', uid: `u${n}` } as const
    const numbers = { upload_bytes: 1, file_bytes: FILE_BYTES, rate: 1.25, created: n }
    await storage.conversions.add({ id, state: 'done', ...texts, ...numbers }, 100, 0)
    writeFileSync(join(site, 'conversions', `${id}.out`), randomBytes(FILE_BYTES))
  }
  await storage.settings.putLogo('png', randomBytes(200_000))
  await storage.close()
  fillEmptyTables(site)
}

/** Returns the digests of all tables. The epoch of the sync cursors is left out, because each restore chooses a new random one. */
async function digestAll(reader: TableReader, tables = reader.listTables()): Promise<Record<string, TableDigest>> {
  const digests: Record<string, TableDigest> = {}
  for (const table of tables) {
    if (technicalTables.has(table)) continue
    const digest = createTableDigest()
    for await (const { epoch: _, ...row } of reader.rowsOf(table)) digest.add(row)
    digests[table] = digest.read()
  }
  return digests
}

async function digestSqlite(dataDir: string) {
  const reader = openSqliteReader(dataDir)
  const digests = await digestAll(reader)
  reader.close()
  return digests
}

async function digestPostgres(databaseUrl: string) {
  const pool = openPool(databaseUrl)
  const reader = await openPostgresReader(pool)
  const digests = await digestAll(reader)
  await reader.close()
  await pool.end()
  return digests
}

/** Returns the checksums of the files of a data directory that no database has. */
function checksumFiles(dataDir: string): Record<string, string> {
  const fileNames = ['identity/keys.json', ...readdirSync(join(dataDir, 'conversions')).map((name) => `conversions/${name}`)]
  return Object.fromEntries(
    fileNames.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dataDir, name)))
        .digest('hex'),
    ]),
  )
}

let rows: Record<string, TableDigest> = {}
beforeAll(async () => {
  // The user of PostgreSQL has to reach its folders.
  chmodSync(folder, 0o755)
  for (const name of ['first', 'second']) {
    mkdirSync(dirOf(name))
    const cluster = await startPostgresCluster(dirOf(name))
    cluster.createDatabase('varispeed')
    clusters.push(cluster)
  }
  await createSite()
  rows = await digestSqlite(site)
})
afterAll(async () => {
  for (const cluster of clusters) await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the site of the test has rows in every table', () => {
  const counts = Object.entries(rows).map(([table, digest]) => [table, digest.rows])
  process.stdout.write(`${counts.length} tables: ${JSON.stringify(Object.fromEntries(counts))}\n`)
  expect(counts.filter(([, count]) => count === 0)).toEqual([])
  expect(rows).toMatchObject({ accounts: { rows: ACCOUNT_COUNT }, 'catalogue.songs': { rows: SONG_COUNT } })
})

describe('every row and file is the same', () => {
  const [ofSqlite, ofPostgres] = [dirOf('sqlite.backup'), dirOf('postgres.backup')]

  test('a backup of SQLite restores every row and file in another data directory', async () => {
    process.stdout.write(await run('backup of SQLite', site, ['backup', ofSqlite]))
    await run('restore of SQLite into SQLite', dirOf('b'), ['restore', ofSqlite])
    expect(await digestSqlite(dirOf('b'))).toEqual(rows)
    expect(checksumFiles(dirOf('b'))).toEqual(checksumFiles(site))
  })

  test('a backup of SQLite restores every row and file in PostgreSQL', async () => {
    await run('restore of SQLite into PostgreSQL', dirOf('c'), ['restore', ofSqlite], databaseOf(0))
    expect(await digestPostgres(databaseOf(0))).toEqual(rows)
    expect(checksumFiles(dirOf('c'))).toEqual(checksumFiles(site))
    expect(readdirSync(dirOf('c')).sort()).toEqual(['conversions', 'identity'])
  })

  test('a backup of PostgreSQL restores every row and file in another PostgreSQL server', async () => {
    process.stdout.write(await run('backup of PostgreSQL', dirOf('c'), ['backup', ofPostgres], databaseOf(0)))
    await run('restore of PostgreSQL into PostgreSQL', dirOf('d'), ['restore', ofPostgres], databaseOf(1))
    expect(await digestPostgres(databaseOf(1))).toEqual(rows)
    expect(checksumFiles(dirOf('d'))).toEqual(checksumFiles(site))
  })

  test('a backup of PostgreSQL restores every row and file in SQLite', async () => {
    await run('restore of PostgreSQL into SQLite', dirOf('e'), ['restore', ofPostgres])
    expect(await digestSqlite(dirOf('e'))).toEqual(rows)
    expect(checksumFiles(dirOf('e'))).toEqual(checksumFiles(site))
    expect(await run('check', dirOf('e'), ['check'])).toBe('Everything is in order.\n')
  })

  test('a PostgreSQL database with rows is refused, and replaced on request, after a backup', async () => {
    expect(await refusalOf(dirOf('f'), ['restore', ofSqlite], databaseOf(1))).toMatch(
      /The PostgreSQL database is not empty: its table \w+ has rows\.$/,
    )
    clusters[1]?.query('varispeed', "update accounts set email = 'other@example.com' where uid = 'u1'")
    await run('restore with --replace', dirOf('d'), ['restore', ofSqlite, '--replace'], databaseOf(1))
    expect(await digestPostgres(databaseOf(1))).toEqual(rows)
    const [earlier = ''] = readdirSync(dirOf('d')).filter((name) => name.endsWith('.backup'))
    await run('restore of what was replaced', dirOf('g'), ['restore', join(dirOf('d'), earlier)])
    expect((await digestSqlite(dirOf('g'))).accounts).not.toEqual(rows.accounts)
  })
})

describe('interrupted backups and restores', () => {
  const backups = dirOf('backups')
  /** The remains of backups that were killed before. */
  let remainingFiles: readonly string[] = []
  const findPartialBackup = () => readdirSync(backups).find((name) => name.endsWith('.partial') && !remainingFiles.includes(name)) ?? ''
  const partialHas = (name: string) => findPartialBackup() !== '' && existsSync(join(backups, findPartialBackup(), name))
  const steps: readonly (readonly [string, () => boolean])[] = [
    ['has begun', () => findPartialBackup() !== ''],
    ['reads the database', () => partialHas('snapshot/varispeed.sqlite')],
    ['reads the catalogue', () => partialHas('snapshot/catalogue-1.sqlite')],
    ['writes the file', () => partialHas('backup')],
    ['is restored', () => partialHas('check/varispeed.sqlite')],
  ]
  beforeAll(() => void mkdirSync(backups))

  test.each([
    ['SQLite', site, (): string => ''],
    ['PostgreSQL', dirOf('c'), () => databaseOf(0)],
  ] as const)('a backup of %s that is killed at any step leaves no backup, and the next one works', async (_name, dataDir, databaseUrl) => {
    for (const [step, isReached] of steps) {
      remainingFiles = readdirSync(backups)
      const backupProcess: ChildProcess = spawn(process.execPath, [adminScriptPath, 'backup', backups], {
        env: createMinimalEnvironment({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl() }),
        stdio: 'ignore',
      })
      while (backupProcess.exitCode === null && !isReached()) await new Promise((resolve) => setTimeout(resolve, 2))
      if (step === 'is restored') {
        expect(await refusalOf(dataDir, ['backup', dirOf('at-the-same-time')], databaseUrl())).toMatch(
          /Another backup is under way; try again/,
        )
        expect(existsSync(dirOf('at-the-same-time'))).toBe(false)
      }
      backupProcess.kill('SIGKILL')
      if (backupProcess.exitCode === null && backupProcess.signalCode === null) await once(backupProcess, 'exit')
      expect([step, backupProcess.signalCode]).toEqual([step, 'SIGKILL'])
      expect(readdirSync(backups).filter((name) => name.endsWith('.backup'))).toEqual([])
    }
    await run('the next backup', dataDir, ['backup', backups, '--keep', '1'], databaseUrl())
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/\.backup$/)])
    rmSync(join(backups, readdirSync(backups)[0] ?? ''))
  })

  const canMount = process.platform === 'linux' && process.getuid?.() === 0
  test.skipIf(!canMount)('a full disk ends a backup and a restore with one line, and leaves nothing', async () => {
    const disk = dirOf('disk')
    mkdirSync(disk)
    for (const megabytes of [5, 60, 150]) {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk])
      try {
        expect(await refusalOf(site, ['backup', join(disk, 'a.backup')])).toContain(`The disk of ${disk} is full: no backup was made.`)
        expect(readdirSync(disk)).toEqual([])
        const dataDir = join(disk, 'data')
        const reason = await refusalOf(dataDir, ['restore', dirOf('sqlite.backup')]).catch(() => 'it fits')
        if (megabytes < 100) expect(reason).toContain(`The disk of DATA_DIR ${dataDir} is full: nothing was restored.`)
        if (megabytes < 100) expect(readdirSync(dataDir)).toEqual([])
      } finally {
        execFileSync('umount', [disk])
      }
    }
  })

  test('a restore that is killed has changed nothing, or is completed at the next start of the program', async () => {
    const listPrepared = (dir: string) => (existsSync(dir) ? readdirSync(dir).filter((name) => name.startsWith('restore-')) : [])
    const dataDir = dirOf('killed')
    cpSync(dirOf('g'), dataDir, { recursive: true })
    const digestBefore = await digestSqlite(dataDir)
    for (const pauseMs of [0, 300, 1000, 2000]) {
      const restoreProcess: ChildProcess = spawn(process.execPath, [adminScriptPath, 'restore', dirOf('sqlite.backup'), '--replace'], {
        env: createMinimalEnvironment({ DATA_DIR: dataDir }),
        stdio: 'ignore',
      })
      while (restoreProcess.exitCode === null && listPrepared(dataDir).length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      restoreProcess.kill('SIGKILL')
      if (restoreProcess.exitCode === null && restoreProcess.signalCode === null) await once(restoreProcess, 'exit')
      await (await openStorage({ dataDir })).close()
      const after = await digestSqlite(dataDir)
      expect([digestBefore.accounts?.digest, rows.accounts?.digest]).toContain(after.accounts?.digest)
      expect(await run(`check after ${pauseMs} ms`, dataDir, ['check'])).toBe('Everything is in order.\n')
    }
    await run('the next restore', dataDir, ['restore', dirOf('sqlite.backup'), '--replace'])
    expect(await digestSqlite(dataDir)).toEqual(rows)
    expect(listPrepared(dataDir)).toEqual([])
  })
})
