import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Playlist, PlaylistWithSongs } from '../../contract/playlist.ts'
import type { SongDetail } from '../../contract/song.ts'
import type { PlaylistOrder } from '../data/catalogue-repository.ts'
import type { Resource, ResourceState } from '../data/resource.ts'
import type { SearchQuery } from '../data/search-query.ts'
import type { SearchResults } from '../data/search-repository.ts'
import { ApiFailure } from '../platform/api.ts'
import { useServices } from './services.tsx'

export type { SearchQuery, SearchSort } from '../data/search-query.ts'

/** What a list or page shows. `stale`: `data` is from this device, as the last refresh failed with `error`. */
export interface Loaded<T> extends ResourceState<T> {
  retry(): void
}

/** Follows a resource, and asks for a refresh when it is first shown. */
export function useResource<T>(resource: Resource<T>): Loaded<T> {
  const state = useSyncExternalStore(resource.subscribe, resource.getSnapshot, resource.getFirst ?? resource.getSnapshot)
  useEffect(() => {
    void resource.refresh()
  }, [resource])
  const retry = useCallback(() => void resource.refresh({ force: true }), [resource])
  return { ...state, retry }
}

export const usePlaylists = (order: PlaylistOrder): Loaded<Playlist[]> => useResource(useServices().catalogue.playlists(order))

/** A playlist, or a category as one, with its songs in order. */
export const usePlaylist = (id: string): Loaded<PlaylistWithSongs> => useResource(useServices().catalogue.playlist(id))

export const useSong = (id: string, contextId?: string): Loaded<SongDetail> => useResource(useServices().catalogue.song(id, contextId))

export const useExplore = (): Loaded<Playlist[]> => useResource(useServices().catalogue.explore())

export interface LoadedSearch extends Loaded<SearchResults> {
  /** Loads the next page, if there is one. */
  more(): void
  loadingMore: boolean
  /** Why the last `more` gave nothing. */
  moreError: ApiFailure | undefined
}

export function useSearch(query: SearchQuery): LoadedSearch {
  const resource = useServices().catalogue.search(query)
  const loaded = useResource(resource)
  const [adding, setAdding] = useState<{ key: string; loading: boolean; error: ApiFailure | undefined }>()
  const current = adding?.key === resource.key ? adding : undefined
  const more = useCallback(() => {
    const { key } = resource
    setAdding({ key, loading: true, error: undefined })
    resource.more().then(
      () => setAdding({ key, loading: false, error: undefined }),
      (error: unknown) => setAdding({ key, loading: false, error: error instanceof ApiFailure ? error : undefined }),
    )
  }, [resource])
  return { ...loaded, more, loadingMore: current?.loading ?? false, moreError: current?.error }
}

/**
 * For route loaders: starts the refresh, and waits only until this device's rows were read, so that a page which has
 * rows is never shown without them.
 */
export async function prepare(...resources: readonly Resource<unknown>[]): Promise<void> {
  for (const resource of resources) void resource.refresh()
  await Promise.all(resources.map((resource) => resource.opened()))
}
