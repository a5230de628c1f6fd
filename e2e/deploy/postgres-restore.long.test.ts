import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../server/admin/run-command.ts'
import { openPool } from '../../server/storage/dialects/postgres-connection.ts'
import { openStorage } from '../../server/storage/open.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'

// Backups and restores of a PostgreSQL database that is in another schema, in use, or replaced by a restore that is interrupted. Needs Debian's package
// `postgresql`.

const OWNER = 'site'
let workFolder = ''
let dataDir = ''
let databaseUrl = ''
let database = ''
let backupFile = ''
let databaseCount = 0
let cluster: PostgresCluster
beforeAll(async () => {
  workFolder = mkdtempSync(join(tmpdir(), 'varispeed-postgres-restore-'))
  cluster = await startPostgresCluster(workFolder, ['fsync=off'])
  cluster.query('postgres', `create role ${OWNER} login`)
})
afterAll(async () => {
  await cluster.stop()
  rmSync(workFolder, { recursive: true, force: true })
})
beforeEach(() => {
  database = `site${++databaseCount}`
  dataDir = join(workFolder, database)
  mkdirSync(dataDir)
  backupFile = join(workFolder, `${database}.backup`)
  cluster.createDatabase(database, '--owner', OWNER)
  databaseUrl = cluster.getUrl(database).replace('//varispeed@', `//${OWNER}@`)
})

const { renameSync } = fs
function replaceRenameSync(renameFile: typeof renameSync): void {
  fs.renameSync = renameFile
  syncBuiltinESMExports()
}
afterEach(() => replaceRenameSync(renameSync))

const query = (sql: string) => cluster.query(database, sql)
const runAdmin = (...args: string[]) => runCommand(args, { env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DEMO: 'off' } })
const createUser = (email: string) => runAdmin('user', 'create', '--email', email, '--password', 'secret words')
const listEmails = async () => JSON.parse(await runAdmin('user', 'list', '--json')).map((row: { email: string }) => row.email)
const readRevision = () => Number(query("select value from state where key = 'revision'"))

/** Makes a backup with one account and the file of imports `backed up`; then the site has a second account, and the file `later`. */
async function createChangedSite(): Promise<void> {
  await createUser('ann@example.com')
  const importsFile = join(dataDir, 'youtube-members.json')
  writeFileSync(importsFile, 'backed up')
  await runAdmin('backup', backupFile)
  await createUser('bob@example.com')
  writeFileSync(importsFile, 'later')
}
const readImportsFile = () => readFileSync(join(dataDir, 'youtube-members.json'), 'utf8')
const listRestoreFolders = () => readdirSync(dataDir).filter((name) => name.startsWith('restore-'))

test('a backup of tables in a schema of the user has them, and is restored there', async () => {
  cluster.query(database, `create schema authorization ${OWNER}`)
  await createChangedSite()
  expect(query("select schemaname from pg_tables where tablename = 'accounts'")).toBe(OWNER)
  await runAdmin('restore', backupFile, '--replace')
  expect(await listEmails()).toEqual(['ann@example.com'])
})

test('a backup in which a table is missing is refused', async () => {
  await createUser('ann@example.com')
  query('alter table play_marks rename to other_marks')
  await expect(runAdmin('backup', backupFile)).rejects.toThrow('The database lacks the tables play_marks: no backup was made.')
  expect(existsSync(backupFile)).toBe(false)
})

test('a restore raises the revision above that of the database and that of every process', async () => {
  await createChangedSite()
  query("update state set value = 5000000000 where key = 'revision'")
  await runAdmin('restore', backupFile, '--replace', '--without-backup')
  expect(readRevision()).toBeGreaterThan(5_000_000_000)
})

test('a process that runs while an older dump is put back reads anew after `database restored`', async () => {
  await createUser('ann@example.com')
  const storage = await openStorage({ dataDir, databaseUrl })
  for (let index = 0; index < 3; index++) await storage.settings.set('NAME', String(index), undefined)
  const revisionBefore = storage.revision()
  query("update state set value = 0 where key = 'revision'")
  await runAdmin('database', 'restored')
  await expect.poll(() => storage.revision(), { timeout: 20_000 }).toBeGreaterThan(revisionBefore)
  await storage.close()
})

test('a restore is refused while a process of the site is connected, and not because of an idle connection', async () => {
  await createChangedSite()
  const storage = await openStorage({ dataDir, databaseUrl })
  await expect(runAdmin('restore', backupFile, '--replace', '--without-backup')).rejects.toThrow(
    /in use \(by session \d+ from 127\.0\.0\.1\)/,
  )
  await storage.close()
  const idlePool = openPool(databaseUrl)
  await idlePool.query('select 1')
  await runAdmin('restore', backupFile, '--replace', '--without-backup')
  await idlePool.end()
  expect(await listEmails()).toEqual(['ann@example.com'])
})

