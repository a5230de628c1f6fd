import typeStyles from '../../ui/type.module.css'
import { usePlaylistsLoadingText } from './use-playlists-loading-text.ts'

/** States that the numbers of songs are not final, while this device still fetches the playlists of the account. */
export function PlaylistsLoadingNotice() {
  const loadingText = usePlaylistsLoadingText()
  return loadingText === undefined ? null : (
    <span role="status" className={typeStyles.muted}>
      {loadingText}
    </span>
  )
}
