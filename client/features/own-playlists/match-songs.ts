import {
  cleanPlaylistTitle,
  ENTRIES_PER_PLAYLIST_MAX,
  MATCH_SONG_NAMES_MAX,
  MATCH_VIDEO_IDS_MAX,
} from '../../../contract/own-playlist-rules.ts'
import type { Song } from '../../../contract/song.ts'
import { readFileText, readSongFile } from '../../data/song-files/read-song-file.ts'
import type { FilePlaylist, FileSong, SongFile } from '../../data/song-files/song-file.ts'
import type { Services } from '../../hooks/services.tsx'

/**
 * A playlist of a file, with the songs that the catalogue has, in the order of the file, and the names of the songs that the catalogue
 * lacks.
 */
export interface MatchedPlaylist {
  title: string
  description: string
  songs: readonly Song[]
  missingSongs: readonly FileSong[]
  /** The number of songs that are left out, because a playlist can have no more. */
  excessCount: number
}

/** Returns the songs that fit into a playlist, and the number of the others. */
const limitSongs = (songs: readonly Song[]) => ({
  songs: songs.slice(0, ENTRIES_PER_PLAYLIST_MAX),
  excessCount: Math.max(0, songs.length - ENTRIES_PER_PLAYLIST_MAX),
})

/** Reads the playlists of a file. Resolves with `undefined` if the file cannot be read or has no song. */
export async function readPlaylistFile(file: File): Promise<SongFile | 'too-large' | undefined> {
  const content = await readFileText(file)
  return content === 'too-large' ? content : content && readSongFile(content.text, file.name)
}

/**
 * Finds the songs of playlists in the catalogue: by id, or by title and artist. Rejects with an `ApiCallError` if the server does not
 * answer.
 */
export async function matchPlaylists(
  api: Services['api'],
  playlists: readonly FilePlaylist[],
  onProgress: (share: number) => void,
): Promise<MatchedPlaylist[]> {
  const songs = playlists.flatMap((playlist) => playlist.songs)
  const ids = [...new Set(songs.flatMap(({ songId }) => songId ?? []))]
  const nameOfSongId = new Map(songs.flatMap((song) => (song.songId === undefined ? [[nameKey(song), toName(song)] as const] : [])))
  const found = new Map<string, Song>()
  const idsOfNames = new Map<string, string>()
  const callCount = Math.ceil(ids.length / MATCH_VIDEO_IDS_MAX) + Math.ceil(nameOfSongId.size / MATCH_SONG_NAMES_MAX)
  let doneCount = 0
  for (const batch of batchesOf(ids, MATCH_VIDEO_IDS_MAX)) {
    for (const song of (await api.call('POST /list/match', { ids: batch })).songs) found.set(song.youtube_id, song)
    onProgress(++doneCount / callCount)
  }
  for (const batch of batchesOf([...nameOfSongId], MATCH_SONG_NAMES_MAX)) {
    const answer = await api.call('POST /list/match', { names: batch.map(([, name]) => name) })
    for (const song of answer.songs) found.set(song.youtube_id, song)
    for (const [index, [key]] of batch.entries()) idsOfNames.set(key, answer.found[index] ?? '')
    onProgress(++doneCount / callCount)
  }
  const songOf = (song: FileSong) => found.get(song.songId ?? idsOfNames.get(nameKey(song)) ?? '')
  return playlists.map(({ title, description, songs: listedSongs }) => ({
    title: cleanPlaylistTitle(title),
    description,
    ...limitSongs(listedSongs.flatMap((song) => songOf(song) ?? [])),
    missingSongs: listedSongs.filter((song) => songOf(song) === undefined),
  }))
}

/** The maximum lengths that `/list/match` accepts. */
const NAME_MAX_LENGTH = 300

const nameKey = ({ title, artist }: FileSong): string => `${artist}\n${title}`
const toName = ({ title, artist }: FileSong) => ({
  title: title.slice(0, NAME_MAX_LENGTH),
  ...(artist !== '' && { artist: artist.slice(0, NAME_MAX_LENGTH) }),
})

function* batchesOf<T>(rows: readonly T[], size: number) {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

/** Reads a public playlist of YouTube through the server. Rejects with an `ApiCallError` whose message can be shown to the person. */
export async function readYoutubePlaylist(api: Services['accountApi'], url: string): Promise<MatchedPlaylist> {
  const songs: Song[] = []
  const missingSongs: FileSong[] = []
  let title = ''
  for (let page: string | undefined, position = 0; ; ) {
    const answer = await api.call('POST /list/import-youtube', { url, ...(page !== undefined && { page }) })
    title = answer.title
    const found = new Map(answer.songs.map((song) => [song.youtube_id, song]))
    for (const item of answer.items) {
      position += 1
      const song = found.get(item.s)
      if (song) songs.push(song)
      else missingSongs.push({ position, songId: item.s, title: item.title, artist: item.author })
    }
    page = answer.next
    if (page === undefined || songs.length >= ENTRIES_PER_PLAYLIST_MAX) break
  }
  return { title: cleanPlaylistTitle(title), description: '', ...limitSongs(songs), missingSongs }
}
