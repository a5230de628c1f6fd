import { PLAYLISTS_LOADING_TEXT } from '../../data/own-playlists-loading.ts'
import { useLiveQuery } from '../../hooks/live-query.ts'
import { useOwnPlaylistStore } from '../../hooks/own-playlists.ts'
import typeStyles from '../../ui/type.module.css'

/** States that the numbers of songs are not final, while this device still fetches the playlists of the account. */
export function PlaylistsLoadingNotice() {
  const store = useOwnPlaylistStore()
  const isLoading = useLiveQuery(store?.ownPlaylists.isLoading(store.uid))
  return isLoading ? (
    <span role="status" className={typeStyles.muted}>
      {PLAYLISTS_LOADING_TEXT}
    </span>
  ) : null
}
