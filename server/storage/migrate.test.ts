import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { websiteMaxLengths } from '../../contract/website-rules.ts'
import { type DatabaseKind, sqlTypes } from './database.ts'
import { migrations } from './migrations.ts'
import { openStorage } from './open.ts'
import { SqliteFile } from './sqlite-driver.ts'

/**
 * The statements of the migrations that installations of the site have already applied. The statements for PostgreSQL's catalogue are left out,
 * because an outdated catalogue is rebuilt.
 */
const releasedMigrations: { name: string; sqlite: string[]; postgres: string[] }[] = JSON.parse(
  await readFile(new URL('./testing/released-migrations.json', import.meta.url), 'utf8'),
)

const joinLines = (statement: string) => statement.replace(/\s+/g, ' ')

function readStatements(migrationName: string, kind: DatabaseKind): string[] {
  const migration = migrations.find((each) => each.name === migrationName)
  return (migration?.statements(sqlTypes[kind]) ?? []).map(joinLines).filter((statement) => !/ catalogue\.\w/.test(statement))
}

describe('migrations', () => {
  it.each(releasedMigrations)('the migration $name has the same statements as when it was released', ({ name, sqlite, postgres }) => {
    expect(readStatements(name, 'sqlite')).toEqual(sqlite)
    expect(readStatements(name, 'postgres')).toEqual(postgres)
  })

  it('migrations are applied in the order of their release', () => {
    const released = releasedMigrations.map(({ name }) => name)
    expect(migrations.map(({ name }) => name).slice(0, released.length)).toEqual(released)
  })
})

describe('a database of the released migrations', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'varispeed-released-'))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  function readSchema(schemaDir: string): string[] {
    const databaseFile = new SqliteFile(join(schemaDir, 'varispeed.sqlite'), { readonly: true })
    try {
      const rows = databaseFile.prepare<[], { sql: string | null }>('select sql from sqlite_master order by type, name').all()
      return rows.flatMap(({ sql }) => (sql === null ? [] : [joinLines(sql)]))
    } finally {
      databaseFile.close()
    }
  }

  function createReleasedDatabase(): void {
    const databaseFile = new SqliteFile(join(dataDir, 'varispeed.sqlite'))
    databaseFile.exec('create table migrations (name text primary key, applied bigint not null)')
    for (const { name, sqlite } of releasedMigrations) {
      for (const statement of sqlite) databaseFile.exec(statement)
      databaseFile.prepare('insert into migrations (name, applied) values (?, 1)').run(name)
    }
    databaseFile.prepare("insert into settings (key, brand_id, value) values ('NAME', '', 'Kept')").run()
    databaseFile
      .prepare("insert into websites (uid, email, name, enabled, texts) values ('ann', '', ?, 1, '{}'), ('bob', '', 'Bob', 1, '{}')")
      .run('a'.repeat(63))
    databaseFile.close()
  }

  it('a migrated database keeps its rows, and gets the schema of a new database', async () => {
    createReleasedDatabase()
    const storage = await openStorage({ dataDir })
    expect(await storage.settings.readForBrand('any')).toEqual({ NAME: 'Kept' })
    await storage.close()
    const schemaAfter = readSchema(dataDir)

    await rm(dataDir, { recursive: true })
    await (await openStorage({ dataDir })).close()
    expect(schemaAfter).toEqual(readSchema(dataDir))
  })

  it('migrations cut the names of websites to the length that the form accepts', async () => {
    createReleasedDatabase()
    await (await openStorage({ dataDir })).close()
    const databaseFile = new SqliteFile(join(dataDir, 'varispeed.sqlite'), { readonly: true })
    try {
      expect(databaseFile.prepare('select name from websites order by uid').pluck().all()).toEqual([
        'a'.repeat(websiteMaxLengths.name),
        'Bob',
      ])
    } finally {
      databaseFile.close()
    }
  })
})
