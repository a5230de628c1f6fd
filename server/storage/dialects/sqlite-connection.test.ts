import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openConnection } from './sqlite-connection.ts'

it('SQLite: rows have the columns that another connection adds to their table', async () => {
  const databaseDir = await mkdtemp(join(tmpdir(), 'varispeed-sqlite-'))
  const openConnections = [
    openConnection(join(databaseDir, 'file.sqlite'), 0),
    openConnection(join(databaseDir, 'file.sqlite'), 0),
  ] as const
  try {
    const [{ queries }, { handle }] = openConnections
    const readSongs = async () => (await sql`select * from songs order by title`.execute(queries)).rows
    handle.exec('create table songs (title text, duration integer)')
    expect(await readSongs()).toEqual([])
    handle.exec("insert into songs values ('First', 100), ('Second', null)")
    expect(await readSongs()).toEqual([
      { title: 'First', duration: 100 },
      { title: 'Second', duration: null },
    ])
    handle.exec("alter table songs add column artist text default 'Nobody'")
    expect(await readSongs()).toEqual([
      { title: 'First', duration: 100, artist: 'Nobody' },
      { title: 'Second', duration: null, artist: 'Nobody' },
    ])
  } finally {
    for (const connection of openConnections) connection.close()
    await rm(databaseDir, { recursive: true, force: true })
  }
})
