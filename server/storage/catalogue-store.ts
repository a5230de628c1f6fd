import { sql } from 'kysely'
import type { ImportKey } from '../../contract/import.ts'
import type { Database, Queries, StagedTable, Staging } from './database.ts'
import { buildCatalogue } from './import/build-catalogue.ts'
import { type RawRow, readRows } from './import/read-rows.ts'
import { stagedFeedItem, stagedMember, stagedPlaylist, stagedPlaylistSongs, stagedSong, stagedSupporter } from './import/staged-rows.ts'
import { rowName, validated } from './import/validate.ts'
import type { Tables } from './schema.ts'
import { type CatalogueStore, ImportError, type ImportSummary } from './storage.ts'

type StagedRows = { [T in StagedTable]: Tables[T][] }

const noRows = (): StagedRows => ({
  staged_songs: [],
  staged_playlists: [],
  staged_playlist_songs: [],
  staged_members: [],
  staged_supporters: [],
  staged_feed: [],
})

/** Validates `row` and puts what is stored of it into `rows`. */
function prepareRow(rows: StagedRows, row: RawRow, seq: number): void {
  const named: RawRow = { ...row, index: seq }
  const name = rowName(row.key, seq)
  switch (row.key) {
    case 'songs':
      rows.staged_songs.push(stagedSong(validated('songs', named), seq, name))
      break
    case 'playlists': {
      const playlist = validated('playlists', named)
      rows.staged_playlists.push(stagedPlaylist(playlist, seq, name))
      for (const song of stagedPlaylistSongs(playlist, seq)) rows.staged_playlist_songs.push(song)
      break
    }
    case 'members':
      rows.staged_members.push(stagedMember(validated('members', named), seq))
      break
    case 'supporters':
      rows.staged_supporters.push(stagedSupporter(validated('supporters', named), seq))
      break
    case 'feed':
      rows.staged_feed.push(stagedFeedItem(validated('feed', named), seq, name))
      break
  }
}

async function stageFile(staging: Staging, path: string): Promise<ImportSummary> {
  const counts: Record<ImportKey, number> = { playlists: 0, songs: 0, members: 0, supporters: 0, feed: 0 }
  for await (const batch of readRows(path)) {
    const rows = noRows()
    for (const row of batch) prepareRow(rows, row, counts[row.key]++)
    await staging.append('staged_songs', rows.staged_songs)
    await staging.append('staged_playlists', rows.staged_playlists)
    await staging.append('staged_playlist_songs', rows.staged_playlist_songs)
    await staging.append('staged_members', rows.staged_members)
    await staging.append('staged_supporters', rows.staged_supporters)
    await staging.append('staged_feed', rows.staged_feed)
  }
  return counts
}

/** Of rows with the same id the last one of the file counts. */
async function upsertStaged(
  queries: Queries,
  table: 'members' | 'supporters' | 'feed',
  id: string,
  columns: readonly string[],
): Promise<void> {
  const all = sql.raw([id, ...columns].join(', '))
  const staged = sql.raw(`staged_${table}`)
  await sql`insert into ${sql.raw(table)} (${all}) select ${all} from ${staged} s
    where not exists (select 1 from ${staged} later where later.${sql.raw(id)} = s.${sql.raw(id)} and later.seq > s.seq)
    on conflict (${sql.raw(id)}) do update set ${sql.raw(columns.map((column) => `${column} = excluded.${column}`).join(', '))}`.execute(
    queries,
  )
}

const upserts = [
  ['members', 'channel_id', ['channel_name', 'channel_pic', 'sub_tag', 'testimonial', 'subs', 'views', 'academy']],
  ['supporters', 'domain_name', ['name', 'profile_pic']],
  ['feed', 'id', ['title', 'content', 'image', 'url', 'date']],
] as const

/** Builds the catalogue anew from itself. Where an import is under way, that one does it. */
export async function rebuildCatalogue(database: Database): Promise<void> {
  try {
    const staging = await database.openStaging()
    try {
      await buildCatalogue(staging)
      await staging.publish(async () => {})
    } finally {
      await staging.close()
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
  }
}

export function createCatalogueStore(database: Database): CatalogueStore {
  return {
    isEmpty: async () => {
      const totals = await database.queries.selectFrom('catalogue.totals').select('songs').executeTakeFirst()
      return (totals?.songs ?? 0) === 0
    },
    importFile: async (path) => {
      const staging = await database.openStaging()
      try {
        const summary = await stageFile(staging, path)
        await buildCatalogue(staging)
        for (const [table, id] of upserts) {
          await sql.raw(`create index staged_${table}_by_id on staged_${table} (${id}, seq)`).execute(staging.queries)
        }
        await staging.publish(async (queries) => {
          for (const [table, id, columns] of upserts) await upsertStaged(queries, table, id, columns)
        })
        return summary
      } finally {
        await staging.close()
      }
    },
  }
}
