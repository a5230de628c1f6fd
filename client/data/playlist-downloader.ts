import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import { CLIENT_PLAYLIST_SONGS_MAX, isOwnPlaylistContext } from '../../contract/playlist-rules.ts'
import { type Api, ApiCallError } from '../platform/api.ts'
import { createPinnedPictures, PictureUnavailable, type PinnedPictures } from '../platform/pinned-pictures.ts'
import { estimateRowBytes, playlistSongsKey, putList, putPlaylists, putSongs } from './catalogue-rows.ts'
import { readPlaylistWithSongs } from './device-contexts.ts'
import { isQuotaError } from './device-database.ts'
import type { LocalDatabase, PinnedPlaylistRow } from './local-database.ts'
import { songPictureWidth } from './pinned-size.ts'
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

interface OfflinePlaylistsWorkDeps {
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

const songPicture = (id: string, width: number) => `/img/song/${encodeURIComponent(id)}/${width}`

const coverPaths = (imageUrl: string) => (imageUrl === '' ? [] : [`${imageUrl}/320`, `${imageUrl}/640`])

/** Downloads and removes pinned playlists. This module is an on-demand chunk, because few visits need it. */
export function createPlaylistDownloader({
  api,
  database,
  pictures = createPinnedPictures(),
  pixelRatio,
  getOwner,
  progress,
  setProgress,
}: OfflinePlaylistsWorkDeps) {
  const runningDownloads = new Map<string, { abort: AbortController; ended: Promise<void> }>()

  const putRow = (row: PinnedPlaylistRow) => database.change((tables) => tables.pinned.put([row]))
  const updateRow = (id: string, change: (row: PinnedPlaylistRow) => PinnedPlaylistRow) =>
    database.change(async (tables) => {
      const row = await tables.pinned.get(id)
      if (row) await tables.pinned.put([change(row)])
    })

  const readOwnPlaylist = async (id: string) =>
    isOwnPlaylistContext(id) ? database.read((tables) => readPlaylistWithSongs(database, tables, getOwner(), id)) : undefined

  /** Requests the rows of a playlist of the site and stores them. The rows of an own playlist are on this device. */
  async function fetchRows(id: string, signal: AbortSignal): Promise<PlaylistWithSongs> {
    const ownRows = await readOwnPlaylist(id)
    if (ownRows) return ownRows
    if (isOwnPlaylistContext(id)) throw new ApiCallError('api', 404, `The own playlist ${id} is not on this device.`)
    const { playlist, songs } = await requestPlaylist(api, id, { signal })
    const rows = { playlist: { ...playlist, id }, songs }
    await database.change(async (tables) => {
      await putPlaylists(tables, [rows.playlist])
      await putSongs(tables, songs)
      const ids = songs.map((song) => song.youtube_id)
      await putList(tables, playlistSongsKey(id), ids, ids.length < CLIENT_PLAYLIST_SONGS_MAX)
    })
    return rows
  }

  async function downloadPlaylist(id: string, signal: AbortSignal) {
    const { playlist, songs } = await fetchRows(id, signal)
    const ids = songs.map((song) => song.youtube_id)
    const width = songPictureWidth(pixelRatio)
    const picturePaths = [...coverPaths(playlist.image_url), ...new Set(ids.map((songId) => songPicture(songId, width)))]
    await removeUnshared(id, (path) => !picturePaths.includes(path))
    await updateRow(id, (row) => ({
      ...row,
      title: playlist.title,
      state: 'fetching',
      songCount: ids.length,
      pictures: picturePaths,
      rowBytes: estimateRowBytes(playlist) + songs.reduce((sum, song) => sum + estimateRowBytes(song), 0),
    }))

    let addedBytes = 0
    let doneCount = 0
    const pictureCount = picturePaths.length
    setProgress(id, { done: doneCount, total: pictureCount })
    const queue = [...picturePaths]
    const downloadQueue = async () => {
      for (let picturePath = queue.shift(); picturePath !== undefined && !signal.aborted; picturePath = queue.shift()) {
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
        setProgress(id, { done: doneCount, total: pictureCount })
      }
    }
    const results = await Promise.allSettled(Array.from({ length: MAX_CONCURRENT_DOWNLOADS }, downloadQueue))
    const failedResult = results.find((result) => result.status === 'rejected')
    const isComplete = !failedResult && !signal.aborted
    await updateRow(id, (row) => ({ ...row, state: isComplete ? 'done' : 'fetching', pictureBytes: row.pictureBytes + addedBytes }))
    if (failedResult) throw failedResult.reason
  }

  /** Removes the pictures of a playlist that match `isUnneeded` and that no other pinned playlist uses. */
  async function removeUnshared(id: string, isUnneeded: (path: string) => boolean) {
    const rows = await database.read((tables) => tables.pinned.all())
    const sharedPaths = new Set(rows.flatMap((row) => (row.id === id ? [] : row.pictures)))
    const ownPaths = rows.find((row) => row.id === id)?.pictures ?? []
    await pictures.remove(ownPaths.filter((path) => isUnneeded(path) && !sharedPaths.has(path)))
  }

  async function runDownload(id: string, signal: AbortSignal) {
    setProgress(id, { done: 0, total: 0 })
    try {
      await downloadPlaylist(id, signal)
      setProgress(id, undefined)
    } catch (error) {
      if (signal.aborted) setProgress(id, undefined)
      else setProgress(id, { ...(progress().get(id) ?? { done: 0, total: 0 }), halted: haltReasonOf(error) })
    } finally {
      runningDownloads.delete(id)
    }
  }

  function startDownload(id: string): Promise<void> {
    const runningDownload = runningDownloads.get(id)
    if (runningDownload) return runningDownload.ended
    const abortController = new AbortController()
    const entry = { abort: abortController, ended: Promise.resolve() }
    runningDownloads.set(id, entry)
    entry.ended = runDownload(id, abortController.signal)
    return entry.ended
  }

  /** Aborts the playlist's download and removes the pictures that no other pinned playlist uses. */
  async function unpin(id: string) {
    const runningDownload = runningDownloads.get(id)
    runningDownload?.abort.abort()
    await runningDownload?.ended
    await removeUnshared(id, () => true)
    await database.change((tables) => tables.pinned.remove([id]))
    setProgress(id, undefined)
  }

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
      for (const id of (await database.read((tables) => tables.pinned.keys())).filter(isOwnPlaylistContext)) await unpin(id)
    },
    /** Restarts downloads that a reload or a lost connection interrupted. */
    async resume() {
      const rows = await database.read((tables) => tables.pinned.all())
      for (const row of rows) {
        if (progress().get(row.id)?.halted === 'full') continue
        const isCacheCleared = await arePicturesMissing(row)
        if (isCacheCleared) await updateRow(row.id, (storedRow) => ({ ...storedRow, pictureBytes: 0 }))
        if (isCacheCleared || row.state === 'fetching' || (await hasNewPictures(row))) await startDownload(row.id)
      }
    },
  }

  /**
   * Whether the picture cache was cleared although the database was not. Checks several pictures instead of one, because the server may
   * lack some of them.
   */
  async function arePicturesMissing({ state, pictureBytes, pictures: paths }: PinnedPlaylistRow): Promise<boolean> {
    if (state !== 'done' || pictureBytes === 0) return false
    for (const path of paths.slice(0, 5)) if (await pictures.has(path)) return false
    return true
  }

  /** Whether the stored playlist now has pictures that were not downloaded: those of added songs, or a new cover. */
  async function hasNewPictures(row: PinnedPlaylistRow): Promise<boolean> {
    const [songListRow, playlist] = await database.read((tables) =>
      Promise.all([tables.lists.get(playlistSongsKey(row.id)), tables.playlists.get(row.id)]),
    )
    const songIds = songListRow?.ids ?? (await readOwnPlaylist(row.id))?.songs.map((song) => song.youtube_id) ?? []
    const width = songPictureWidth(pixelRatio)
    const pinnedPaths = new Set(row.pictures)
    const paths = [...coverPaths(playlist?.image_url ?? ''), ...songIds.map((songId) => songPicture(songId, width))]
    return paths.some((path) => !pinnedPaths.has(path))
  }
}

function haltReasonOf(error: unknown): NonNullable<DownloadProgress['halted']> {
  if (isQuotaError(error)) return 'full'
  // `fetch` rejects with a `TypeError` if the network fails; a cache that refuses writes rejects with another error.
  return (error instanceof ApiCallError && error.kind === 'network') || error instanceof TypeError ? 'offline' : 'failed'
}
