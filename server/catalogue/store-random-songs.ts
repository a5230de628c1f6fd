import { randomInt } from 'node:crypto'
import type { RandomSong } from '../../contract/song.ts'
import { createWatchUrl } from '../../contract/youtube.ts'
import type { Queries } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import type { SongContextStore } from './store-contexts.ts'

/** Maximum number of random draws before excluded songs are located. A draw is rejected if its song is excluded. */
const RANDOM_DRAWS_MAX = 16

interface RandomSongRow {
  youtube_id: string
  title: string
  category_id: string
  unplayable: string | null
}

/**
 * Returns a function that picks a playable song of a context, or of the whole catalogue, with uniform probability; `undefined` if there is none.
 * Positions of a context are 1..n without gaps, so a random integer is a random song. Excluded songs are rejected and drawn again, so that the others
 * stay equally probable.
 */
export function createRandomSongPicker(queries: Queries, contexts: SongContextStore) {
  const findSongByPosition = prepareQuery<{ no: number; position: number }, RandomSongRow>(
    queries,
    ['no', 'position'],
    ({ no, position }) =>
      queries
        .selectFrom('catalogue.context_songs as cs')
        .innerJoin('catalogue.songs as s', 's.rank', 'cs.song_rank')
        .leftJoin('unplayable_songs as u', 'u.song_id', 's.youtube_id')
        .select(['s.youtube_id', 's.title', 's.category_id', 'u.song_id as unplayable'])
        .where('cs.context_no', '=', no)
        .where('cs.position', '=', position),
  )
  const findSongByRank = prepareQuery<{ rank: number }, RandomSongRow>(queries, ['rank'], ({ rank }) =>
    queries
      .selectFrom('catalogue.songs as s')
      .leftJoin('unplayable_songs as u', 'u.song_id', 's.youtube_id')
      .select(['s.youtube_id', 's.title', 's.category_id', 'u.song_id as unplayable'])
      .where('s.rank', '=', rank),
  )
  const readCatalogueTotals = prepareQuery<Record<never, never>, { songs: number }>(queries, [], () =>
    queries.selectFrom('catalogue.totals').select('songs'),
  )

  /** Lists the positions of the excluded songs in ascending order. */
  async function listExcludedPositions(playlistNo: number | undefined, excludedSongId: string | undefined): Promise<number[]> {
    const unplayableIds = queries.selectFrom('unplayable_songs').select('song_id')
    const songRows =
      playlistNo === undefined
        ? await queries
            .selectFrom('catalogue.songs as s')
            .select('s.rank as place')
            .where((eb) => eb.or([eb('s.youtube_id', 'in', unplayableIds), eb('s.youtube_id', '=', excludedSongId ?? '')]))
            .orderBy('s.rank')
            .execute()
        : await queries
            .selectFrom('catalogue.songs as s')
            .innerJoin('catalogue.context_songs as cs', 'cs.song_rank', 's.rank')
            .select('cs.position as place')
            .where('cs.context_no', '=', playlistNo)
            .where((eb) => eb.or([eb('s.youtube_id', 'in', unplayableIds), eb('s.youtube_id', '=', excludedSongId ?? '')]))
            .orderBy('cs.position')
            .execute()
    return songRows.map((row) => row.place)
  }

  return async (songContextId: string | undefined, excludedSongId: string | undefined): Promise<RandomSong | undefined> => {
    const context = songContextId === undefined ? undefined : await contexts.find(songContextId)
    if (songContextId !== undefined && context === undefined) return undefined
    const songCount = context?.song_count ?? (await readCatalogueTotals({}))[0]?.songs ?? 0
    const readSong = (position: number) =>
      context === undefined ? findSongByRank({ rank: position }) : findSongByPosition({ no: context.no, position })
    const toRandomSong = (row: RandomSongRow): RandomSong => ({
      youtube_id: row.youtube_id,
      youtube_url: createWatchUrl(row.youtube_id),
      title: row.title,
      category_id: row.category_id,
    })
    for (let draw = 0; draw < Math.min(RANDOM_DRAWS_MAX, songCount); draw++) {
      const [row] = await readSong(randomInt(1, songCount + 1))
      if (row !== undefined && row.unplayable === null && row.youtube_id !== excludedSongId) return toRandomSong(row)
    }
    // All drawn songs were excluded or `excludedSongId`, so probably most songs are excluded. Draws an index among the remaining songs, and
    // converts it to a position by skipping the excluded ones.
    const excludedPositions = await listExcludedPositions(context?.no, excludedSongId)
    if (excludedPositions.length >= songCount) return undefined
    let songPosition = randomInt(1, songCount - excludedPositions.length + 1)
    for (const excludedPosition of excludedPositions) {
      if (excludedPosition > songPosition) break
      songPosition++
    }
    const [row] = await readSong(songPosition)
    return row && toRandomSong(row)
  }
}
