import { type RawBuilder, sql } from 'kysely'
import type { ImportFileKey } from '../../../contract/import.ts'
import type { Database, ImportStaging, Queries, StagedTable } from '../database.ts'
import { ImportError } from '../errors.ts'
import type { Tables } from '../schema.ts'
import { buildCatalogue } from './build-catalogue.ts'
import type { CatalogueEdit } from './catalogue-edits.ts'
import { type RawRow, readRows } from './read-rows.ts'
import { createCatalogueReads } from './reads.ts'
import {
  feedUpdatedSql,
  toStagedFeedItem,
  toStagedMember,
  toStagedPlaylist,
  toStagedPlaylistSongs,
  toStagedSong,
  toStagedSupporter,
} from './staged-rows.ts'
import { rowName, validateRow } from './validate.ts'

/** Number of rows imported, by key of the import file. */
export interface ImportSummary {
  playlists: number
  songs: number
  members: number
  supporters: number
  feed: number
}

type StagedRows = { [T in Exclude<StagedTable, 'staged_texts'>]: Tables[T][] }

const createStagedRows = (): StagedRows => ({
  staged_songs: [],
  staged_playlists: [],
  staged_playlist_songs: [],
  staged_members: [],
  staged_supporters: [],
  staged_feed: [],
})

/** Validates `row` and appends its staged row to `rows`; a playlist also appends one row per song. */
function addStagedRow(rows: StagedRows, row: RawRow, seq: number): void {
  const rowWithIndex: RawRow = { ...row, index: seq }
  const name = rowName(row.key, seq)
  switch (row.key) {
    case 'songs':
      rows.staged_songs.push(toStagedSong(validateRow('songs', rowWithIndex), seq, name))
      break
    case 'playlists': {
      const playlist = validateRow('playlists', rowWithIndex)
      rows.staged_playlists.push(toStagedPlaylist(playlist, seq, name))
      for (const song of toStagedPlaylistSongs(playlist, seq)) rows.staged_playlist_songs.push(song)
      break
    }
    case 'members':
      rows.staged_members.push(toStagedMember(validateRow('members', rowWithIndex), seq))
      break
    case 'supporters':
      rows.staged_supporters.push(toStagedSupporter(validateRow('supporters', rowWithIndex), seq))
      break
    case 'feed':
      rows.staged_feed.push(toStagedFeedItem(validateRow('feed', rowWithIndex), seq, name))
      break
  }
}

async function stageFile(staging: ImportStaging, filePath: string): Promise<ImportSummary> {
  const counts: Record<ImportFileKey, number> = { playlists: 0, songs: 0, members: 0, supporters: 0, feed: 0 }
  for await (const batch of readRows(filePath)) {
    const rows = createStagedRows()
    for (const row of batch) addStagedRow(rows, row, counts[row.key]++)
    await staging.append('staged_songs', rows.staged_songs)
    await staging.append('staged_playlists', rows.staged_playlists)
    await staging.append('staged_playlist_songs', rows.staged_playlist_songs)
    await staging.append('staged_members', rows.staged_members)
    await staging.append('staged_supporters', rows.staged_supporters)
    await staging.append('staged_feed', rows.staged_feed)
  }
  return counts
}

/**
 * Inserts the staged rows of a table, and updates existing rows with the same id. If several rows of the file have the same id, the last one is
 * used.
 */
async function upsertStaged(
  queries: Queries,
  table: 'members' | 'supporters' | 'feed',
  id: string,
  columns: readonly string[],
  computedColumns: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<void> {
  const allColumns = sql.raw([id, ...columns].join(', '))
  const stagedTable = sql.raw(`staged_${table}`)
  await sql`insert into ${sql.raw(table)} (${allColumns}) select ${allColumns} from ${stagedTable} s
    where not exists (select 1 from ${stagedTable} later where later.${sql.raw(id)} = s.${sql.raw(id)} and later.seq > s.seq)
    on conflict (${sql.raw(id)}) do update set ${sql.join([
      ...columns.map((column) => sql.raw(`${column} = excluded.${column}`)),
      ...Object.entries(computedColumns).map(([column, value]) => sql`${sql.raw(column)} = ${value}`),
    ])}`.execute(queries)
}

const upsertedTables = [
  ['members', 'channel_id', ['channel_name', 'channel_pic', 'sub_tag', 'testimonial', 'subs', 'views', 'academy']],
  ['supporters', 'domain_name', ['name', 'profile_pic', 'texts']],
  ['feed', 'id', ['title', 'content', 'content_tree', 'image', 'url', 'date']],
] as const

/** Rebuilds the catalogue from its own rows. Does nothing if an import is running, because that import rebuilds the catalogue. */
export async function rebuildCatalogue(database: Database): Promise<void> {
  try {
    const importStaging = await database.openStaging()
    try {
      await importStaging.publish(await buildCatalogue(importStaging))
    } finally {
      await importStaging.close()
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
  }
}

/**
 * Rebuilds the catalogue with a change of an admin. `prepare` reads the current catalogue and returns the change, together with what is written in
 * the transaction that publishes the catalogue. If it returns undefined, nothing changes.
 * @throws ImportError if an import is running
 */
export async function editCatalogue(
  database: Database,
  prepare: (queries: Queries) => Promise<{ edit: CatalogueEdit; write: (queries: Queries) => Promise<void> } | undefined>,
): Promise<void> {
  const importStaging = await database.openStaging()
  try {
    const preparedRows = await prepare(importStaging.queries)
    if (preparedRows === undefined) return
    const storeHidden = await buildCatalogue(importStaging, preparedRows.edit)
    await importStaging.publish(async (queries) => {
      await storeHidden(queries)
      await preparedRows.write(queries)
    })
  } finally {
    await importStaging.close()
  }
}

export function createCatalogueImporter(database: Database) {
  return {
    ...createCatalogueReads(database),
    isEmpty: async (): Promise<boolean> => {
      const totals = await database.queries.selectFrom('catalogue.totals').select('songs').executeTakeFirst()
      return (totals?.songs ?? 0) === 0
    },
    /**
     * Upserts all rows of a catalogue file by id (keys: `contract/import.ts`), all or none. Rows are written to staging tables while the site
     * keeps running, and published in one short transaction at the end. Memory use does not depend on the file's size.
     * @throws ImportError naming the first invalid row, for example `songs[17].date_added: …`
     */
    importFile: async (filePath: string): Promise<ImportSummary> => {
      const importStaging = await database.openStaging()
      try {
        const summary = await stageFile(importStaging, filePath)
        const storeHidden = await buildCatalogue(importStaging)
        for (const [table, id] of upsertedTables) {
          await sql.raw(`create index staged_${table}_by_id on staged_${table} (${id}, seq)`).execute(importStaging.queries)
        }
        await importStaging.publish(async (queries) => {
          await storeHidden(queries)
          const updated = feedUpdatedSql(Date.now())
          for (const [table, id, columns] of upsertedTables)
            await upsertStaged(queries, table, id, columns, table === 'feed' ? { updated } : {})
        })
        return summary
      } finally {
        await importStaging.close()
      }
    },
  }
}
