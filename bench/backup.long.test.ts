import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PostgresCluster, startPostgresCluster } from '../e2e/deploy/postgres-cluster.ts'
import { adminScriptPath, createMinimalEnvironment } from '../e2e/server.ts'
import { openFolderStore } from '../server/files/folder-store.ts'
import { openKeyRing } from '../server/identity/keys.ts'
import { createTableDigest, type TableDigest, uncomparedTables } from '../server/storage/backup/table-digests.ts'
import { openPool } from '../server/storage/dialects/postgres-connection.ts'
import { openPostgresReader } from '../server/storage/dialects/postgres-reader.ts'
import { openSqliteReader } from '../server/storage/dialects/sqlite-reader.ts'
import { openStorage } from '../server/storage/open.ts'
import { SqliteFile } from '../server/storage/sqlite-driver.ts'
import type { TableReader } from '../server/storage/table-reader.ts'
import { generateCatalogue } from './generate-catalogue.ts'
import { runTimedCommand } from './timed-import.ts'

// Backups of a site with 100,000 songs, 1,000 accounts, rows in every table, and files, restored into other data directories and other database
// servers. The test needs a built server and Debian's package `postgresql`.

const SONG_COUNT = 100_000
const ACCOUNT_COUNT = 1000
const FILE_COUNT = 30
const FILE_BYTES = 1_000_000
const MEMORY_MAX_MIB = 512

const backupsFolder = mkdtempSync(join(tmpdir(), 'varispeed-backups-'))
const resolveInWorkDir = (name: string) => join(backupsFolder, name)
const siteDir = resolveInWorkDir('site')
const clusters: PostgresCluster[] = []
const getDatabaseUrl = (index: number) => clusters[index]?.getUrl('varispeed') ?? ''

async function runCommand(runLabel: string, dataDir: string, commandArgs: readonly string[], databaseUrl = '') {
  const runFigures = await runTimedCommand(dataDir, commandArgs, { DATABASE_URL: databaseUrl })
  process.stdout.write(`${runLabel}: ${runFigures.durationS.toFixed(1)} s, ${Math.round(runFigures.peakMib)} MiB\n`)
  expect(runFigures.peakMib).toBeLessThan(MEMORY_MAX_MIB)
  return runFigures.outputText
}

const runRefusedCommand = (dataDir: string, commandArgs: readonly string[], databaseUrl = '') =>
  runTimedCommand(dataDir, commandArgs, { DATABASE_URL: databaseUrl }).then(
    () => expect.fail('The command was not refused.'),
    (error: unknown) => String(error).trim(),
  )

/** Fills every table that has no rows with rows of all kinds of values. */
function fillEmptyTables(dataDir: string): void {
  const databaseFile = new SqliteFile(join(dataDir, 'varispeed.sqlite'))
  const tableNames = databaseFile
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
    .pluck()
    .all()
    .map(String)
  for (const tableName of tableNames) {
    if (databaseFile.prepare(`select 1 from ${tableName} limit 1`).get() !== undefined) continue
    const columns = databaseFile.prepare<[], { name: string; type: string }>(`pragma table_info(${tableName})`).all()
    const insertStatement = databaseFile.prepare(`insert into ${tableName} values (${columns.map(() => '?').join(', ')})`)
    const createColumnValue = (columnName: string, columnType: string, rowNumber: number) => {
      if (!/text/i.test(columnType)) return /real/i.test(columnType) ? rowNumber + 0.125 : rowNumber
      if (columnName === 'uid') return `u${rowNumber}`
      return /(^|_)id$/.test(columnName) ? `id-${rowNumber}` : `${columnName} ${rowNumber}: "ä'\\\n\u2028☃𝓝`
    }
    for (let rowNumber = 0; rowNumber < 50; rowNumber++)
      insertStatement.run(columns.map(({ name, type }) => createColumnValue(name, type, rowNumber)))
  }
  databaseFile.close()
}

