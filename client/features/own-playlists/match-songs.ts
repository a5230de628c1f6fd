import { foldText } from '../../../contract/fold-text.ts'
import {
  cleanPlaylistTitle,
  ENTRIES_PER_PLAYLIST_MAX,
  FIND_VIDEO_IDS_MAX,
  MATCH_VIDEO_IDS_MAX,
} from '../../../contract/own-playlist-rules.ts'
import type { Song } from '../../../contract/song.ts'
import { describeImportFailure } from '../../data/song-files/describe-import-failure.ts'
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
  /** The videos that the catalogue lacks and that were not looked up, although the site allows it. They are not among `missingSongs`. */
  unsearchedSongs: readonly FileSong[]
  renamedSongs: readonly RenamedSong[]
  /** The number of songs that are left out, because a playlist can have no more. */
  excessCount: number
}

/** Why videos were not looked up: nobody is signed in, or a request failed, whose reason can be shown to the person. */
export type LookUpGap = { kind: 'signed-out' } | { kind: 'failed'; reason: string }

/** Playlists with the songs that were found. `lookUpGap` is why some have `unsearchedSongs`; undefined if none has. */
export interface MatchedPlaylists {
  playlists: readonly MatchedPlaylist[]
  lookUpGap: LookUpGap | undefined
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
 * by id, if `accountApi` is given. If the server answers that it did not look up new videos, the later requests still find those that it has; after a
 * request for videos that failed, the others are not looked up. Rejects with an `ApiCallError` if another request fails.
 */
export async function matchPlaylists(
  { api, accountApi }: Pick<Services, 'api'> & { accountApi: Services['accountApi'] | undefined },
  playlists: readonly FilePlaylist[],
  onProgress: (share: number) => void,
): Promise<MatchedPlaylists> {
  const fileSongs = playlists.flatMap((playlist) => playlist.songs)
  const songIds = [...new Set(fileSongs.flatMap(({ songId }) => songId ?? []))]
  const nameSearch = createNameSearch(api, fileSongs)
  const songById = new Map<string, Song>()
  let callCount = Math.ceil(songIds.length / MATCH_VIDEO_IDS_MAX) + nameSearch.callCount
  let doneCallCount = 0
  let takesVideos = false
  for (const batch of splitIntoBatches(songIds, MATCH_VIDEO_IDS_MAX)) {
    const matchResponse = await api.call('POST /list/match', { ids: batch })
    for (const song of matchResponse.songs) songById.set(song.youtube_id, song)
    takesVideos = matchResponse.takes_videos
    onProgress(++doneCallCount / callCount)
  }
  const unsearchedIds = new Set(takesVideos ? songIds.filter((id) => !songById.has(id)) : [])
  let lookUpGap: LookUpGap | undefined
  if (accountApi === undefined) {
    if (unsearchedIds.size > 0) lookUpGap = { kind: 'signed-out' }
  } else {
    callCount += Math.ceil(unsearchedIds.size / FIND_VIDEO_IDS_MAX)
    try {
      for (const batch of splitIntoBatches([...unsearchedIds], FIND_VIDEO_IDS_MAX)) {
        const { songs, unsearched } = await accountApi.call('POST /list/find-videos', { ids: batch })
        for (const song of songs) songById.set(song.youtube_id, song)
        for (const id of batch) unsearchedIds.delete(id)
        for (const id of unsearched?.ids ?? []) unsearchedIds.add(id)
        if (unsearched !== undefined) lookUpGap = { kind: 'failed', reason: unsearched.reason }
        onProgress(++doneCallCount / callCount)
      }
    } catch (error) {
      lookUpGap = { kind: 'failed', reason: describeImportFailure(error) }
      callCount = doneCallCount + nameSearch.callCount
    }
  }
  await nameSearch.searchSongs(() => onProgress(++doneCallCount / callCount))
  const findMatchedSong = (song: FileSong) =>
    song.songId === undefined ? (nameSearch.getSong(song) ?? undefined) : songById.get(song.songId)
  const matchedPlaylists = playlists.map(({ title, description, songs: listedSongs }) => ({
    title: cleanPlaylistTitle(title),
    description,
    ...limitSongs(listedSongs.flatMap((song) => findMatchedSong(song) ?? [])),
    ...splitUnsearched(
      listedSongs.filter((song) => findMatchedSong(song) === undefined),
      unsearchedIds,
    ),
    renamedSongs: listedSongs.flatMap((fileSong) => {
      const song = fileSong.songId === undefined ? findMatchedSong(fileSong) : undefined
      return song === undefined || foldText(song.title) === foldText(fileSong.title) ? [] : [{ fileSong, song }]
    }),
  }))
  return { playlists: matchedPlaylists, lookUpGap }
}

/** Splits the songs that have no match into those that are missing and those whose ids were not looked up. */
function splitUnsearched(songs: readonly FileSong[], unsearchedIds: ReadonlySet<string>) {
  const isUnsearched = ({ songId }: FileSong) => songId !== undefined && unsearchedIds.has(songId)
  return { missingSongs: songs.filter((song) => !isUnsearched(song)), unsearchedSongs: songs.filter(isUnsearched) }
}

/** Reads a public playlist of YouTube through the server. Rejects with an `ApiCallError` whose message can be shown to the person. */
export async function readYoutubePlaylist(api: Services['accountApi'], url: string): Promise<MatchedPlaylists> {
  const songs: Song[] = []
  const unmatchedSongs: FileSong[] = []
  const unsearchedIds = new Set<string>()
  let lookUpGap: LookUpGap | undefined
  let playlistTitle = ''
  for (let pageToken: string | undefined, itemPosition = 0; ; ) {
    const importResponse = await api.call('POST /list/import-youtube', { url, ...(pageToken !== undefined && { page: pageToken }) })
    playlistTitle = importResponse.title
    const { unsearched } = importResponse
    if (unsearched !== undefined) lookUpGap = { kind: 'failed', reason: unsearched.reason }
    for (const id of unsearched?.ids ?? []) unsearchedIds.add(id)
    const songById = new Map(importResponse.songs.map((song) => [song.youtube_id, song]))
    for (const matchedItem of importResponse.items) {
      itemPosition += 1
      const song = songById.get(matchedItem.s)
      if (song) songs.push(song)
      else unmatchedSongs.push({ position: itemPosition, songId: matchedItem.s, title: matchedItem.title, artist: matchedItem.author })
    }
    pageToken = importResponse.next
    if (pageToken === undefined || songs.length >= ENTRIES_PER_PLAYLIST_MAX) break
  }
  const playlist = {
    title: cleanPlaylistTitle(playlistTitle),
    description: '',
    ...limitSongs(songs),
    ...splitUnsearched(unmatchedSongs, unsearchedIds),
    renamedSongs: [],
  }
  return { playlists: [playlist], lookUpGap }
}
