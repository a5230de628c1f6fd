import { useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { useFavoriteToggle } from '../../bindings/favorites.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { type MenuFocus, menuTriggerProps } from '../../ui/menu-trigger.ts'
import type { SongMenuProps } from './song-menu.tsx'
import styles from './song-row.module.css'

// The menu is an on-demand chunk, and a row renders it once its button is pressed: most rows are never asked for their menu.
const SongMenu = lazyWithRetry<SongMenuProps>(() => import('./song-menu.tsx').then((module) => module.SongMenu), {
  fallback: ({ label, className }) => <IconButton icon="more" label={label} className={className} />,
  renderError: ({ label, onFailureClose }, message) => (
    <Dialog open onClose={onFailureClose} title={label}>
      {message}
    </Dialog>
  ),
})
const loadSongMenu = () => void SongMenu.preload().catch(() => undefined)

/**
 * Renders the favorite button and the menu of a song row. It is a component of its own, so that toggling the favorite does not render the
 * row again.
 */
export function SongRowButtons({ song }: { song: Song }) {
  const { isFavorite: favorite, toggle } = useFavoriteToggle(song)
  const [menuFocus, setMenuFocus] = useState<MenuFocus>()
  const menuProps = { label: `More: ${song.title}`, className: styles.more ?? '' }
  return (
    <>
      <IconButton
        icon={favorite ? 'heart-filled' : 'heart'}
        label={`Favorite: ${song.title}`}
        pressed={favorite}
        className={styles.heart ?? ''}
        onClick={toggle}
      />
      {menuFocus === undefined ? (
        <IconButton {...menuProps} icon="more" {...menuTriggerProps(setMenuFocus)} onPointerEnter={loadSongMenu} onFocus={loadSongMenu} />
      ) : (
        <SongMenu
          {...menuProps}
          song={song}
          isFavorite={favorite}
          onToggleFavorite={toggle}
          openAtFirst={menuFocus}
          onFailureClose={() => setMenuFocus(undefined)}
        />
      )}
    </>
  )
}