async function createSite(): Promise<void> {
  const cataloguePath = resolveInWorkDir('catalogue.json')
  await generateCatalogue(cataloguePath, { songs: SONG_COUNT, playlists: 1000 })
  await runCommand(`import of ${SONG_COUNT} songs`, siteDir, ['catalog', 'import', cataloguePath])
  const storage = await openStorage({ dataDir: siteDir })
  await openKeyRing({ fileStore: await openFolderStore(siteDir), runExclusively: storage.runExclusively, nowMs: Date.now })
  const songIds = JSON.parse(readFileSync(cataloguePath, 'utf8')).songs.map((song: { youtube_id: string }) => song.youtube_id)
  mkdirSync(join(siteDir, 'conversions'))
  for (let accountNumber = 0; accountNumber < ACCOUNT_COUNT; accountNumber++) {
    const uid = `u${accountNumber}`
    const login = { familyId: uid, tokenHash: uid, authTimeMs: 1, loginId: uid, device: 'a', network: 'b' }
    await storage.accounts.create({ uid, email: `${uid}@example.com`, passwordHash: 'hash', atMs: 1 }, login)
    for (let i = 0; i < 10; i++) await storage.favorites.set(uid, songIds[(accountNumber * 10 + i) % SONG_COUNT], true, i)
  }
  for (let fileNumber = 0; fileNumber < FILE_COUNT; fileNumber++) {
    const fileId = `00000000-0000-4000-8000-${String(fileNumber).padStart(12, '0')}`
    const columnTexts = { demuxer: 'wav', format: 'mp3', message: '', secret: 's', file_name: 'ä.mp3', uid: `u${fileNumber}` } as const
    const numbers = { upload_bytes: 1, file_bytes: FILE_BYTES, rate: 1.25, created: fileNumber }
    await storage.conversions.add({ id: fileId, state: 'done', ...columnTexts, ...numbers }, 100, 0)
    writeFileSync(join(siteDir, 'conversions', `${fileId}.out`), randomBytes(FILE_BYTES))
  }
  await storage.settings.putLogo('png', randomBytes(200_000))
  await storage.close()
  fillEmptyTables(siteDir)
}

/** Returns the digests of all tables. The epoch of the sync cursors is left out, because each restore chooses a new random one. */
async function digestTables(reader: TableReader, tables = reader.listTables()): Promise<Record<string, TableDigest>> {
  const digestByTable: Record<string, TableDigest> = {}
  for (const tableName of tables) {
    if (uncomparedTables.has(tableName)) continue
    const digest = createTableDigest()
    for await (const { epoch: _, ...row } of reader.readRows(tableName)) digest.add(row)
    digestByTable[tableName] = digest.read()
  }
  return digestByTable
}

async function digestSqlite(dataDir: string) {
  const reader = openSqliteReader(dataDir)
  const digests = await digestTables(reader)
  reader.close()
  return digests
}

async function digestPostgres(databaseUrl: string) {
  const pool = openPool(databaseUrl)
  const reader = await openPostgresReader(pool)
  const digestByTable = await digestTables(reader)
  await reader.close()
  await pool.end()
  return digestByTable
}

/** Returns the checksums of those files of a data directory that are stored outside its database. */
function checksumFiles(dataDir: string): Record<string, string> {
  const fileNames = ['identity/keys.json', ...readdirSync(join(dataDir, 'conversions')).map((name) => `conversions/${name}`)]
  return Object.fromEntries(
    fileNames.map((fileName) => [
      fileName,
      createHash('sha256')
        .update(readFileSync(join(dataDir, fileName)))
        .digest('hex'),
    ]),
  )
}

let digestByTable: Record<string, TableDigest> = {}
beforeAll(async () => {
  // The system user that runs PostgreSQL needs access to the database folders in this folder.
  chmodSync(backupsFolder, 0o755)
  for (const backupName of ['first', 'second']) {
    mkdirSync(resolveInWorkDir(backupName))
    const cluster = await startPostgresCluster(resolveInWorkDir(backupName))
    cluster.createDatabase('varispeed')
    clusters.push(cluster)
  }
  await createSite()
  digestByTable = await digestSqlite(siteDir)
})
afterAll(async () => {
  for (const cluster of clusters) await cluster.stop()
  rmSync(backupsFolder, { recursive: true, force: true })
})

test('the site of the test has rows in every table', () => {
  const rowCounts = Object.entries(digestByTable).map(([table, digest]) => [table, digest.rows])
  process.stdout.write(`${rowCounts.length} tables: ${JSON.stringify(Object.fromEntries(rowCounts))}\n`)
  expect(rowCounts.filter(([, count]) => count === 0)).toEqual([])
  expect(digestByTable).toMatchObject({ accounts: { rows: ACCOUNT_COUNT }, 'catalogue.songs': { rows: SONG_COUNT } })
})

