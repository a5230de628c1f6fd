import type { Song } from '../../../contract/song.ts'
import { type PlayerState, usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { useServices } from '../../hooks/services.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { MenuFocus } from '../../ui/menu-trigger.ts'
import { createMoveItems } from '../../ui/move-items.ts'

interface MenuProps {
  label: string
  className: string
  openAtFirst: MenuFocus
  /** Asks for the playlist to which songs are added. */
  onAddSongs: (songs: readonly Song[]) => void
}

interface CurrentSongMenuProps extends MenuProps {
  song: Song
}

interface QueueRowMenuProps extends MenuProps {
  index: number
  entryCount: number
  onMove: (from: number, to: number) => void
}

export type QueueMenuProps = CurrentSongMenuProps | QueueRowMenuProps

/** Renders the menu of a row of the queue: of the song that is playing, or of the upcoming song `index`. */
export const QueueMenu = (props: QueueMenuProps) => ('song' in props ? <CurrentSongMenu {...props} /> : <QueueRowMenu {...props} />)

/** Renders the menu of actions for the song that is playing, and for the whole queue. */
function CurrentSongMenu({ song, onAddSongs, ...menuProps }: CurrentSongMenuProps) {
  return <Menu {...menuProps} icon="more" items={useAddItems(song, onAddSongs)} />
}

/** Renders the menu of actions for a song in the queue, and for the whole queue. */
function QueueRowMenu({ index, entryCount, onMove, onAddSongs, ...menuProps }: QueueRowMenuProps) {
  const player = usePlayer()
  const isEndless = usePlayerState((state) => state.endless)
  const song = usePlayerState((state) => state.upcoming)[index]?.song
  const addItems = useAddItems(song, onAddSongs)
  // The entries about songs are left out for edits of the maker, which are not songs of the catalogue.
  const catalogueItems: MenuItem[] =
    song === undefined || song.artwork
      ? []
      : [
          { id: 'radio', label: 'Start radio', icon: 'radio', divided: true, onSelect: () => player.startSongRadio(song) },
          ...addItems,
          {
            id: 'endless',
            label: isEndless ? 'Start again when the queue ends' : 'Play related songs when the queue ends',
            icon: 'loop',
            onSelect: () => player.setEndless(!isEndless),
          },
        ]
  return (
    <Menu
      {...menuProps}
      icon="more"
      items={[
        { id: 'play', label: 'Play now', icon: 'play', onSelect: () => player.playFromQueue(index) },
        ...createMoveItems(index, entryCount, onMove),
        ...catalogueItems,
        { id: 'remove', label: 'Remove', icon: 'trash', divided: true, onSelect: () => player.removeFromQueue(index) },
      ]}
    />
  )
}

/** Returns the menu items that add a song, or the whole queue, to a playlist. */
function useAddItems(song: Song | undefined, onAddSongs: MenuProps['onAddSongs']): MenuItem[] {
  const { loadPlayer } = useServices()
  const player = usePlayer()
  const saveQueue = async () => {
    ;(await loadPlayer()).completeQueue()
    const { current, upcoming } = await waitForQueue(player)
    onAddSongs([...(current ? [current] : []), ...upcoming.map((entry) => entry.song)])
  }
  return [
    { id: 'playlist', label: 'Add to playlist', icon: 'plus', onSelect: () => song && onAddSongs([song]) },
    { id: 'save', label: 'Save queue as playlist', icon: 'list', onSelect: () => void saveQueue() },
  ]
}

/** Resolves with the player's state once the songs that a queue lacks after a reload are loaded. */
const waitForQueue = (player: ReturnType<typeof usePlayer>): Promise<PlayerState> =>
  new Promise((resolve) => {
    const resolveOnceLoaded = () => {
      const state = player.getSnapshot()
      if (state.isContextLoading) return
      unsubscribe()
      resolve(state)
    }
    const unsubscribe = player.subscribe(resolveOnceLoaded)
    resolveOnceLoaded()
  })
