import { randomInt } from 'node:crypto'
import type { RandomSong } from '../../contract/song.ts'
import { watchUrl } from '../../contract/youtube.ts'
import type { Contexts } from './contexts.ts'
import type { Queries } from './database.ts'
import { prepared } from './prepared.ts'
import type { SongStore } from './storage.ts'

/** Draws that may hit a song that is left out before those are counted exactly. */
const DRAWS = 16

interface Drawn {
  youtube_id: string
  title: string
  category_id: string
  unplayable: string | null
}

/**
 * A context's places are numbered 1..n without gaps, so a random number is a random song, each as likely as any other. One that
 * hits a song to be left out is drawn again, which keeps the others equally likely.
 */
export function createRandomSongs(queries: Queries, contexts: Contexts): SongStore['random'] {
  const inContext = prepared<{ no: number; position: number }, Drawn>(queries, ['no', 'position'], ({ no, position }) =>
    queries
      .selectFrom('catalogue.context_songs as cs')
      .innerJoin('catalogue.songs as s', 's.rank', 'cs.song_rank')
      .leftJoin('unplayable_songs as u', 'u.song_id', 's.youtube_id')
      .select(['s.youtube_id', 's.title', 's.category_id', 'u.song_id as unplayable'])
      .where('cs.context_no', '=', no)
      .where('cs.position', '=', position),
  )
  const inAll = prepared<{ rank: number }, Drawn>(queries, ['rank'], ({ rank }) =>
    queries
      .selectFrom('catalogue.songs as s')
      .leftJoin('unplayable_songs as u', 'u.song_id', 's.youtube_id')
      .select(['s.youtube_id', 's.title', 's.category_id', 'u.song_id as unplayable'])
      .where('s.rank', '=', rank),
  )
  const totals = prepared<Record<never, never>, { songs: number }>(queries, [], () =>
    queries.selectFrom('catalogue.totals').select('songs'),
  )

  /** The places, in order, of the songs that are left out. */
  async function leftOut(no: number | undefined, notSongId: string | undefined): Promise<number[]> {
    const marked = queries.selectFrom('unplayable_songs').select('song_id')
    const rows =
      no === undefined
        ? await queries
            .selectFrom('catalogue.songs as s')
            .select('s.rank as place')
            .where((eb) => eb.or([eb('s.youtube_id', 'in', marked), eb('s.youtube_id', '=', notSongId ?? '')]))
            .orderBy('s.rank')
            .execute()
        : await queries
            .selectFrom('catalogue.songs as s')
            .innerJoin('catalogue.context_songs as cs', 'cs.song_rank', 's.rank')
            .select('cs.position as place')
            .where('cs.context_no', '=', no)
            .where((eb) => eb.or([eb('s.youtube_id', 'in', marked), eb('s.youtube_id', '=', notSongId ?? '')]))
            .orderBy('cs.position')
            .execute()
    return rows.map((row) => row.place)
  }

  return async (contextId, notSongId) => {
    const context = contextId === undefined ? undefined : await contexts.find(contextId)
    if (contextId !== undefined && context === undefined) return undefined
    const count = context?.song_count ?? (await totals({}))[0]?.songs ?? 0
    const at = (place: number) => (context === undefined ? inAll({ rank: place }) : inContext({ no: context.no, position: place }))
    const found = (row: Drawn): RandomSong => ({
      youtube_id: row.youtube_id,
      youtube_url: watchUrl(row.youtube_id),
      title: row.title,
      category_id: row.category_id,
    })
    for (let draw = 0; draw < Math.min(DRAWS, count); draw++) {
      const [row] = await at(randomInt(1, count + 1))
      if (row !== undefined && row.unplayable === null && row.youtube_id !== notSongId) return found(row)
    }
    // Most songs are left out: number the ones that are not, and draw among those.
    const gaps = await leftOut(context?.no, notSongId)
    if (gaps.length >= count) return undefined
    let place = randomInt(1, count - gaps.length + 1)
    for (const gap of gaps) {
      if (gap > place) break
      place++
    }
    const [row] = await at(place)
    return row && found(row)
  }
}
