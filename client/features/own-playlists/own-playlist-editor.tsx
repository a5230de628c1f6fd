import { memo, type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Song } from '../../../contract/song.ts'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { describeOwnPlaylistFailure, type OwnPlaylistContent, useOwnPlaylist, useOwnPlaylistStore } from '../../hooks/own-playlists.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { type DragOrder, type GripProps, useDragToReorder } from '../../ui/use-drag-to-reorder.ts'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import { useDeferredIndexes, usePageVirtualizer } from '../../ui/use-page-virtualizer.ts'
import type { EditorRowMenuProps } from './editor-row-menu.tsx'
import styles from './own-playlists.module.css'

const EditorRowMenu = lazyMenu<Omit<EditorRowMenuProps, 'openAtFirst'>>(() =>
  import('./editor-row-menu.tsx').then((module) => module.EditorRowMenu),
)

/** The time in milliseconds for which the Undo button is shown. */
const UNDO_OFFERED_MS = 10_000
/** The height of a row in pixels until it is measured. */
const MIN_ROW_PX = 64

interface OwnPlaylistEditorProps {
  id: string
  onDone: () => void
}

/** The form in which the songs of an own playlist can be changed. An empty playlist has ways to find songs instead, unless its songs are still being fetched. */
export function OwnPlaylistEditor({ id, onDone }: OwnPlaylistEditorProps) {
  const content = useOwnPlaylist(id)
  const [container, setContainer] = useState<HTMLDivElement | null>(null)
  useFocusAfterRemoval(container)
  if (!content) return null
  const emptyState = content.summary.isPartial ? <SkeletonRows count={4} /> : <EmptyPlaylist />
  return (
    <div ref={setContainer} className={styles.container} tabIndex={-1}>
      {content.entries.length > 0 ? <EntryList id={id} content={content} onDone={onDone} /> : emptyState}
    </div>
  )
}

const EmptyPlaylist = () => (
  <EmptyState
    title="No songs yet"
    text="The menu of every song has 'Add to playlist'."
    action={
      <div className={styles.buttons}>
        <Button variant="primary" icon="search" to="/search">
          Find songs
        </Button>
        <Button to="/recent">Recently played</Button>
        <Button to="/playlists">Browse playlists</Button>
      </div>
    }
  />
)

/** The songs, which can be moved by dragging or with the arrow keys, and removed. */
function EntryList({ id, content, onDone }: OwnPlaylistEditorProps & { content: OwnPlaylistContent }) {
  const { entries, songById } = content
  const store = useOwnPlaylistStore()
  const toast = useChangeToast()
  const [announcement, setAnnouncement] = useState('')
  const showFailure = (error: unknown) => void toast({ kind: 'bad', text: describeOwnPlaylistFailure(error) })

  /** The last entry that was moved, until its new place is rendered and scrolled into view. */
  const movedEntryId = useRef<string>(undefined)
  const moveEntry = (fromIndex: number, toIndex: number) => {
    const entry = entries[fromIndex]
    if (!store || !entry || fromIndex === toIndex || toIndex < 0 || toIndex >= entries.length) return
    movedEntryId.current = entry.e
    const beforeEntry = entries[toIndex < fromIndex ? toIndex : toIndex + 1]
    store.ownPlaylists.moveEntries(store.uid, id, [entry.e], beforeEntry?.e).catch(showFailure)
    setAnnouncement(`${chooseTitle(entry.songId, songById.get(entry.songId))} is now number ${toIndex + 1} of ${entries.length}.`)
  }

  const removeEntry = async (index: number) => {
    const entry = entries[index]
    if (!store || !entry) return
    const { uid, ownPlaylists } = store
    const removedEntries = await ownPlaylists.removeEntries(uid, id, [entry.e])
    toast({
      text: 'Removed from the playlist',
      subject: chooseTitle(entry.songId, songById.get(entry.songId)),
      icon: 'trash',
      durationMs: UNDO_OFFERED_MS,
      action: { label: 'Undo', onSelect: () => void ownPlaylists.restoreEntries(uid, id, removedEntries).catch(showFailure) },
    })
  }

  const finishEditing = () => {
    onDone()
    // Moves the focus to the main content, because the focused button was removed.
    document.getElementById('main')?.focus({ preventScroll: true })
  }

  const entryIds = useMemo(() => entries.map(({ e }) => e), [entries])
  const drag = useDragToReorder(entryIds, moveEntry)
  const actions = useRef<RowActions>(null)
  useLayoutEffect(() => {
    actions.current = { getGripProps: drag.createGripProps, move: moveEntry, remove: (index) => void removeEntry(index).catch(showFailure) }
  })
  return (
    <>
      <div className={styles.arranging}>
        <p className={typeStyles.muted}>Drag a song, or use the arrow keys on its handle.</p>
        <Button icon="check" onClick={finishEditing}>
          Done
        </Button>
      </div>
      <p className={typeStyles.hidden} role="status">
        {announcement}
      </p>
      <EntryRows content={content} drag={drag} actions={actions} movedEntryId={movedEntryId} />
    </>
  )
}

interface EntryRowsProps {
  content: OwnPlaylistContent
  drag: DragOrder
  actions: RefObject<RowActions | null>
  movedEntryId: RefObject<string | undefined>
}

/**
 * Renders the rows near the viewport, the row that is dragged, and the row that had the focus last: its entry keeps the focus wherever it is moved to. It is
 * a component of its own, so that a scroll renders nothing else.
 */
