import { PLAYLISTS_LOADING_TEXT } from '../../data/own-playlists-loading.ts'
import { useLiveQuery } from '../../hooks/live-query.ts'
import { useOwnPlaylistStore } from '../../hooks/own-playlists.ts'

/** Returns the text to show while this device still fetches the playlists of the account; `undefined` otherwise. */
export function usePlaylistsLoadingText(): string | undefined {
  const store = useOwnPlaylistStore()
  return useLiveQuery(store?.ownPlaylists.isLoading(store.uid)) ? PLAYLISTS_LOADING_TEXT : undefined
}
