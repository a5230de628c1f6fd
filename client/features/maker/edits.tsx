import { type ReactNode, useDeferredValue, useId, useLayoutEffect, useRef, useState } from 'react'
import { type ListArrangement, readListArrangement, writeListArrangement } from '../../components/list-arrangement.ts'
import { SortSelect } from '../../components/sort-select.tsx'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { cutMiddle } from '../../ui/cut-middle.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { SelectField } from '../../ui/form-controls.tsx'
import { formatBytes, formatDuration, formatLongDate, formatPlural } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SleepTimerAction } from '../../ui/sleep-action.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import { saveEditAsFile } from './edit-files.ts'
import styles from './edits.module.css'
import { CANNOT_PLAY_TEXT, EDIT_IN_USE_TEXT, UNDO_OFFERED_MS } from './messages.ts'
import { useEditCover } from './use-edit-cover.ts'
import { CROSSFADE_SECONDS, type EditPlayback, setCrossfade, useCrossfade, useEditPlayback } from './use-edit-playback.ts'
import { arrangeEdits, EDIT_SORTS, type EditSort, useEdits } from './use-edits.ts'
import type { Engine, EngineState, ProjectSummary } from './use-maker.ts'

/** If there are at least this many edits, fields to search and sort them are shown. */
const MIN_EDITS_TO_SEARCH = 4
/** The number of rows that are shown until the person presses the button that shows all. */
const FIRST_ROW_COUNT = 30

const CROSSFADE_OPTIONS = CROSSFADE_SECONDS.map((value) => ({ value, label: value === '0' ? 'Off' : `${value} s` }))

interface MyEditsProps {
  engine: Engine
  state: EngineState
  /** Opens an edit in the maker. */
  onOpen: (edit: ProjectSummary) => void
}

/** Lists the account's edits on this device. Renders nothing if there are none. */
export function MyEdits({ engine, state, onOpen }: MyEditsProps) {
  const headingId = useId()
  const { edits, freeBytes } = useEdits(engine)
  const [{ text, sort }, setArrangement] = useState<ListArrangement<EditSort>>({ text: '', sort: 'newest' })
  const [showsAllEdits, setShowsAll] = useState(false)
  const [renamedEdit, setRenamed] = useState<ProjectSummary>()
  const searchField = useRef<HTMLInputElement>(null)
  const [section, setSection] = useState<HTMLElement | null>(null)
  useFocusAfterRemoval(section)
  const editActions = useEditActions(engine, onOpen, setRenamed)
  const editPlayback = useEditPlayback(engine, edits)
  useLayoutEffect(() => setArrangement((arrangement) => readListArrangement(EDIT_SORTS) ?? arrangement), [])
  const changeArrangement = (changedPart: Partial<ListArrangement<EditSort>>) => {
    setArrangement({ text, sort, ...changedPart })
    writeListArrangement({ text, sort, ...changedPart })
  }
  // A filter text that Back has restored applies only while the search field is shown, because it would otherwise hide edits invisibly.
  const hasSearchField = edits !== undefined && edits.length >= MIN_EDITS_TO_SEARCH
  const shownEdits = useDeferredValue(arrangeEdits(edits ?? [], hasSearchField ? text : '', sort))
  if (edits === undefined || edits.length === 0) return null

  const shownRows = showsAllEdits ? shownEdits : shownEdits.slice(0, FIRST_ROW_COUNT)
  return (
    <section ref={setSection} className={styles.edits} tabIndex={-1} aria-labelledby={headingId}>
      <SectionHeading id={headingId}>My edits</SectionHeading>
      <p className={classNames(typeStyles.muted, styles.space)}>{describeSpace(edits, freeBytes)}</p>
      <PlaybackBar edits={shownEdits} playback={editPlayback} />
      {hasSearchField && (
        <FilterField
          ref={searchField}
          label="Search"
          placeholder="Name or artist"
          status={text.trim() !== '' && (shownEdits.length === 0 ? 'None found.' : `${shownEdits.length} found`)}
          text={text}
          onText={(newText) => changeArrangement({ text: newText })}
        >
          <SortSelect value={sort} options={EDIT_SORTS} onChange={(newSort) => changeArrangement({ sort: newSort })} />
        </FilterField>
      )}
      <ul className={styles.list}>
        {shownRows.map((edit, index) => (
          <EditRow key={edit.id} index={index} edit={edit} isOpen={edit.id === state.projectId} onOpen={() => onOpen(edit)}>
            <PlayEditButton edit={edit} edits={shownEdits} playback={editPlayback} />
            <Menu label={`More: ${edit.title}`} icon="more" items={editActions(edit)} />
          </EditRow>
        ))}
      </ul>
      {shownRows.length < shownEdits.length && (
        <Button variant="tertiary" onClick={() => setShowsAll(true)}>
          Show all {shownEdits.length}
        </Button>
      )}
      <Dialog open={renamedEdit !== undefined} onClose={() => setRenamed(undefined)} title="Rename this edit">
        {renamedEdit && (
          <RenameForm
            title={renamedEdit.title}
            onTitle={(newTitle) => {
              setRenamed(undefined)
              void engine.projects.rename(renamedEdit.id, newTitle)
            }}
          />
        )}
      </Dialog>
    </section>
  )
}

