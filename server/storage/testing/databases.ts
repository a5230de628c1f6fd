import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import type { ImportKey } from '../../../contract/import.ts'
import { createPostgresDatabase } from '../dialects/postgres.ts'
import { valueTypes } from '../dialects/postgres-connection.ts'
import { createStorage, openStorage } from '../open.ts'
import type { Storage, StorageFixture } from './fixture.ts'

interface Engine {
  /** The same database each time, until `clear`. */
  open: () => Promise<Storage>
  clear: () => Promise<void>
  end: () => Promise<void>
}

async function sqliteEngine(): Promise<Engine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-storage-'))
  return {
    open: () => openStorage({ dataDir }),
    clear: () => rm(dataDir, { recursive: true, force: true }),
    end: () => rm(dataDir, { recursive: true, force: true }),
  }
}

async function postgresEngine(): Promise<Engine> {
  const pglite = await PGlite.create({ extensions: { pg_trgm } })
  return {
    open: async () => createStorage(await createPostgresDatabase(new pg.Pool({ ...createPgConfig(pglite), types: valueTypes, max: 1 }))),
    clear: async () => {
      await pglite.exec(
        'drop schema if exists catalogue cascade; drop schema if exists catalogue_next cascade; drop schema public cascade; create schema public',
      )
    },
    end: () => pglite.close(),
  }
}

const engines = { sqlite: sqliteEngine, postgres: postgresEngine }

/** Runs `tests` over an empty database of each kind. */
export function describeStores(name: string, tests: (fixture: StorageFixture) => void): void {
  describe.each(['sqlite', 'postgres'] as const)(`${name} on %s`, (kind) => {
    let engine: Engine
    let storage: Storage
    let files: string
    const opened: Storage[] = []
    beforeAll(async () => {
      engine = await engines[kind]()
      files = await mkdtemp(join(tmpdir(), 'varispeed-import-'))
    }, 60_000)
    afterAll(async () => {
      await engine.end()
      await rm(files, { recursive: true, force: true })
    })
    const open = async () => {
      const another = await engine.open()
      opened.push(another)
      return another
    }
    beforeEach(async () => {
      storage = await open()
    })
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.close()
      await engine.clear()
    })
    const importText = async (text: string | Uint8Array) => {
      const file = join(files, 'catalogue.json')
      await writeFile(file, text)
      return storage.catalogue.importFile(file)
    }
    tests({
      kind,
      get storage() {
        return storage
      },
      reopen: async () => {
        for (const each of opened.splice(0)) await each.close()
        storage = await open()
      },
      importText,
      importRows: (rows: Partial<Record<ImportKey, readonly unknown[]>>) => importText(JSON.stringify(rows)),
    })
  })
}
