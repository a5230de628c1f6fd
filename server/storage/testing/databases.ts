import { rmSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import type { ImportFileKey } from '../../../contract/import.ts'
import { readEmptyCluster } from '../../../testing/postgres.ts'
import { createPostgresDatabase } from '../dialects/postgres.ts'
import { pgTypeParsers } from '../dialects/postgres-connection.ts'
import type { Storage } from '../open.ts'
import { createStorage, openStorage } from '../open.ts'
import { SqliteFile } from '../sqlite-driver.ts'
import type { StorageFixture } from './fixture.ts'
import { createTemplateDatabase, postgresServerUrl, runSql } from './postgres-server.ts'

interface DatabaseEngine {
  /** Opens the database of the tested kind, SQLite or PostgreSQL. */
  open: () => Promise<Storage>
  /** Runs SQL in the catalogue of the closed database. The catalogue then counts as the catalogue of an older version. */
  changeCatalogue: (changeSql: string) => Promise<void>
  /** Restores the state of a new, migrated database. */
  clear: () => Promise<void>
}

async function createSqliteEngine(): Promise<DatabaseEngine> {
  const migratedDir = await mkdtemp(join(tmpdir(), 'varispeed-migrated-'))
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-storage-'))
  process.on('exit', () => {
    for (const directory of [migratedDir, dataDir]) rmSync(directory, { recursive: true, force: true })
  })
  await (await openStorage({ dataDir: migratedDir })).close()
  await cp(migratedDir, dataDir, { recursive: true })
  return {
    open: () => openStorage({ dataDir }),
    changeCatalogue: async (changeSql) => {
      const [catalogueFileName = ''] = (await readdir(dataDir)).filter((name) => /^catalogue-\d+\.sqlite$/.test(name))
      const catalogueDatabase = new SqliteFile(join(dataDir, catalogueFileName))
      catalogueDatabase.exec(`${changeSql}; pragma user_version = 1`)
      catalogueDatabase.close()
    },
    clear: async () => {
      await rm(dataDir, { recursive: true, force: true })
      await cp(migratedDir, dataDir, { recursive: true })
    },
  }
}

async function createPostgresServerEngine(): Promise<DatabaseEngine> {
  const createDatabase = await createTemplateDatabase(async (databaseUrl) =>
    (await openStorage({ dataDir: tmpdir(), databaseUrl })).close(),
  )
  const { url, reset } = await createDatabase()
  return {
    open: () => openStorage({ dataDir: tmpdir(), databaseUrl: url }),
    changeCatalogue: (changeSql) => runSql(url, `set search_path = catalogue; ${changeSql}; comment on schema catalogue is null`),
    clear: reset,
  }
}

const LIST_TABLES_SQL = `select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname in ('public', 'catalogue', 'catalogue_next') order by 1`

async function createPostgresEngine(): Promise<DatabaseEngine> {
  const pglite = await PGlite.create({ extensions: { pg_trgm }, loadDataDir: await readEmptyCluster() })
  const openFixture = async () =>
    createStorage(await createPostgresDatabase(new pg.Pool({ ...createPgConfig(pglite), types: pgTypeParsers, max: 1 })))
  const listTables = async () => (await pglite.query<{ name: string }>(LIST_TABLES_SQL)).rows.map(({ name }) => name)
  await (await openFixture()).close()
  const tables = await listTables()
  // Only tables that have rows are cleared. Their rows are deleted, without checks of references, because truncating a table creates new files.
  const filledTablesSql = tables.map((name) => `(select '${name}' as name from ${name} limit 1)`).join(' union all ')
  const listFilledTables = async () => (await pglite.query<{ name: string }>(filledTablesSql)).rows.map(({ name }) => name)
  const initialTables = await listFilledTables()
  await pglite.exec('create schema initial')
  for (const [index, name] of initialTables.entries()) await pglite.exec(`create table initial.t${index} as table ${name}`)
  const restoreStatements = [
    ...initialTables.map((name, index) => `insert into ${name} overriding system value select * from initial.t${index}`),
    'select setval(seqrelid::regclass, seqstart, false) from pg_sequence',
  ].join('; ')
  return {
    open: openFixture,
    changeCatalogue: async (changeSql) => {
      await pglite.exec(`set search_path = catalogue; ${changeSql}; reset search_path; comment on schema catalogue is null`)
    },
    clear: async () => {
      await pglite.exec('drop schema if exists catalogue_next cascade')
      if ((await listTables()).join() !== tables.join()) throw new Error('A test left other tables than a new database has')
      const deleteStatements = (await listFilledTables()).map((name) => `delete from ${name}`).join('; ')
      await pglite.exec(`set session_replication_role = replica; ${deleteStatements}; ${restoreStatements}; reset session_replication_role`)
    },
  }
}

const OLD_TEXTS_SQL = `update songs set title_folded = 'old', author_folded = 'old', title_spellings = '', author_spellings = '';
  update contexts set title_folded = 'old', title_spellings = ''`

const engineFactoryByKind = {
  sqlite: createSqliteEngine,
  postgres: postgresServerUrl === undefined ? createPostgresEngine : createPostgresServerEngine,
}
const testedKinds = postgresServerUrl === undefined ? (['sqlite', 'postgres'] as const) : (['postgres'] as const)
/** The database engines of this worker, which all of its test files share. */
const engineByKind: Partial<Record<keyof typeof engineFactoryByKind, Promise<DatabaseEngine>>> = {}

type DefineTests = (fixture: StorageFixture) => void

interface StoreTestOptions {
  /**
   * Whether all tests on PostgreSQL are in `npm run test:long` only. Its `postgres-tests.long.test.ts` runs the tests of these stores on a real
   * PostgreSQL, too.
   */
  isLongOnPostgres: boolean
}

/**
 * Runs tests on SQLite and PostgreSQL. Each worker migrates one database of each kind, and every test starts with the state after the
 * migrations.
 */
export function describeStores(describedName: string, ...args: [DefineTests] | [StoreTestOptions, DefineTests]): void {
  const [{ isLongOnPostgres }, defineTests] = args.length === 1 ? [{ isLongOnPostgres: false }, args[0]] : args
  for (const kind of testedKinds) {
    const tags = isLongOnPostgres && kind === 'postgres' ? ['long'] : []
    describe(`${describedName} on ${kind}`, { tags }, () => defineKindTests(kind, defineTests))
  }
}

function defineKindTests(databaseKind: (typeof testedKinds)[number], defineTests: DefineTests): void {
  let engine: DatabaseEngine
  let storage: Storage
  let importDir: string
  const openedStorages: Storage[] = []
  beforeAll(async () => {
    engineByKind[databaseKind] ??= engineFactoryByKind[databaseKind]()
    engine = await engineByKind[databaseKind]
    importDir = await mkdtemp(join(tmpdir(), 'varispeed-import-'))
  }, 60_000)
  afterAll(() => rm(importDir, { recursive: true, force: true }))
  const openFixture = async () => {
    const anotherStorage = await engine.open()
    openedStorages.push(anotherStorage)
    return anotherStorage
  }
  beforeEach(async () => {
    storage = await openFixture()
  })
  afterEach(async () => {
    for (const each of openedStorages.splice(0)) await each.close()
    await engine.clear()
  })
  const importText = async (importText: string | Uint8Array) => {
    const file = join(importDir, 'catalogue.json')
    await writeFile(file, importText)
    return storage.catalogue.importFile(file)
  }
  const reopen = async (changeWhileClosed?: () => Promise<void>) => {
    for (const each of openedStorages.splice(0)) await each.close()
    await changeWhileClosed?.()
    storage = await openFixture()
  }
  defineTests({
    kind: databaseKind,
    longOnPostgres: databaseKind === 'postgres' ? { tags: ['long'] } : {},
    get storage() {
      return storage
    },
    reopen: () => reopen(),
    reopenWithoutColumn: (column) => reopen(() => engine.changeCatalogue(`alter table songs drop column ${column}`)),
    reopenWithOldTexts: () => reopen(() => engine.changeCatalogue(OLD_TEXTS_SQL)),
    importText,
    importRows: (rows: Partial<Record<ImportFileKey, readonly unknown[]>>) => importText(JSON.stringify(rows)),
  })
}
