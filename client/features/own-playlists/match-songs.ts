import { foldText } from '../../../contract/fold-text.ts'
import {
  cleanPlaylistTitle,
  ENTRIES_PER_PLAYLIST_MAX,
  FIND_VIDEO_IDS_MAX,
  MATCH_VIDEO_IDS_MAX,
} from '../../../contract/own-playlist-rules.ts'
import type { Song } from '../../../contract/song.ts'
import { createNameSearch, splitIntoBatches } from '../../data/song-files/find-songs-by-name.ts'
import { readFileText, readSongFile } from '../../data/song-files/read-song-file.ts'
import type { FilePlaylist, FileSong, SongFile } from '../../data/song-files/song-file.ts'
import type { Services } from '../../hooks/services.tsx'

/** A song of a file, and the song that was found by its name and has another title. */
export interface RenamedSong {
  fileSong: FileSong
  song: Song
}

/** A playlist of a file, with the songs that were found, in the order of the file, and those that were not. */
export interface MatchedPlaylist {
  title: string
  description: string
  songs: readonly Song[]
  missingSongs: readonly FileSong[]
  renamedSongs: readonly RenamedSong[]
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
 * Finds the songs of playlists in the catalogue: by id, or by title and artist. Where the site allows it, videos that the catalogue lacks are looked up
 * by id, if `accountApi` is given. Rejects with an `ApiCallError` if the server does not answer.
 */
export async function matchPlaylists(
  { api, accountApi }: Pick<Services, 'api'> & { accountApi: Services['accountApi'] | undefined },
  playlists: readonly FilePlaylist[],
  onProgress: (share: number) => void,
): Promise<MatchedPlaylist[]> {
  const fileSongs = playlists.flatMap((playlist) => playlist.songs)
  const songIds = [...new Set(fileSongs.flatMap(({ songId }) => songId ?? []))]
  const nameSearch = createNameSearch(api, fileSongs)
  const songById = new Map<string, Song>()
  let callCount = Math.ceil(songIds.length / MATCH_VIDEO_IDS_MAX) + nameSearch.callCount
  let doneCallCount = 0
  let videoApi: Services['accountApi'] | undefined
  for (const batch of splitIntoBatches(songIds, MATCH_VIDEO_IDS_MAX)) {
    const matchResponse = await api.call('POST /list/match', { ids: batch })
    for (const song of matchResponse.songs) songById.set(song.youtube_id, song)
    if (matchResponse.takes_videos) videoApi = accountApi
    onProgress(++doneCallCount / callCount)
  }
  const videoIds = videoApi === undefined ? [] : songIds.filter((id) => !songById.has(id))
  callCount += Math.ceil(videoIds.length / FIND_VIDEO_IDS_MAX)
  for (const batch of splitIntoBatches(videoIds, FIND_VIDEO_IDS_MAX)) {
    for (const song of (await videoApi?.call('POST /list/find-videos', { ids: batch }))?.songs ?? []) songById.set(song.youtube_id, song)
    onProgress(++doneCallCount / callCount)
  }
  await nameSearch.searchSongs(() => onProgress(++doneCallCount / callCount))
  const findMatchedSong = (song: FileSong) =>
    song.songId === undefined ? (nameSearch.getSong(song) ?? undefined) : songById.get(song.songId)
  return playlists.map(({ title, description, songs: listedSongs }) => ({
    title: cleanPlaylistTitle(title),
    description,
    ...limitSongs(listedSongs.flatMap((song) => findMatchedSong(song) ?? [])),
    missingSongs: listedSongs.filter((song) => findMatchedSong(song) === undefined),
    renamedSongs: listedSongs.flatMap((fileSong) => {
      const song = fileSong.songId === undefined ? findMatchedSong(fileSong) : undefined
      return song === undefined || foldText(song.title) === foldText(fileSong.title) ? [] : [{ fileSong, song }]
    }),
  }))
}

/** Reads a public playlist of YouTube through the server. Rejects with an `ApiCallError` whose message can be shown to the person. */
export async function readYoutubePlaylist(api: Services['accountApi'], url: string): Promise<MatchedPlaylist> {
  const songs: Song[] = []
  const missingSongs: FileSong[] = []
  let playlistTitle = ''
  for (let pageToken: string | undefined, itemPosition = 0; ; ) {
    const importResponse = await api.call('POST /list/import-youtube', { url, ...(pageToken !== undefined && { page: pageToken }) })
    playlistTitle = importResponse.title
    const songById = new Map(importResponse.songs.map((song) => [song.youtube_id, song]))
    for (const matchedItem of importResponse.items) {
      itemPosition += 1
      const song = songById.get(matchedItem.s)
      if (song) songs.push(song)
      else missingSongs.push({ position: itemPosition, songId: matchedItem.s, title: matchedItem.title, artist: matchedItem.author })
    }
    pageToken = importResponse.next
    if (pageToken === undefined || songs.length >= ENTRIES_PER_PLAYLIST_MAX) break
  }
  return { title: cleanPlaylistTitle(playlistTitle), description: '', ...limitSongs(songs), missingSongs, renamedSongs: [] }
}