describe('after a restore, every row and file is the same as before the backup', () => {
  const [sqliteBackupPath, postgresBackupPath] = [resolveInWorkDir('sqlite.backup'), resolveInWorkDir('postgres.backup')]

  test('a backup of SQLite restores every row and file in another data directory', async () => {
    process.stdout.write(await runCommand('backup of SQLite', siteDir, ['backup', sqliteBackupPath]))
    await runCommand('restore of SQLite into SQLite', resolveInWorkDir('b'), ['restore', sqliteBackupPath])
    expect(await digestSqlite(resolveInWorkDir('b'))).toEqual(digestByTable)
    expect(checksumFiles(resolveInWorkDir('b'))).toEqual(checksumFiles(siteDir))
  })

  test('a backup of SQLite restores every row and file in PostgreSQL', async () => {
    await runCommand('restore of SQLite into PostgreSQL', resolveInWorkDir('c'), ['restore', sqliteBackupPath], getDatabaseUrl(0))
    expect(await digestPostgres(getDatabaseUrl(0))).toEqual(digestByTable)
    expect(checksumFiles(resolveInWorkDir('c'))).toEqual(checksumFiles(siteDir))
    expect(readdirSync(resolveInWorkDir('c')).sort()).toEqual(['conversions', 'identity'])
  })

  test('a backup of PostgreSQL restores every row and file in another PostgreSQL server', async () => {
    process.stdout.write(await runCommand('backup of PostgreSQL', resolveInWorkDir('c'), ['backup', postgresBackupPath], getDatabaseUrl(0)))
    await runCommand('restore of PostgreSQL into PostgreSQL', resolveInWorkDir('d'), ['restore', postgresBackupPath], getDatabaseUrl(1))
    expect(await digestPostgres(getDatabaseUrl(1))).toEqual(digestByTable)
    expect(checksumFiles(resolveInWorkDir('d'))).toEqual(checksumFiles(siteDir))
  })

  test('a backup of PostgreSQL restores every row and file in SQLite', async () => {
    await runCommand('restore of PostgreSQL into SQLite', resolveInWorkDir('e'), ['restore', postgresBackupPath])
    expect(await digestSqlite(resolveInWorkDir('e'))).toEqual(digestByTable)
    expect(checksumFiles(resolveInWorkDir('e'))).toEqual(checksumFiles(siteDir))
    expect(await runCommand('check', resolveInWorkDir('e'), ['check'])).toBe('Everything is in order.\n')
  })

  test('a restore refuses a PostgreSQL database that has rows, or replaces it on request, after a backup of it', async () => {
    expect(await runRefusedCommand(resolveInWorkDir('f'), ['restore', sqliteBackupPath], getDatabaseUrl(1))).toMatch(
      /The PostgreSQL database is not empty: its table \w+ has rows\.$/,
    )
    clusters[1]?.query('varispeed', "update accounts set email = 'other@example.com' where uid = 'u1'")
    await runCommand('restore with --replace', resolveInWorkDir('d'), ['restore', sqliteBackupPath, '--replace'], getDatabaseUrl(1))
    expect(await digestPostgres(getDatabaseUrl(1))).toEqual(digestByTable)
    const [earlier = ''] = readdirSync(resolveInWorkDir('d')).filter((name) => name.endsWith('.backup'))
    await runCommand('restore of what was replaced', resolveInWorkDir('g'), ['restore', join(resolveInWorkDir('d'), earlier)])
    expect((await digestSqlite(resolveInWorkDir('g'))).accounts).not.toEqual(digestByTable.accounts)
  })
})

