import { sql } from 'kysely'
import type { Database } from '../storage/database.ts'
import type { RadioStore } from '../storage/interfaces/radio.ts'
import { contextKinds } from '../storage/schema.ts'
import { knownDuration, songColumns, songOf } from '../catalogue/store-song-rows.ts'

export function createRadioStore(database: Database): RadioStore {
  const { queries, dialect } = database
  const songsOfKnownLength = queries
    .selectFrom('catalogue.songs as s')
    .select(['s.youtube_id as id', knownDuration.as('durationS')])
    .where(knownDuration, '>', 0)
    .$narrowType<{ durationS: number }>()

  return {
    listSongs(source) {
      if (source.kind === 'all') return songsOfKnownLength.execute()
      if (source.kind === 'academy')
        return songsOfKnownLength
          .where('s.author_channel_id', 'in', (eb) => eb.selectFrom('members').select('channel_id').where('academy', '=', 1))
          .execute()
      const kinds = source.kind === 'category' ? [contextKinds.category] : [contextKinds.playlist, contextKinds.computed]
      return songsOfKnownLength
        .innerJoin('catalogue.context_songs as cs', 'cs.song_rank', 's.rank')
        .innerJoin('catalogue.contexts as c', 'c.no', 'cs.context_no')
        .where('c.id', '=', source.id)
        .where('c.kind', 'in', kinds)
        .execute()
    },
    listExcluded: async () => (await queries.selectFrom('unplayable_songs').select('song_id').execute()).map(({ song_id }) => song_id),
    readSongs: async (songIds, view) => {
      const rows = await queries
        .selectFrom('catalogue.songs as s')
        .select(songColumns)
        .where(sql<boolean>`s.youtube_id in ${dialect.listOfTexts(songIds)}`)
        .execute()
      return rows.map((row) => songOf(row, view))
    },
    read: async (brandId, station) => {
      const row = await queries
        .selectFrom('radio_stations')
        .select('state')
        .where('brand_id', '=', brandId)
        .where('station', '=', station)
        .executeTakeFirst()
      // The cast is safe, because only `advance` writes the column.
      return row && JSON.parse(row.state)
    },
    exchangeListeners: ({ processId, brandId, station, ids }, { atMs, sinceMs }) =>
      database.write(async (write) => {
        const columns = { ids: JSON.stringify(ids), counted_at: atMs }
        // A process whose clock was wrong may have counted later than now, and ended.
        await write
          .deleteFrom('radio_listeners')
          .where((eb) => eb.or([eb('counted_at', '<', sinceMs), eb('counted_at', '>', 2 * atMs - sinceMs)]))
          .execute()
        await write
          .insertInto('radio_listeners')
          .values({ process_id: processId, brand_id: brandId, station, ...columns })
          .onConflict((conflict) => conflict.columns(['process_id', 'brand_id', 'station']).doUpdateSet(columns))
          .execute()
        const others = await write
          .selectFrom('radio_listeners')
          .select('ids')
          .where('brand_id', '=', brandId)
          .where('station', '=', station)
          .where('process_id', '<>', processId)
          .execute()
        // The casts are safe, because only this function writes the column.
        return others.map((row): readonly number[] => JSON.parse(row.ids))
      }),
    advance: (brandId, station, from, to) =>
      database.write(async (write) => {
        const columns = { song_id: to.airing.songId, start: to.airing.startMs, state: JSON.stringify(to) }
        if (from === undefined) {
          const { numInsertedOrUpdatedRows } = await write
            .insertInto('radio_stations')
            .values({ brand_id: brandId, station, ...columns })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
          return numInsertedOrUpdatedRows === 1n
        }
        const { numUpdatedRows } = await write
          .updateTable('radio_stations')
          .set(columns)
          .where('brand_id', '=', brandId)
          .where('station', '=', station)
          .where('song_id', '=', from.songId)
          .where('start', '=', from.startMs)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),
  }
}
