import type { Api } from '../platform/api.ts'
import type { PinnedPictures } from '../platform/pinned-pictures.ts'
import { loadOnce } from '../primitives/single-flight.ts'
import { createLiveQuery, type LiveQuery } from './live-query.ts'
import type { LocalDatabase, PinnedPlaylistRow } from './local-database.ts'
import type { DownloadProgress } from './playlist-downloader.ts'

export type { DownloadProgress } from './playlist-downloader.ts'

/** The playlists that a person downloaded for offline use. */
export interface OfflinePlaylists {
  /** The pinned playlists in order of title. */
  readonly pinned: LiveQuery<PinnedPlaylistRow[]>
  /** The downloads that are running or halted, by playlist id. Every change creates a new map. */
  downloads(): ReadonlyMap<string, DownloadProgress>
  /** Subscribes to changes of `downloads`. Returns the function that unsubscribes. */
  onDownloads(listener: () => void): () => void
  /** Downloads the playlist's rows and the pictures that are missing. Resolves when the download is complete or halted. */
  pin(id: string, title: string): Promise<void>
  /** Aborts the playlist's download and removes the pictures that no other pinned playlist uses. */
  unpin(id: string): Promise<void>
  /** Unpins all own playlists, because the account that owns them has signed out. */
  unpinOwn(): Promise<void>
  /**
   * Unpins own playlists that do not exist any more, except those deleted just now, and restarts downloads that a reload or a lost connection
   * interrupted.
   */
  resume(): Promise<void>
}

interface OfflinePlaylistsDeps {
  api: Api
  database: LocalDatabase
  /** The cache of the pictures, which tests replace. */
  pictures?: PinnedPictures
  /** Device pixels per CSS pixel, which determines the width of the pictures. */
  pixelRatio: number
  /** Returns the id of the account whose own playlists are pinned; `ANONYMOUS_UID` if nobody is signed in. */
  getOwner(): string
  requestPersistentStorage(): Promise<boolean>
}

export function createOfflinePlaylists({ requestPersistentStorage, ...deps }: OfflinePlaylistsDeps): OfflinePlaylists {
  const { database } = deps
  const listeners = new Set<() => void>()
  let progressById: ReadonlyMap<string, DownloadProgress> = new Map()

  function setProgress(playlistId: string, downloadProgress: DownloadProgress | undefined) {
    const newProgressById = new Map(progressById)
    if (downloadProgress) newProgressById.set(playlistId, downloadProgress)
    else newProgressById.delete(playlistId)
    progressById = newProgressById
    for (const listener of [...listeners]) listener()
  }

  const loadDownloader = loadOnce(async () =>
    (await import('./playlist-downloader.ts')).createPlaylistDownloader({ ...deps, progress: () => progressById, setProgress }),
  )

  return {
    pinned: createLiveQuery(database, async (tables) => (await tables.pinned.all()).sort((a, b) => a.title.localeCompare(b.title))),
    downloads: () => progressById,
    onDownloads(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async pin(playlistId, playlistTitle) {
      void requestPersistentStorage()
      const loadedWork = await loadDownloader().catch(() => setProgress(playlistId, { done: 0, total: 0, halted: 'failed' }))
      await loadedWork?.pin(playlistId, playlistTitle)
    },
    unpin: async (id) => (await loadDownloader()).unpin(id),
    unpinOwn: async () => (await loadDownloader()).unpinOwn(),
    async resume() {
      const count = await database.read((tables) => tables.pinned.count())
      // If the chunk of the offline playlists cannot be loaded, it is loaded again when the device reconnects.
      if (count > 0) await (await loadDownloader().catch(() => undefined))?.resume()
    },
  }
}
