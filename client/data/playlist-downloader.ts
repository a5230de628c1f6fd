import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import { CLIENT_PLAYLIST_SONGS_MAX, isOwnPlaylistContext } from '../../contract/playlist-rules.ts'
import { type Api, ApiCallError } from '../platform/api.ts'
import { createPinnedPictures, PictureUnavailable, type PinnedPictures } from '../platform/pinned-pictures.ts'
import { createPlaylistSongsKey, estimateRowBytes, putList, putPlaylists, putSongs } from './catalogue-rows.ts'
import { readPlaylistWithSongs } from './device-contexts.ts'
import { isQuotaError } from './device-database.ts'
import type { LocalDatabase, PinnedPlaylistRow } from './local-database.ts'
import { readMissingPinnedIds, readOwnPinnedIds, readUpdatablePin, watchPinnedOwnPlaylists } from './pinned-own-playlists.ts'
import { choosePictureWidth } from './pinned-size.ts'
import { requestPlaylist } from './playlist-request.ts'

/** The progress of downloading a pinned playlist. */
export interface DownloadProgress {
  /** The number of pictures that were downloaded or skipped so far. */
  done: number
  /** The number of the playlist's pictures; 0 until the playlist's rows are fetched. */
  total: number
  /**
   * Why the download stopped. After `offline`, the download resumes when the device reconnects; after `full` and `failed`, it waits for the
   * person to retry.
   */
  halted?: 'offline' | 'full' | 'failed'
}

interface PlaylistDownloaderDeps {
  api: Api
  database: LocalDatabase
  /** The cache of the pictures, which tests replace. */
  pictures?: PinnedPictures | undefined
  /** Device pixels per CSS pixel, which determines the width of the pictures. */
  pixelRatio: number
  /** Returns the id of the account whose own playlists are pinned; `ANONYMOUS_UID` if nobody is signed in. */
  getOwner(): string
  /** The progress of all downloads, by playlist id. */
  progress(): ReadonlyMap<string, DownloadProgress>
  setProgress(id: string, download: DownloadProgress | undefined): void
}

const MAX_CONCURRENT_DOWNLOADS = 4

const createPicturePath = (id: string, width: number) => `/img/song/${encodeURIComponent(id)}/${width}`

const listCoverPaths = (imageUrl: string) => (imageUrl === '' ? [] : [`${imageUrl}/320`, `${imageUrl}/640`])

