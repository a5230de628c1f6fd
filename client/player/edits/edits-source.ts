import type { SongDetail } from '../../../contract/song.ts'
import { ApiCallError } from '../../platform/api.ts'
import type { PlayedSong } from '../queue.ts'
import type { SongSource } from '../song-source.ts'

/** The context id of the maker projects ('edits'), used where a song of the catalogue has the id of a playlist. */
export const EDITS_CONTEXT_ID = 'my-edits'
const EDITS_TITLE = 'My edits'

/** The data of an edit that the player needs. */
export interface PlayableEdit {
  readonly id: string
  readonly title: string
  readonly artist: string | undefined
  /** The length of the finished sound in seconds; `undefined` if unknown. */
  readonly lengthS: number | undefined
  readonly changedAtMs: number
  /** The URL of the cover picture, if the project has one. */
  readonly pictureUrl: string | undefined
}

/** Returns an edit in the shape of a catalogue song, but without an address on the video platform. */
export const toPlayedSong = ({ id, title, artist = '', lengthS, changedAtMs, pictureUrl }: PlayableEdit): PlayedSong => ({
  youtube_id: id,
  youtube_url: '',
  title,
  author_name: artist,
  category_id: EDITS_CONTEXT_ID,
  category_name: EDITS_TITLE,
  date_added: new Date(changedAtMs).toISOString(),
  ...(lengthS !== undefined && { duration: Math.round(lengthS) }),
  new: 'false',
  artwork: pictureUrl === undefined ? [] : [{ src: pictureUrl }],
})

/**
 * The song source for maker projects, used instead of the source for songs of the catalogue. Sends nothing to the server. @param getSongs returns the
 * edits in the order of playback
 */
export function createEditsSource(getSongs: () => readonly PlayedSong[]): SongSource {
  return {
    async song(songId): Promise<SongDetail> {
      const songs = getSongs()
      const index = songs.findIndex(({ youtube_id }) => youtube_id === songId)
      const song = songs[index]
      const nextSong = songs[(index + 1) % songs.length]
      if (song === undefined || nextSong === undefined) throw new ApiCallError('api', 404, 'This edit is no longer on this device.')
      const previousSong = songs[index - 1]
      return {
        ...song,
        description: '',
        context_id: EDITS_CONTEXT_ID,
        context_title: EDITS_TITLE,
        first_song: songs[0]?.youtube_id ?? '',
        next: nextSong.youtube_id,
        next_title: nextSong.title,
        ...(previousSong && { previous: previousSong.youtube_id }),
        favorite: false,
      }
    },
    context: async () => ({ songs: getSongs(), complete: true }),
    async randomSongId(_, excludedId) {
      const others = getSongs().filter(({ youtube_id }) => youtube_id !== excludedId)
      return others[Math.floor(Math.random() * others.length)]?.youtube_id ?? excludedId
    },
    countPlay() {},
    logPlay() {},
    reportUnplayable() {},
  }
}
