import { MATCH_SONG_NAMES_MAX } from '../../../contract/own-playlist-rules.ts'
import type { Song } from '../../../contract/song.ts'
import type { Api } from '../../platform/api.ts'
import type { FileSong } from './song-file.ts'

/** The maximum length of a title and of an artist's name that `/list/match` accepts. */
const NAME_MAX_LENGTH = 300

const createNameKey = ({ title, artist }: FileSong): string => `${artist}\n${title}`
const toMatchRequestName = ({ title, artist }: FileSong) => ({
  title: title.slice(0, NAME_MAX_LENGTH),
  ...(artist !== '' && { artist: artist.slice(0, NAME_MAX_LENGTH) }),
})

export function* splitIntoBatches<T>(rows: readonly T[], size: number) {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

/** Prepares the search for the songs of a file that are identified by title and artist. The other songs of `fileSongs` are ignored. */
export function createNameSearch(api: Api, fileSongs: readonly FileSong[]) {
  const songNameByKey = new Map(fileSongs.flatMap((song) => (song.songId === undefined ? [[createNameKey(song), song] as const] : [])))
  const songById = new Map<string, Song>()
  const songIdByKey = new Map<string, string>()
  return {
    /** The number of requests that `searchSongs` makes. */
    callCount: Math.ceil(songNameByKey.size / MATCH_SONG_NAMES_MAX),
    /** Searches for the songs in the catalogue. Rejects with an `ApiCallError` at the first request that fails. */
    async searchSongs(onCallEnd: () => void): Promise<void> {
      for (const batch of splitIntoBatches([...songNameByKey], MATCH_SONG_NAMES_MAX)) {
        const matchResponse = await api.call('POST /list/match', { names: batch.map(([, song]) => toMatchRequestName(song)) })
        for (const song of matchResponse.songs) songById.set(song.youtube_id, song)
        for (const [index, [key]] of batch.entries()) songIdByKey.set(key, matchResponse.found[index] ?? '')
        onCallEnd()
      }
    },
    /** Returns the song of an entry; `null` if the catalogue has none, `undefined` if no request for it has succeeded. */
    getSong(fileSong: FileSong): Song | null | undefined {
      const songId = songIdByKey.get(createNameKey(fileSong))
      return songId === undefined ? undefined : (songById.get(songId) ?? null)
    },
  }
}