/** Downloads and removes pinned playlists. This module is an on-demand chunk, because few visits need it. */
export function createPlaylistDownloader({
  api,
  database,
  pictures = createPinnedPictures(),
  pixelRatio,
  getOwner,
  progress,
  setProgress,
}: PlaylistDownloaderDeps) {
  const downloadByPlaylistId = new Map<string, { abort: AbortController; ended: Promise<void> }>()

  const putRow = (row: PinnedPlaylistRow) => database.change((tables) => tables.pinned.put([row]))
  const updateRow = (playlistId: string, changeRow: (row: PinnedPlaylistRow) => PinnedPlaylistRow) =>
    database.change(async (tables) => {
      const row = await tables.pinned.get(playlistId)
      if (row) await tables.pinned.put([changeRow(row)])
    })

  const readOwnPlaylist = async (id: string) =>
    isOwnPlaylistContext(id) ? database.read((tables) => readPlaylistWithSongs(database, tables, getOwner(), id)) : undefined

  /** Requests the rows of a playlist of the site and stores them. The rows of an own playlist are on this device. */
  async function fetchRows(playlistId: string, signal: AbortSignal): Promise<PlaylistWithSongs> {
    const ownPlaylistRows = await readOwnPlaylist(playlistId)
    if (ownPlaylistRows) return ownPlaylistRows
    if (isOwnPlaylistContext(playlistId)) throw new ApiCallError('api', 404, `The own playlist ${playlistId} is not on this device.`)
    const { playlist, songs } = await requestPlaylist(api, playlistId, { signal })
    const playlistRows = { playlist: { ...playlist, id: playlistId }, songs }
    await database.change(async (tables) => {
      await putPlaylists(tables, [playlistRows.playlist])
      await putSongs(tables, songs)
      const ids = songs.map((song) => song.youtube_id)
      await putList(tables, createPlaylistSongsKey(playlistId), ids, ids.length < CLIENT_PLAYLIST_SONGS_MAX)
    })
    return playlistRows
  }

  async function downloadPlaylist(playlistId: string, signal: AbortSignal) {
    const { playlist, songs } = await fetchRows(playlistId, signal)
    const songIds = songs.map((song) => song.youtube_id)
    const pictureWidth = choosePictureWidth(pixelRatio)
    const songPicturePaths = new Set(songIds.map((songId) => createPicturePath(songId, pictureWidth)))
    const picturePaths = [...listCoverPaths(playlist.image_url), ...songPicturePaths]
    await removeUnsharedPictures({ database, pictures }, playlistId, (path) => !picturePaths.includes(path))
    await updateRow(playlistId, (pinnedRow) => ({
      ...pinnedRow,
      title: playlist.title,
      state: 'fetching',
      songCount: songIds.length,
      pictures: picturePaths,
      rowBytes: estimateRowBytes(playlist) + songs.reduce((sum, song) => sum + estimateRowBytes(song), 0),
    }))

    let addedBytes = 0
    let doneCount = 0
    setProgress(playlistId, { done: doneCount, total: picturePaths.length })
    const pathQueue = [...picturePaths]
    const downloadQueuedPictures = async () => {
      for (let picturePath = pathQueue.shift(); picturePath !== undefined && !signal.aborted; picturePath = pathQueue.shift()) {
        try {
          if (!(await pictures.has(picturePath))) {
            const bytes = await pictures.add(picturePath, signal)
            addedBytes += bytes
          }
        } catch (error) {
          // A picture that the server does not have is skipped.
          if (signal.aborted || !(error instanceof PictureUnavailable)) throw error
        }
        doneCount += 1
        setProgress(playlistId, { done: doneCount, total: picturePaths.length })
      }
    }
    const downloadResults = await Promise.allSettled(Array.from({ length: MAX_CONCURRENT_DOWNLOADS }, downloadQueuedPictures))
    const failedResult = downloadResults.find((result) => result.status === 'rejected')
    const isComplete = !failedResult && !signal.aborted
    await updateRow(playlistId, (row) => ({ ...row, state: isComplete ? 'done' : 'fetching', pictureBytes: row.pictureBytes + addedBytes }))
    if (failedResult) throw failedResult.reason
  }

  async function runDownload(playlistId: string, signal: AbortSignal) {
    setProgress(playlistId, { done: 0, total: 0 })
    try {
      await downloadPlaylist(playlistId, signal)
      setProgress(playlistId, undefined)
    } catch (error) {
      if (signal.aborted) setProgress(playlistId, undefined)
      else setProgress(playlistId, { ...(progress().get(playlistId) ?? { done: 0, total: 0 }), halted: findHaltReason(error) })
    } finally {
      downloadByPlaylistId.delete(playlistId)
    }
  }

  function startDownload(playlistId: string): Promise<void> {
    const runningDownload = downloadByPlaylistId.get(playlistId)
    if (runningDownload) return runningDownload.ended
    const abortController = new AbortController()
    const downloadEntry = { abort: abortController, ended: Promise.resolve() }
    downloadByPlaylistId.set(playlistId, downloadEntry)
    downloadEntry.ended = runDownload(playlistId, abortController.signal)
    return downloadEntry.ended
  }

  /** Aborts the playlist's download and removes the pictures that no other pinned playlist uses. */
  async function unpin(playlistId: string) {
    const runningDownload = downloadByPlaylistId.get(playlistId)
    runningDownload?.abort.abort()
    await runningDownload?.ended
    await removeUnsharedPictures({ database, pictures }, playlistId, () => true)
    await database.change((tables) => tables.pinned.remove([playlistId]))
    setProgress(playlistId, undefined)
  }

  /** Stores the playlist's title, if given, and downloads what the pinned playlist lacks, after a download of it that is running. */
  async function updatePinned(playlistId: string, title?: string) {
    await downloadByPlaylistId.get(playlistId)?.ended
    const pinnedRow = await database.read((tables) => readUpdatablePin(tables, getOwner(), playlistId))
    if (!pinnedRow) return
    if (title !== undefined && title !== pinnedRow.title) await updateRow(playlistId, (storedRow) => ({ ...storedRow, title }))
    // A halted download is resumed when the device reconnects, or by the person.
    if (title !== undefined && progress().get(playlistId)?.halted) return
    const isCacheCleared = await arePicturesMissing(pictures, pinnedRow)
    if (isCacheCleared) await updateRow(playlistId, (storedRow) => ({ ...storedRow, pictureBytes: 0 }))
    if (isCacheCleared || pinnedRow.state === 'fetching' || (await isOutdated(pinnedRow))) await startDownload(playlistId)
  }

  watchPinnedOwnPlaylists(database, getOwner, (id, title) => {
    updatePinned(id, title).catch(() => {
      // If the database or the cache fails, the next start brings the playlist up to date.
    })
  })

  return {
    /** Downloads the playlist's rows and missing pictures. Resolves when the download is complete or halted. */
    async pin(id: string, title: string) {
      const pinnedRow = await database.read((tables) => tables.pinned.get(id))
      if (!pinnedRow)
        await putRow({ id, title, keptAtMs: Date.now(), state: 'fetching', songCount: 0, pictures: [], rowBytes: 0, pictureBytes: 0 })
      await startDownload(id)
    },
    unpin,
    async unpinOwn() {
      for (const id of await database.read(readOwnPinnedIds)) await unpin(id)
    },
    /** Contract: `resume` of `OfflinePlaylists`. */
    async resume() {
      for (const id of await database.read((tables) => readMissingPinnedIds(tables, getOwner()))) await unpin(id)
      for (const id of await database.read((tables) => tables.pinned.keys()))
        if (progress().get(id)?.halted !== 'full') await updatePinned(id)
    },
  }

  /**
   * Whether the stored playlist has changed since its download: it has pictures that were not downloaded, such as those of added songs, or, for an own
   * playlist, another number of songs.
   */
  async function isOutdated(row: PinnedPlaylistRow): Promise<boolean> {
    const [songListRow, playlist] = await database.read((tables) =>
      Promise.all([tables.lists.get(createPlaylistSongsKey(row.id)), tables.playlists.get(row.id)]),
    )
    const ownSongs = songListRow ? undefined : (await readOwnPlaylist(row.id))?.songs
    if (ownSongs && ownSongs.length !== row.songCount) return true
    const songIds = songListRow?.ids ?? ownSongs?.map((song) => song.youtube_id) ?? []
    const width = choosePictureWidth(pixelRatio)
    const pinnedPaths = new Set(row.pictures)
    const paths = [...listCoverPaths(playlist?.image_url ?? ''), ...songIds.map((songId) => createPicturePath(songId, width))]
    return paths.some((path) => !pinnedPaths.has(path))
  }
}

