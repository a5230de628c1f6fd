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
  createFeedUpdatedSql,
  toStagedFeedItem,
  toStagedMember,
  toStagedPlaylist,
  toStagedPlaylistSongs,
  toStagedSong,
  toStagedSupporter,
} from './staged-rows.ts'
import { formatRowName, validateRow } from './validate.ts'

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

/** Validates `row` and appends its staged row to `stagedRows`; a playlist also appends one row per song. */
function addStagedRow(stagedRows: StagedRows, row: RawRow, rowSeq: number): void {
  const rowWithIndex: RawRow = { ...row, index: rowSeq }
  const rowLabel = formatRowName(row.key, rowSeq)
  switch (row.key) {
    case 'songs':
      stagedRows.staged_songs.push(toStagedSong(validateRow('songs', rowWithIndex), rowSeq, rowLabel))
      break
    case 'playlists': {
      const playlistRow = validateRow('playlists', rowWithIndex)
      stagedRows.staged_playlists.push(toStagedPlaylist(playlistRow, rowSeq, rowLabel))
      for (const song of toStagedPlaylistSongs(playlistRow, rowSeq)) stagedRows.staged_playlist_songs.push(song)
      break
    }
    case 'members':
      stagedRows.staged_members.push(toStagedMember(validateRow('members', rowWithIndex), rowSeq))
      break
    case 'supporters':
      stagedRows.staged_supporters.push(toStagedSupporter(validateRow('supporters', rowWithIndex), rowSeq))
      break
    case 'feed':
      stagedRows.staged_feed.push(toStagedFeedItem(validateRow('feed', rowWithIndex), rowSeq, rowLabel))
      break
  }
}

async function stageFile(staging: ImportStaging, filePath: string): Promise<ImportSummary> {
  const countByKey: Record<ImportFileKey, number> = { playlists: 0, songs: 0, members: 0, supporters: 0, feed: 0 }
  for await (const rowBatch of readRows(filePath)) {
    const rows = createStagedRows()
    for (const row of rowBatch) addStagedRow(rows, row, countByKey[row.key]++)
    await staging.append('staged_songs', rows.staged_songs)
    await staging.append('staged_playlists', rows.staged_playlists)
    await staging.append('staged_playlist_songs', rows.staged_playlist_songs)
    await staging.append('staged_members', rows.staged_members)
    await staging.append('staged_supporters', rows.staged_supporters)
    await staging.append('staged_feed', rows.staged_feed)
  }
  return countByKey
}

/**
 * Inserts the staged rows of a table, and updates existing rows with the same id. If several rows of the file have the same id, the last one is
 * used.
 */
async function upsertStagedRows(
  queries: Queries,
  tableName: 'members' | 'supporters' | 'feed',
  idColumn: string,
  comparedColumns: readonly string[],
  computedColumns: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<void> {
  const allColumns = sql.raw([idColumn, ...comparedColumns].join(', '))
  const stagedTable = sql.raw(`staged_${tableName}`)
  await sql`insert into ${sql.raw(tableName)} (${allColumns}) select ${allColumns} from ${stagedTable} s
    where not exists (select 1 from ${stagedTable} later where later.${sql.raw(idColumn)} = s.${sql.raw(idColumn)} and later.seq > s.seq)
    on conflict (${sql.raw(idColumn)}) do update set ${sql.join([
      ...comparedColumns.map((column) => sql.raw(`${column} = excluded.${column}`)),
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
 * Rebuilds the catalogue with a change of an admin. `prepareEdit` reads the current catalogue and returns the change, together with what is written in
 * the transaction that publishes the catalogue. If it returns undefined, nothing changes.
 * @throws ImportError if an import is running
 */
export async function editCatalogue(
  database: Database,
  prepareEdit: (queries: Queries) => Promise<{ edit: CatalogueEdit; write: (queries: Queries) => Promise<void> } | undefined>,
): Promise<void> {
  const importStaging = await database.openStaging()
  try {
    const preparedEdit = await prepareEdit(importStaging.queries)
    if (preparedEdit === undefined) return
    const storeHiddenRows = await buildCatalogue(importStaging, preparedEdit.edit)
    await importStaging.publish(async (queries) => {
      await storeHiddenRows(queries)
      await preparedEdit.write(queries)
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
        const importSummary = await stageFile(importStaging, filePath)
        const storeHiddenRows = await buildCatalogue(importStaging)
        for (const [table, id] of upsertedTables) {
          await sql.raw(`create index staged_${table}_by_id on staged_${table} (${id}, seq)`).execute(importStaging.queries)
        }
        await importStaging.publish(async (queries) => {
          await storeHiddenRows(queries)
          const updated = createFeedUpdatedSql(Date.now())
          for (const [table, id, columns] of upsertedTables)
            await upsertStagedRows(queries, table, id, columns, table === 'feed' ? { updated } : {})
        })
        return importSummary
      } finally {
        await importStaging.close()
      }
    },
  }
}