test('a restore whose search index cannot be built is complete, and the next start builds it', async () => {
  await createChangedSite()
  const formatSql = "select coalesce(obj_description('catalogue'::regnamespace, 'pg_namespace'), '')"
  const formatBefore = query(formatSql)
  query(`create function refuse() returns event_trigger language plpgsql as $$ begin raise 'no index'; end $$;
    create event trigger refuse on ddl_command_end when tag in ('CREATE INDEX') execute function refuse()`)
  await runAdmin('restore', backupFile, '--replace', '--without-backup')
  expect(query(formatSql)).toBe('')
  query('drop event trigger refuse')
  expect(await listEmails()).toEqual(['ann@example.com'])
  expect(query(formatSql)).toBe(formatBefore)
  expect(readImportsFile()).toBe('backed up')
})

test.each([
  ['of a failure', 'XX000', 'no commit'],
  ['the disk of the database server is full', '53100', 'The disk of the database server is full: nothing was restored.'],
])('a restore that is not committed because %s has replaced nothing, and its files are deleted', async (_, errorCode, message) => {
  await createChangedSite()
  query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no commit' using errcode = '${errorCode}'; end $$;
    create constraint trigger refuse after insert on state deferrable initially deferred for each row execute function refuse()`)
  await expect(runAdmin('restore', backupFile, '--replace', '--without-backup')).rejects.toThrow(message)
  query('drop trigger refuse on state')
  expect(await listEmails()).toEqual(['ann@example.com', 'bob@example.com'])
  expect(readImportsFile()).toBe('later')
  expect(listRestoreFolders()).toEqual([])
})

test.each([
  ['committed', 17, 'backed up'],
  ['not committed', 16, 'later'],
])('the files of a restore that was killed are put in place by the next start only if its rows are %s', async (_, mark, expectedText) => {
  await createChangedSite()
  query("insert into state (key, value) values ('restore', 17)")
  const readyFolder = join(dataDir, 'restore-ready')
  mkdirSync(readyFolder)
  writeFileSync(join(readyFolder, 'youtube-members.json'), 'backed up')
  writeFileSync(join(readyFolder, 'plan.json'), JSON.stringify({ replacedDir: 'before', replacedNames: ['youtube-members.json'], mark }))
  await expect(runCommand(['user', 'list'], { env: { DATA_DIR: dataDir } })).rejects.toThrow('set its DATABASE_URL to finish it')
  await listEmails()
  expect(readImportsFile()).toBe(expectedText)
  expect(listRestoreFolders()).toEqual([])
  expect(existsSync(join(dataDir, 'before'))).toBe(mark === 17)
})

test('a restore that is interrupted at any of its steps has replaced nothing, or is completed by the next start', async () => {
  await createChangedSite()
  const replaceSite = () => runAdmin('restore', backupFile, '--replace', '--without-backup')
  const isStep = (path: fs.PathLike) => /restore-(?:ready|moving)/.test(String(path))
  for (let allowedStepCount = 0; ; allowedStepCount++) {
    let stepCount = 0
    replaceRenameSync((oldPath, newPath) => {
      if ((isStep(oldPath) || isStep(newPath)) && stepCount++ >= allowedStepCount) throw new Error('killed')
      renameSync(oldPath, newPath)
    })
    const outcome = await replaceSite().catch((error: Error) => error.message)
    replaceRenameSync(renameSync)
    const isReplaced = allowedStepCount > 0
    expect(await listEmails(), `after ${allowedStepCount} steps`).toEqual(['ann@example.com', ...(isReplaced ? [] : ['bob@example.com'])])
    expect(readImportsFile(), `after ${allowedStepCount} steps`).toBe(isReplaced ? 'backed up' : 'later')
    expect(listRestoreFolders()).toEqual([])
    if (outcome.startsWith('The data are those of')) break
    expect(outcome).toBe(isReplaced ? 'The restore is not complete, and the next start of the server finishes it: killed' : 'killed')
    await createUser('bob@example.com').catch(() => {})
    writeFileSync(join(dataDir, 'youtube-members.json'), 'later')
  }
})

test('through PgBouncer, a restore is refused while a process of the site is connected, and else done', async () => {
  await createChangedSite()
  databaseUrl = (await cluster.startBouncer())(database)
  const storage = await openStorage({ dataDir, databaseUrl })
  await expect(runAdmin('restore', backupFile, '--replace')).rejects.toThrow('The database is in use')
  await storage.close()
  await runAdmin('restore', backupFile, '--replace')
  expect(await listEmails()).toEqual(['ann@example.com'])
})