interface PlaybackProps {
  /** The edits in the order of playback. */
  edits: readonly ProjectSummary[]
  playback: EditPlayback
}

/** Returns a function that plays edits, and shows a message if the code for this could not be loaded. */
function usePlayEdits({ edits, playback }: PlaybackProps) {
  const toast = useToast()
  return (startId: string, options?: { shuffle?: boolean }) =>
    void playback.play(edits, startId, options).catch(() => toast({ text: CANNOT_PLAY_TEXT, kind: 'bad' }))
}

/** The buttons that play all edits, and the controls for loop, sleep timer and crossfade. */
function PlaybackBar({ edits, playback }: PlaybackProps) {
  const player = usePlayer()
  const playEdits = usePlayEdits({ edits, playback })
  const hasCrossfade = useCrossfade()
  const loopMode = usePlayerState((state) => state.loop)
  const sleepTimer = usePlayerState((state) => state.sleep)
  const pickRandomEdit = () => edits[Math.floor(Math.random() * edits.length)]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend.
    <div className={styles.playback} role="group" aria-label="Play my edits">
      <Button icon="play" variant="primary" onClick={() => edits[0] && playEdits(edits[0].id)}>
        Play all
      </Button>
      <Button icon="shuffle" onClick={() => playEdits(pickRandomEdit()?.id ?? '', { shuffle: true })}>
        Shuffle
      </Button>
      {playback.currentId !== undefined && (
        <>
          <IconButton icon="loop" label="Loop this edit" pressed={loopMode} onClick={() => player.setLoop(!loopMode)} />
          <SleepTimerAction sleep={sleepTimer} onChoose={player.setSleep} />
        </>
      )}
      <div className={styles.crossfade}>
        <SelectField label="Crossfade" name="crossfade" value={hasCrossfade} options={CROSSFADE_OPTIONS} onChange={setCrossfade} />
      </div>
    </div>
  )
}

function PlayEditButton({ edit, ...props }: PlaybackProps & { edit: ProjectSummary }) {
  const { currentId, isPlaying, toggle } = props.playback
  const playEdits = usePlayEdits(props)
  const isCurrentEdit = edit.id === currentId
  const showsPauseButton = isCurrentEdit && isPlaying
  return (
    <IconButton
      icon={showsPauseButton ? 'pause' : 'play'}
      label={`${showsPauseButton ? 'Pause' : 'Play'}: ${edit.title}`}
      look={isCurrentEdit ? 'bright' : 'quiet'}
      onClick={() => (isCurrentEdit ? toggle() : playEdits(edit.id))}
    />
  )
}

