import { Cover } from '../../ui/cover.tsx'
import styles from './own-playlists.module.css'

/** The number of covers of a mosaic. */
const TILE_COUNT = 4

/**
 * The covers of the first four songs of a playlist, as content of the `Cover` that shows its first song. Renders nothing if there are fewer
 * songs, so that the one cover is shown.
 */
export function CoverMosaic({ songIds, width }: { songIds: readonly string[]; width: string }) {
  if (songIds.length < TILE_COUNT) return null
  return (
    <span className={styles.mosaic}>
      {songIds.slice(0, TILE_COUNT).map((id) => (
        <Cover key={id} src={`/img/song/${id}`} ratio="wide" width={width} alt="" className={styles.tile} />
      ))}
    </span>
  )
}
