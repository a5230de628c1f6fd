import type { Song } from '../../../contract/song.ts'
import { useFavoriteToggle } from '../../bindings/favorite-toggle.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { SongMenu } from './song-menu.tsx'
import styles from './song-row.module.css'

/** The heart and the menu of a row. Apart from it, so that a tap renders nothing else anew. */
export function SongKeys({ song }: { song: Song }) {
  const { favorite, toggle } = useFavoriteToggle(song)
  return (
    <>
      <IconButton
        icon={favorite ? 'heart-filled' : 'heart'}
        label={`Favorite: ${song.title}`}
        pressed={favorite}
        className={styles.heart ?? ''}
        onClick={toggle}
      />
      <SongMenu song={song} favorite={favorite} onToggleFavorite={toggle} className={styles.more ?? ''} />
    </>
  )
}