function EntryRows({ content, drag, actions, movedEntryId }: EntryRowsProps) {
  const [rowPx, setRowPx] = useState(MIN_ROW_PX)
  const virtualizer = usePageVirtualizer(drag.list, {
    count: content.entries.length,
    // The function stays the same between renders, because the virtualizer computes all positions anew when it changes.
    estimateSize: useCallback(() => rowPx, [rowPx]),
    overscan: 8,
  })
  const deferredIndexes = useDeferredIndexes(virtualizer)
  // A drag that scrolls renders in every frame, which would interrupt the deferred render again and again.
  const nearIndexes = drag.draggedIndex === undefined ? deferredIndexes : virtualizer.getVirtualItems().map(({ index }) => index)
  const [focusedEntryId, setFocusedEntryId] = useState<string>()
  const focusedIndex = focusedEntryId === undefined ? -1 : content.entries.findIndex(({ e }) => e === focusedEntryId)
  const draggedIndex = drag.draggedIndex ?? -1
  // These rows are added here and not by the virtualizer, because the virtualizer's indexes are deferred: the focused row would be removed for one render.
  const rowIndexes = useMemo(() => {
    const otherIndexes = new Set([focusedIndex, draggedIndex].filter((index) => index >= 0 && !nearIndexes.includes(index)))
    return otherIndexes.size === 0 ? nearIndexes : [...nearIndexes, ...otherIndexes].sort((a, b) => a - b)
  }, [nearIndexes, focusedIndex, draggedIndex])
  // All rows have the same height, which depends on the font size of the browser.
  const hasRows = rowIndexes.length > 0
  useLayoutEffect(() => {
    const row = drag.list.current?.firstElementChild
    if (hasRows && row) setRowPx(row.getBoundingClientRect().height)
  }, [drag.list, hasRows])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the positions depend on the row height.
  useLayoutEffect(() => virtualizer.measure(), [rowPx])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moved row is scrolled into view once it is rendered at another index.
  useLayoutEffect(() => {
    if (movedEntryId.current === undefined || movedEntryId.current !== focusedEntryId) return
    movedEntryId.current = undefined
    // A smooth scroll would fall behind while a key is held down.
    drag.list.current?.querySelector(`[data-index="${focusedIndex}"]`)?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [focusedIndex])
  return (
    <ol
      ref={drag.list}
      className={styles.editor}
      style={{ height: virtualizer.getTotalSize() }}
      aria-label="Songs to arrange"
      onFocus={({ target }) => {
        const index = target.closest<HTMLElement>('li[data-index]')?.dataset.index
        setFocusedEntryId(content.entries[Number(index)]?.e)
      }}
    >
      <RenderedRows
        rowIndexes={rowIndexes}
        rowPx={rowPx}
        content={content}
        drag={drag.draggedIndex === undefined ? undefined : drag}
        actions={actions}
      />
    </ol>
  )
}

interface RenderedRowsProps extends Omit<EntryRowsProps, 'drag' | 'movedEntryId'> {
  rowIndexes: readonly number[]
  rowPx: number
  /** The drag that shifts rows; `undefined` while no row is dragged. */
  drag: DragOrder | undefined
}

const RenderedRows = memo(function RenderedRows({ rowIndexes, rowPx, content, drag, actions }: RenderedRowsProps) {
  return rowIndexes.map((index) => {
    const entry = content.entries[index]
    const topPx = index * rowPx + (drag?.computeOffsetPx(index) ?? 0)
    const rowProps = { index, count: content.entries.length, topPx, isDragged: drag?.draggedIndex === index, actions }
    return entry && <EditorRow key={entry.e} songId={entry.songId} song={content.songById.get(entry.songId)} {...rowProps} />
  })
})

const chooseTitle = (songId: string, song: Song | undefined): string => song?.title ?? songId

interface RowActions {
  getGripProps(index: number): GripProps
  move(from: number, to: number): void
  remove(index: number): void
}

interface EditorRowProps {
  songId: string
  /** `undefined` if this device does not have the song's row. */
  song: Song | undefined
  index: number
  count: number
  topPx: number
  isDragged: boolean
  /** The actions of the last render of the list. The reference stays the same, so that `memo` skips rows that did not change. */
  actions: RefObject<RowActions | null>
}

const EditorRow = memo(function EditorRow({ songId, song, index, count, topPx, isDragged, actions }: EditorRowProps) {
  const title = chooseTitle(songId, song)
  const targetIndexByKey: Partial<Record<string, number>> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }
  const getGripProps = () => actions.current?.getGripProps(index)
  return (
    <li
      className={classNames(styles.row, isDragged && styles.dragged)}
      style={{ top: topPx }}
      data-drag-index={index}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={count}
    >
      <button
        type="button"
        className={styles.grip}
        aria-label={`Move ${title}`}
        title="Drag, or use the arrow keys"
        data-arrows=""
        onPointerDown={(event) => getGripProps()?.onPointerDown(event)}
        onPointerMove={(event) => getGripProps()?.onPointerMove(event)}
        onPointerUp={(event) => getGripProps()?.onPointerUp(event)}
        onKeyDown={(event) => {
          const targetIndex = targetIndexByKey[event.key]
          if (targetIndex === undefined) return
          event.preventDefault()
          actions.current?.move(index, targetIndex)
        }}
      >
        <Icon name="grip" size="s" />
      </button>
      <Cover src={`/img/song/${songId}`} ratio="wide" width={64} alt="" className={styles.cover} />
      <div className={typeStyles.lines}>
        <span className={styles.title} dir="auto">
          {title}
        </span>
        <span className={styles.artist} dir="auto">
          {song?.author_name ?? 'Not in the catalogue, or not on this device yet'}
        </span>
      </div>
      <EditorRowMenu label={`More: ${title}`} index={index} count={count} onMove={(from, to) => actions.current?.move(from, to)} />
      <IconButton icon="trash" label={`Remove ${title}`} onClick={() => actions.current?.remove(index)} />
    </li>
  )
})