/** Removes the pictures of a playlist that match `isUnneededPath` and that no other pinned playlist uses. */
async function removeUnsharedPictures(
  { database, pictures }: { database: LocalDatabase; pictures: PinnedPictures },
  playlistId: string,
  isUnneededPath: (path: string) => boolean,
) {
  const pinnedRows = await database.read((tables) => tables.pinned.all())
  const sharedPaths = new Set(pinnedRows.flatMap((row) => (row.id === playlistId ? [] : row.pictures)))
  const ownPaths = pinnedRows.find((row) => row.id === playlistId)?.pictures ?? []
  await pictures.remove(ownPaths.filter((path) => isUnneededPath(path) && !sharedPaths.has(path)))
}

/**
 * Whether the picture cache was cleared although the database was not. Checks several pictures instead of one, because the server may
 * lack some of them.
 */
async function arePicturesMissing(pictures: PinnedPictures, { state, pictureBytes, pictures: picturePaths }: PinnedPlaylistRow) {
  if (state !== 'done' || pictureBytes === 0) return false
  for (const path of picturePaths.slice(0, 5)) if (await pictures.has(path)) return false
  return true
}

function findHaltReason(error: unknown): NonNullable<DownloadProgress['halted']> {
  if (isQuotaError(error)) return 'full'
  // `fetch` rejects with a `TypeError` if the network fails; a cache that refuses writes rejects with another error.
  return (error instanceof ApiCallError && error.kind === 'network') || error instanceof TypeError ? 'offline' : 'failed'
}
