import type { Song } from '../../contract/song.ts'
import { useFavoriteToggle } from '../hooks/favorites.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { lazyMenu } from '../ui/lazy-menu.tsx'
import type { SongMenuProps } from './song-menu.tsx'
import styles from './song-row.module.css'

const SongMenu = lazyMenu<Omit<SongMenuProps, 'openAtFirst'>>(() => import('./song-menu.tsx').then((module) => module.SongMenu))

/**
 * Renders the favorite button and the menu of a song row. It is a component of its own, so that toggling the favorite does not render the
 * row again.
 */
export function SongRowButtons({ song }: { song: Song }) {
  const { isFavorite: favorite, toggle } = useFavoriteToggle(song)
  return (
    <>
      <IconButton
        icon={favorite ? 'heart-filled' : 'heart'}
        label={`Favorite: ${song.title}`}
        pressed={favorite}
        className={styles.heart ?? ''}
        onClick={toggle}
      />
      <SongMenu label={`More: ${song.title}`} className={styles.more ?? ''} song={song} isFavorite={favorite} onToggleFavorite={toggle} />
    </>
  )
}
