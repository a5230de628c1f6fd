import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Playlist } from '../../contract/playlist.ts'
import type { SongDetail } from '../../contract/song.ts'
import type { PlaylistOrder } from '../data/catalogue-repository.ts'
import type { LoadedPlaylist } from '../data/device-contexts.ts'
import type { Resource, ResourceState } from '../data/resource.ts'
import type { SearchResults } from '../data/search-repository.ts'
import type { SearchQuery } from '../data/song-text-index.ts'
import { ApiCallError } from '../platform/api.ts'
import { isNotFoundDocument } from '../platform/initial-data.ts'
import { waitForNextTask } from '../primitives/next-task.ts'
import { useServices } from './services.tsx'

export type { LoadedPlaylist } from '../data/device-contexts.ts'
export type { SearchQuery } from '../data/song-text-index.ts'

/**
 * The loaded data of a page and a function that retries. `stale`: the last refresh failed with `error`, and `data` is the data stored on
 * this device.
 */
export interface LoadedResource<T> extends ResourceState<T> {
  retry(): void
}

/** Subscribes to a resource (rows of the local database), and refreshes its rows from the server on mount. */
export function useResource<T>(resource: Resource<T>): LoadedResource<T> {
  const resourceState = useSyncExternalStore(resource.subscribe, resource.getSnapshot, resource.getServerSnapshot)
  useEffect(() => {
    void resource.refresh()
  }, [resource])
  const retry = useCallback(() => void resource.refresh({ force: true }), [resource])
  return { ...resourceState, retry }
}

export const usePlaylists = (order: PlaylistOrder): LoadedResource<Playlist[]> => useResource(useServices().catalogue.playlists(order))

/** Returns a playlist (or a category as a playlist) with its songs in order. */
export const usePlaylist = (id: string): LoadedResource<LoadedPlaylist> => useResource(useServices().catalogue.playlist(id))

export const useSong = (id: string, contextId?: string): LoadedResource<SongDetail> =>
  useResource(useServices().catalogue.song(id, contextId))

export const useRandomPlaylists = (): LoadedResource<Playlist[]> => useResource(useServices().catalogue.explore())

export interface LoadedSearch extends LoadedResource<SearchResults> {
  /** Loads the next page of results, if there is one. */
  loadMore(): void
  loadingMore: boolean
  /** The error of the last attempt to load the next page of results. */
  moreError: ApiCallError | undefined
}

export function useSearch(query: SearchQuery): LoadedSearch {
  const resource = useServices().catalogue.search(query)
  const loadedResource = useResource(resource)
  const [pageLoad, setPageLoad] = useState<{ key: string; loading: boolean; error: ApiCallError | undefined }>()
  const currentLoad = pageLoad?.key === resource.key ? pageLoad : undefined
  const loadMore = useCallback(() => {
    const { key } = resource
    setPageLoad({ key, loading: true, error: undefined })
    resource.more().then(
      () => setPageLoad({ key, loading: false, error: undefined }),
      (error: unknown) => setPageLoad({ key, loading: false, error: error instanceof ApiCallError ? error : undefined }),
    )
  }, [resource])
  return { ...loadedResource, loadMore, loadingMore: currentLoad?.loading ?? false, moreError: currentLoad?.error }
}

/**
 * For route loaders: starts refreshing the resources and resolves once their stored rows are read, without waiting for the network. Only in a document
 * that says 'not found' it waits, so that no placeholder replaces this text until the server confirms it.
 */
export async function preloadResources(...resources: readonly Resource<unknown>[]): Promise<void> {
  // In a new task, because the router has just matched the route in this one.
  await waitForNextTask()
  const refreshes = resources.map((resource) => resource.refresh())
  await Promise.all(isNotFoundDocument() ? refreshes : resources.map((resource) => resource.waitUntilOpened()))
}
