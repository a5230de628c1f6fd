import { MOSAIC_COVER_COUNT } from '../../../contract/own-playlist-rules.ts'
import { Cover } from '../../ui/cover.tsx'
import styles from './own-playlists.module.css'

/**
 * The covers of the first songs of a playlist, as content of its `Cover`. `songIds` is a result of `pickMosaicSongIds`. Renders nothing if it has too few
 * songs, so that the picture of the playlist is shown.
 */
export function CoverMosaic({ songIds, width }: { songIds: readonly string[]; width: string }) {
  if (songIds.length < MOSAIC_COVER_COUNT) return null
  return (
    <span className={styles.mosaic}>
      {songIds.map((id) => (
        <Cover key={id} src={`/img/song/${id}`} ratio="wide" width={width} alt="" className={styles.tile} />
      ))}
    </span>
  )
}
