import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../server/admin/run-command.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'

// `restore --replace` over a PostgreSQL database that a newer version has migrated. The user of the program owns the database and is no superuser, and
// another program has a table in the same schema. Needs Debian's package `postgresql`.

const OWNER = 'site'
/** Imitates a newer version: a migration, a table that this version does not know, with the mark of the program, and a changed table. */
const NEWER_VERSION_SQL = `set role ${OWNER};
  insert into migrations (name, applied) values ('999-later', 1);
  create table later_rows (id bigint primary key); comment on table later_rows is 'A table of Varispeed.'; insert into later_rows values (1);
  alter table accounts add column later text not null default 'x';
  drop table play_marks;
  update accounts set email = 'later@example.com'`

let workFolder = ''
let dataDir = ''
let databaseCount = 0
let database = ''
let cluster: PostgresCluster
beforeAll(async () => {
  workFolder = mkdtempSync(join(tmpdir(), 'varispeed-restore-newer-'))
  cluster = await startPostgresCluster(workFolder, ['fsync=off'])
  cluster.query('postgres', `create role ${OWNER} login`)
})
afterAll(async () => {
  await cluster.stop()
  rmSync(workFolder, { recursive: true, force: true })
})

const runAdmin = (...args: string[]) =>
  runCommand(args, {
    env: { DATA_DIR: dataDir, DATABASE_URL: cluster.getUrl(database).replace('//varispeed@', `//${OWNER}@`), DEMO: 'off' },
  })
const query = (sql: string) => cluster.query(database, sql)
const listEmails = async () => JSON.parse(await runAdmin('user', 'list', '--json')).map((row: { email: string }) => row.email)
const createUser = (email: string) => runAdmin('user', 'create', '--email', email, '--password', 'secret words')
const listTables = () =>
  query("select schemaname || '.' || tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1")

let backupFile = ''
let tablesBefore = ''
beforeEach(async () => {
  database = `site${++databaseCount}`
  dataDir = join(workFolder, database)
  cluster.createDatabase(database, '--owner', OWNER)
  query(`set role ${OWNER}; create table other_program (id bigint primary key); insert into other_program values (7)`)
  await createUser('ann@example.com')
  backupFile = join(workFolder, `${database}.backup`)
  await runAdmin('backup', backupFile)
  tablesBefore = listTables()
  query(NEWER_VERSION_SQL)
})

test('every table of the program has its mark, and no other table', () => {
  expect(
    query(`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and obj_description(oid, 'pg_class') is distinct from 'A table of Varispeed.'`),
  ).toBe('other_program')
})

test('the tables of a newer version are replaced by those of the backup, and the table of another program stays', async () => {
  await expect(listEmails()).rejects.toThrow("changed by a newer version of this program (it has '999-later')")
  await expect(runAdmin('restore', backupFile, '--replace')).rejects.toThrow('make a backup of it with that version')
  await expect(runAdmin('restore', backupFile)).rejects.toThrow('changed by a newer version')
  await runAdmin('restore', backupFile, '--replace', '--without-backup')
  expect(await listEmails()).toEqual(['ann@example.com'])
  expect(listTables()).toBe(tablesBefore)
  expect(query('select id from other_program')).toBe('7')
  expect(await runAdmin('check')).toBe('Everything is in order.')
  await createUser('bob@example.com')
})

test('a restore that fails changes nothing in a database of a newer version', async () => {
  query(`set role ${OWNER}; create view other_view as select uid from accounts`)
  const tablesOfNewer = listTables()
  await expect(runAdmin('restore', backupFile, '--replace', '--without-backup')).rejects.toThrow(/cannot be deleted: .* depend/)
  expect(listTables()).toBe(tablesOfNewer)
  expect(query('select email from accounts')).toBe('later@example.com')
  expect(query('select id from later_rows')).toBe('1')
  expect(readdirSync(dataDir).filter((name) => name.startsWith('restore-of-'))).toEqual([])
})

test('a database of the same version is backed up before it is replaced, and objects that depend on its tables stay', async () => {
  query("delete from migrations where name = '999-later'; drop table later_rows; alter table accounts drop column later")
  query(`set role ${OWNER}; create table play_marks (client_id text not null, song_id text not null, counted_at bigint not null)`)
  query(`set role ${OWNER}; create view other_view as select email from accounts`)
  await runAdmin('restore', backupFile, '--replace')
  expect(query('select email from other_view')).toBe('ann@example.com')
  expect(readdirSync(dataDir).filter((name) => /^before-.*\.backup$/.test(name))).toHaveLength(1)
  await expect(runAdmin('restore', backupFile, '--without-backup')).rejects.toThrow('--without-backup needs --replace')
})
