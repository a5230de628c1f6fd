import { useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { AddToPlaylistDialog } from '../../components/add-to-playlist.ts'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { useServices } from '../../hooks/services.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { MenuFocus } from '../../ui/menu-trigger.ts'

export interface QueueRowMenuProps {
  label: string
  className: string
  openAtFirst: MenuFocus
  index: number
  entryCount: number
  onMove: (from: number, to: number) => void
}

/** Renders the menu of actions for a song in the queue, and for the whole queue. */
export function QueueRowMenu({ index, entryCount, onMove, ...menuProps }: QueueRowMenuProps) {
  const { loadPlayer } = useServices()
  const player = usePlayer()
  const isEndless = usePlayerState((state) => state.endless)
  const currentSong = usePlayerState((state) => state.current)
  const upcomingEntries = usePlayerState((state) => state.upcoming)
  const isContextLoading = usePlayerState((state) => state.isContextLoading)
  const [addedSongs, setAddedSongs] = useState<readonly Song[]>()
  const [isSavingQueue, setSavingQueue] = useState(false)
  const song = upcomingEntries[index]?.song
  const queuedSongs = [...(currentSong ? [currentSong] : []), ...upcomingEntries.map((entry) => entry.song)]
  /** Loads the songs that a queue lacks after a reload. Once they are known, the dialog is opened with the songs of that moment. */
  const saveQueue = async () => {
    ;(await loadPlayer()).completeQueue()
    setSavingQueue(true)
  }
  if (isSavingQueue && !isContextLoading) {
    setSavingQueue(false)
    setAddedSongs(queuedSongs)
  }
  // The entries about songs are left out for edits of the maker, which are not songs of the catalogue.
  const catalogueItems: MenuItem[] =
    song === undefined || song.artwork
      ? []
      : [
          { id: 'radio', label: 'Start radio', icon: 'radio', divided: true, onSelect: () => player.startSongRadio(song) },
          { id: 'playlist', label: 'Add to playlist', icon: 'plus', onSelect: () => setAddedSongs([song]) },
          { id: 'save', label: 'Save queue as playlist', icon: 'list', onSelect: () => void saveQueue() },
          {
            id: 'endless',
            label: isEndless ? 'Start again when the queue ends' : 'Play related songs when the queue ends',
            icon: 'loop',
            onSelect: () => player.setEndless(!isEndless),
          },
        ]
  return (
    <>
      <Menu
        {...menuProps}
        icon="more"
        items={[
          { id: 'play', label: 'Play now', icon: 'play', onSelect: () => player.playFromQueue(index) },
          { id: 'first', label: 'Move to the top', icon: 'arrow-up', disabled: index === 0, onSelect: () => onMove(index, 0) },
          { id: 'up', label: 'Move up', icon: 'chevron-up', disabled: index === 0, onSelect: () => onMove(index, index - 1) },
          {
            id: 'down',
            label: 'Move down',
            icon: 'chevron-down',
            disabled: index === entryCount - 1,
            onSelect: () => onMove(index, index + 1),
          },
          ...catalogueItems,
          { id: 'remove', label: 'Remove', icon: 'trash', divided: true, onSelect: () => player.removeFromQueue(index) },
        ]}
      />
      <AddToPlaylistDialog songs={addedSongs ?? []} open={addedSongs !== undefined} onClose={() => setAddedSongs(undefined)} />
    </>
  )
}
