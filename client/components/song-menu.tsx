import { useState } from 'react'
import type { Song } from '../../contract/song.ts'
import { createArtistPath, createSongPath, useNavigateTo } from '../hooks/paths.ts'
import { usePlayer } from '../hooks/player.tsx'
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import { Menu } from '../ui/menu.tsx'
import type { MenuFocus } from '../ui/menu-trigger.ts'
import { useToast } from '../ui/toast.tsx'

// Not imported from `add-to-playlist.ts`, which is in the chunk of the player.
const AddToPlaylistDialog = lazyDialog('Add to playlist', () =>
  import('./add-to-playlist-dialog.tsx').then((module) => module.AddToPlaylistDialog),
)

export interface SongMenuProps {
  song: Song
  /** Context in which the song is played if the player has none: a playlist or category id, or 'favorite'. */
  contextId: string
  label: string
  isFavorite: boolean
  onToggleFavorite: () => void
  className: string
  openAtFirst: MenuFocus
}

/** Renders the menu of actions for a song in a list. */
export function SongMenu({ song, contextId, label, isFavorite, onToggleFavorite, className, openAtFirst }: SongMenuProps) {
  const player = usePlayer()
  const toast = useToast()
  const navigateTo = useNavigateTo()
  const [isAddingToPlaylist, setIsAddingToPlaylist] = useState(false)

  /** Plays the song in its list if the player has no song. Returns whether it did. */
  const playIfPlayerIsEmpty = () => {
    const isFirst = player.getSnapshot().songId === undefined
    if (isFirst) player.open({ songId: song.youtube_id, contextId })
    return isFirst
  }

  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(location.origin + createSongPath(song.youtube_id, song.category_id))
      toast({ text: 'Link copied!', kind: 'good', durationMs: 1500 })
    } catch {
      toast({ text: 'The link could not be copied.', kind: 'bad' })
    }
  }

  return (
    <>
      <Menu
        label={label}
        icon="more"
        className={className}
        openAtFirst={openAtFirst}
        items={[
          {
            id: 'play-next',
            label: 'Play next',
            icon: 'next',
            onSelect: () => {
              if (playIfPlayerIsEmpty()) return
              player.playNext(song)
              toast({ text: 'Plays next', subject: song.title })
            },
          },
          {
            id: 'enqueue',
            label: 'Add to queue',
            icon: 'queue',
            onSelect: () => {
              if (playIfPlayerIsEmpty()) return
              player.enqueue(song)
              toast({ text: 'Added to the queue', subject: song.title })
            },
          },
          { id: 'radio', label: 'Start radio', icon: 'radio', onSelect: () => player.startSongRadio(song) },
          {
            id: 'favorite',
            label: isFavorite ? 'Remove from favorites' : 'Add to favorites',
            icon: isFavorite ? 'heart-filled' : 'heart',
            onSelect: onToggleFavorite,
          },
          { id: 'playlist', label: 'Add to playlist', icon: 'plus', onSelect: () => setIsAddingToPlaylist(true) },
          { id: 'copy', label: 'Copy link', icon: 'link', divided: true, onSelect: () => void copyLink() },
          { id: 'artist', label: 'Go to artist', icon: 'user', onSelect: () => navigateTo(createArtistPath(song.author_name)) },
        ]}
      />
      <AddToPlaylistDialog songs={[song]} open={isAddingToPlaylist} onClose={() => setIsAddingToPlaylist(false)} />
    </>
  )
}
