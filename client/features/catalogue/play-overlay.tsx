import { useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { usePlayerState } from '../../hooks/player.tsx'
import { createCleanupScope } from '../../primitives/scope.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { useToast } from '../../ui/toast.tsx'
import styles from './play-overlay.module.css'
import { describePlayFailure, type Playable, parsePlayable, usePlayNow } from './use-play-now.ts'

/** A row of a song or a card of a playlist, with its link, and the song or playlist to which the link leads. */
interface PlayableItem {
  link: HTMLAnchorElement
  playable: Playable
}

/** Returns the row or card that contains an element. */
function findPlayableItem(element: Element | null): PlayableItem | undefined {
  const link = element?.closest('li')?.querySelector('a[data-playable]')
  if (!(link instanceof HTMLAnchorElement)) return undefined
  const playable = parsePlayable(link)
  return playable && { link, playable }
}

/** A touch does not count as hovering, because browsers with a touch screen keep the last touched element hovered. */
const findHoveredItem = () =>
  matchMedia('(hover: hover)').matches ? findPlayableItem([...document.querySelectorAll(':hover')].at(-1) ?? null) : undefined
const findFocusedItem = () => (document.activeElement?.matches(':focus-visible') ? findPlayableItem(document.activeElement) : undefined)
const isSameItem = (a: PlayableItem | undefined, b: PlayableItem | undefined) => a?.link === b?.link && a?.link.href === b?.link.href

/**
 * Shows a play button on the row or card under the pointer, and on the row or card that has the keyboard focus. Space on the link of a row
 * or card plays its song or playlist. Such links have the attribute `data-playable`. A touch shows no button.
 */
export function PlayOverlay() {
  const [hoveredPlayable, setHovered] = useState(findHoveredItem)
  const [focusedPlayable, setFocused] = useState(findFocusedItem)
  const playOrExplain = usePlayOrExplain()

  useEffect(() => {
    const keepIfSame = (next: PlayableItem | undefined) => (current: PlayableItem | undefined) =>
      isSameItem(current, next) ? current : next
    const onPointerOver = ({ target, pointerType }: PointerEvent) =>
      setHovered(keepIfSame(pointerType !== 'touch' && target instanceof Element ? findPlayableItem(target) : undefined))
    const updateFocusedItem = () => setFocused(keepIfSame(findFocusedItem()))
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event
      if (key !== ' ' || altKey || ctrlKey || metaKey || shiftKey) return
      const playableItem = target instanceof Element && target.matches('a[data-playable]') ? findPlayableItem(target) : undefined
      if (!playableItem) return
      event.preventDefault()
      if (!event.repeat) playOrExplain(playableItem.playable)
    }
    const scope = createCleanupScope()
    scope.listen(document, 'pointerover', onPointerOver)
    scope.listen(document, 'focusin', updateFocusedItem)
    // The focus ring can appear on a key press without a change of the focus, for which the browser fires no event other than the key's.
    scope.listen(document, 'keyup', updateFocusedItem)
    scope.listen(document, 'focusout', ({ relatedTarget }) => relatedTarget === null && setFocused(undefined))
    scope.listen(document, 'keydown', onKeyDown)
    return scope.dispose
  }, [playOrExplain])

  const items = [focusedPlayable, isSameItem(hoveredPlayable, focusedPlayable) ? undefined : hoveredPlayable]
  return items.map((item) => item?.link.isConnected && <PlayButton key={item.link.href} item={item} onPlay={playOrExplain} />)
}

/** Returns the function that starts a song or playlist, and shows a message if that is not possible. */
function usePlayOrExplain(): (playable: Playable) => void {
  const playNow = usePlayNow()
  const toast = useToast()
  return useCallback(
    (playable) => {
      playNow(playable).then(
        (hasSongs) => !hasSongs && toast({ text: 'This playlist is empty' }),
        (error: unknown) => toast({ kind: 'bad', text: describePlayFailure(error) }),
      )
    },
    [playNow, toast],
  )
}

function PlayButton({ item: { link, playable }, onPlay }: { item: PlayableItem; onPlay: (playable: Playable) => void }) {
  const isSongItem = 'songId' in playable
  const isCurrentItem = usePlayerState(({ songId, contextId }) =>
    isSongItem ? songId === playable.songId : songId !== undefined && contextId === playable.playlistId,
  )
  const isItemPlaying = usePlayerState(({ status }) => status === 'playing' || status === 'loading') && isCurrentItem
  // A link cannot contain a button, so the button of a card is beside the link that covers the card. In a row, the link is in the cell of
  // the title.
  const parentElement = link.parentElement
  if (!parentElement) return null
  const songName = link.querySelector('[dir]')?.textContent ?? link.textContent
  return createPortal(
    <button
      type="button"
      className={classNames(styles.button, isSongItem ? styles.row : styles.card)}
      // The first child of a card is its picture.
      style={isSongItem ? {} : { top: link.firstElementChild?.clientHeight }}
      // In a row, the play button can be focused, like the other buttons of the row. A card has a single Tab stop, its link, on which Space
      // plays.
      tabIndex={isSongItem ? 0 : -1}
      aria-label={`${isItemPlaying ? 'Pause' : 'Play'}: ${songName}`}
      // Keeps the focus where it is, because the button disappears when the pointer leaves.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onPlay(playable)}
    >
      <span className={styles.disc}>
        <Icon name={isItemPlaying ? 'pause' : 'play'} />
      </span>
    </button>,
    parentElement,
  )
}
