import { pickMosaicSongIds } from '../../../contract/own-playlist-rules.ts'
import type { Song } from '../../../contract/song.ts'
import { Icon } from '../../ui/icon.tsx'
import { CoverMosaic } from './cover-mosaic.tsx'
import styles from './own-playlists.module.css'

/** The mosaic of covers on the page of a playlist that a person has made; an icon if the playlist has no song. */
export function PlaylistMosaic({ songs }: { songs: readonly Song[] }) {
  if (songs.length === 0)
    return (
      <span className={styles.noCover}>
        <Icon name="queue" size="l" />
      </span>
    )
  return <CoverMosaic songIds={pickMosaicSongIds(songs, ({ youtube_id }) => youtube_id)} width="(max-width: 600px) 44vw, 200px" />
}