describe('interrupted backups and restores', () => {
  const backupsDir = resolveInWorkDir('backups')
  let backupStartMs = 0
  // A folder that an earlier backup left behind when it was killed can have the same name, if both began in the same second.
  const isNewFolder = (path: string) => (statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0) >= backupStartMs
  const findPartialBackup = () =>
    readdirSync(backupsDir).find((name) => name.endsWith('.partial') && isNewFolder(join(backupsDir, name))) ?? ''
  const hasPartialFile = (name: string) => findPartialBackup() !== '' && existsSync(join(backupsDir, findPartialBackup(), name))
  const restoreSteps: readonly (readonly [string, () => boolean])[] = [
    ['has begun', () => findPartialBackup() !== ''],
    ['reads the database', () => hasPartialFile('snapshot/varispeed.sqlite')],
    ['reads the catalogue', () => hasPartialFile('snapshot/catalogue-1.sqlite')],
    ['writes the file', () => hasPartialFile('backup')],
    ['is restored', () => hasPartialFile('check/varispeed.sqlite')],
  ]
  beforeAll(() => void mkdirSync(backupsDir))

  test.each([
    ['SQLite', siteDir, (): string => ''],
    ['PostgreSQL', resolveInWorkDir('c'), () => getDatabaseUrl(0)],
  ] as const)('a backup of %s that is killed at any step leaves no backup, and the next one works', async (_name, dataDir, databaseUrl) => {
    for (const [stepName, isReached] of restoreSteps) {
      backupStartMs = Date.now()
      const backupProcess: ChildProcess = spawn(process.execPath, [adminScriptPath, 'backup', backupsDir], {
        env: createMinimalEnvironment({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl() }),
        stdio: 'ignore',
      })
      while (backupProcess.exitCode === null && !isReached()) await new Promise((resolve) => setTimeout(resolve, 2))
      if (stepName === 'is restored') {
        expect(await runRefusedCommand(dataDir, ['backup', resolveInWorkDir('at-the-same-time')], databaseUrl())).toMatch(
          /Another backup is under way; try again/,
        )
        expect(existsSync(resolveInWorkDir('at-the-same-time'))).toBe(false)
      }
      backupProcess.kill('SIGKILL')
      if (backupProcess.exitCode === null && backupProcess.signalCode === null) await once(backupProcess, 'exit')
      expect([stepName, backupProcess.signalCode]).toEqual([stepName, 'SIGKILL'])
      expect(readdirSync(backupsDir).filter((name) => name.endsWith('.backup'))).toEqual([])
    }
    await runCommand('the next backup', dataDir, ['backup', backupsDir, '--keep', '1'], databaseUrl())
    expect(readdirSync(backupsDir)).toEqual([expect.stringMatching(/\.backup$/)])
    rmSync(join(backupsDir, readdirSync(backupsDir)[0] ?? ''))
  })

  const canMount = process.platform === 'linux' && process.getuid?.() === 0
  test.skipIf(!canMount)('a backup and a restore on a full disk fail with a message of one line, and leave no files', async () => {
    const diskDir = resolveInWorkDir('disk')
    mkdirSync(diskDir)
    for (const megabytes of [5, 60, 150]) {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', diskDir])
      try {
        expect(await runRefusedCommand(siteDir, ['backup', join(diskDir, 'a.backup')])).toContain(
          `The disk of ${diskDir} is full: no backup was made.`,
        )
        expect(readdirSync(diskDir)).toEqual([])
        const dataDir = join(diskDir, 'data')
        const reason = await runRefusedCommand(dataDir, ['restore', resolveInWorkDir('sqlite.backup')]).catch(() => 'it fits')
        if (megabytes < 100) expect(reason).toContain(`The disk of DATA_DIR ${dataDir} is full: nothing was restored.`)
        if (megabytes < 100) expect(readdirSync(dataDir)).toEqual([])
      } finally {
        execFileSync('umount', [diskDir])
      }
    }
  })

  test('a restore that is killed has changed nothing, or is completed at the next start of the program', async () => {
    const listPreparedRestores = (dir: string) => (existsSync(dir) ? readdirSync(dir).filter((name) => name.startsWith('restore-')) : [])
    const dataDir = resolveInWorkDir('killed')
    cpSync(resolveInWorkDir('g'), dataDir, { recursive: true })
    const digestBefore = await digestSqlite(dataDir)
    for (const pauseMs of [0, 300, 1000, 2000]) {
      const restoreProcess: ChildProcess = spawn(
        process.execPath,
        [adminScriptPath, 'restore', resolveInWorkDir('sqlite.backup'), '--replace'],
        {
          env: createMinimalEnvironment({ DATA_DIR: dataDir }),
          stdio: 'ignore',
        },
      )
      while (restoreProcess.exitCode === null && listPreparedRestores(dataDir).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 2))
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      restoreProcess.kill('SIGKILL')
      if (restoreProcess.exitCode === null && restoreProcess.signalCode === null) await once(restoreProcess, 'exit')
      await (await openStorage({ dataDir })).close()
      const after = await digestSqlite(dataDir)
      expect([digestBefore.accounts?.digest, digestByTable.accounts?.digest]).toContain(after.accounts?.digest)
      expect(await runCommand(`check after ${pauseMs} ms`, dataDir, ['check'])).toBe('Everything is in order.\n')
    }
    await runCommand('the next restore', dataDir, ['restore', resolveInWorkDir('sqlite.backup'), '--replace'])
    expect(await digestSqlite(dataDir)).toEqual(digestByTable)
    expect(listPreparedRestores(dataDir)).toEqual([])
  })
})