/** Returns the entries of an edit's menu. */
function useEditActions(engine: Engine, onOpen: (edit: ProjectSummary) => void, onRename: (edit: ProjectSummary) => void) {
  const { projects } = engine
  const toast = useToast()
  const showFailure = () => toast({ text: EDIT_IN_USE_TEXT, kind: 'bad' })
  const removeEdit = async ({ id, title }: ProjectSummary) => {
    if (!(await projects.remove(id))) return showFailure()
    toast({
      text: `Deleted: ${title}`,
      icon: 'trash',
      durationMs: UNDO_OFFERED_MS,
      action: { label: 'Undo', onSelect: () => void projects.restore(id) },
    })
  }
  const duplicateEdit = async ({ id }: ProjectSummary) => {
    if ((await projects.duplicate(id)) === undefined) showFailure()
  }
  const saveEdit = async (edit: ProjectSummary) => {
    const fileName = await saveEditAsFile(engine, edit)
    if (fileName === undefined) toast({ text: 'This edit could not be read from the device.', kind: 'bad' })
    else toast({ text: `Saved: ${cutMiddle(fileName)}. On another device, open it in the maker with “Open a file”.`, icon: 'download' })
  }
  return (edit: ProjectSummary) =>
    [
      { id: 'open', label: 'Open', icon: 'file', onSelect: () => onOpen(edit) },
      { id: 'rename', label: 'Rename', onSelect: () => onRename(edit) },
      { id: 'duplicate', label: 'Duplicate', icon: 'plus', onSelect: () => void duplicateEdit(edit) },
      { id: 'save', label: 'Save as a file', icon: 'download', onSelect: () => void saveEdit(edit) },
      { id: 'delete', label: 'Delete', icon: 'trash', divided: true, onSelect: () => void removeEdit(edit) },
    ] as const
}

/**
 * Returns a text with the number of edits, the space that they take on the device, and the space that is left. Duplicates share their song.
 */
function describeSpace(edits: readonly ProjectSummary[], freeBytes: number | undefined): string {
  const bytesBySource = new Map(edits.map(({ source, bytes }) => [source, bytes]))
  const bytes = [...bytesBySource.values()].reduce((sum, each) => sum + each, 0)
  const free = freeBytes === undefined ? '' : `, ${formatBytes(freeBytes)} free`
  return `${formatPlural(edits.length, 'edit')}, ${formatBytes(bytes)} on this device${free}. They are never uploaded.`
}

interface EditRowProps {
  index: number
  edit: ProjectSummary
  /** Whether the edit is open in the maker. */
  isOpen: boolean
  onOpen: () => void
  children: ReactNode
}

function EditRow({ index, edit, isOpen, onOpen, children }: EditRowProps) {
  const { title, artist, rate, lengthS, bpm, changedAtMs } = edit
  const coverUrl = useEditCover(edit)
  const factTexts = [
    `${rate.toFixed(2)}×`,
    ...(lengthS === undefined ? [] : [formatDuration(Math.round(lengthS))]),
    ...(bpm === undefined ? [] : [`${Math.round(bpm)} BPM`]),
    formatLongDate(new Date(changedAtMs).toISOString()),
  ]
  return (
    <li className={styles.row} data-index={index} aria-current={isOpen || undefined}>
      <span className={styles.cover}>{coverUrl !== undefined && <img src={coverUrl} alt="" width={48} height={48} />}</span>
      <span className={typeStyles.lines}>
        <button type="button" className={styles.title} dir="auto" onClick={onOpen}>
          {title}
        </button>
        {artist !== undefined && (
          <span className={styles.artist} dir="auto">
            {artist}
          </span>
        )}
        <span className={classNames(typeStyles.mono, styles.facts)}>
          {isOpen && 'Open now, '}
          {factTexts.join(', ')}
        </span>
      </span>
      {children}
    </li>
  )
}

function RenameForm({ title, onTitle }: { title: string; onTitle: (title: string) => void }) {
  const titleField = useRef<HTMLInputElement>(null)
  // The attribute `autofocus` is set before the dialog opens, because `showModal` focuses the element that has it.
  useLayoutEffect(() => titleField.current?.setAttribute('autofocus', ''), [])
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onTitle(String(new FormData(event.currentTarget).get('edit')))
      }}
    >
      <Field ref={titleField} label="Name" name="edit" defaultValue={title} autoComplete="off" required maxLength={200} />
      <Button type="submit" variant="primary">
        Save
      </Button>
    </form>
  )
}
