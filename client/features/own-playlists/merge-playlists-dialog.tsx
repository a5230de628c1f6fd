import { type FormEvent, useState } from 'react'
import { toSearchableText } from '../../../contract/search-text.ts'
import { filterByWords } from '../../components/filter-by-words.ts'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { useAction } from '../../hooks/action.ts'
import { type OwnPlaylistSummary, useOwnPlaylists } from '../../hooks/own-playlists.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { FocusContainer } from '../../ui/focus-container.tsx'
import { SelectField } from '../../ui/form-controls.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './own-playlists.module.css'
import { describeSaveFailure, useOpenOwnPlaylistStore } from './use-open-store.ts'

/** The time in milliseconds for which the Undo button is shown. */
const UNDO_OFFERED_MS = 10_000
/** If there are more playlists than this, a field that filters them is shown. */
const UNFILTERED_PLAYLISTS_MAX = 8

interface MergePlaylistsDialogProps {
  open: boolean
  onClose: () => void
}

/**
 * Merges chosen own playlists into one of them. The person decides whether songs that the target playlist already contains are added again.
 */
export function MergePlaylistsDialog({ open, onClose }: MergePlaylistsDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Merge playlists">
      <FocusContainer>
        <MergeForm onClose={onClose} />
      </FocusContainer>
    </Dialog>
  )
}

function MergeForm({ onClose }: Pick<MergePlaylistsDialogProps, 'onClose'>) {
  const openStore = useOpenOwnPlaylistStore()
  const playlists = useOwnPlaylists() ?? []
  const toast = useChangeToast()
  const [chosenIds, setChosenIds] = useState<readonly string[]>([])
  const [targetId, setTargetId] = useState('')
  const [filterText, setFilterText] = useState('')
  const [duplicateCount, setDuplicateCount] = useState(0)
  const chosenPlaylists = chosenIds.flatMap((id) => playlists.find((playlist) => playlist.id === id) ?? [])
  const mergeTarget = chosenPlaylists.find(({ id }) => id === targetId) ?? chosenPlaylists[0]

  const showFailure = (error: unknown) => void toast({ kind: 'bad', text: describeSaveFailure(error) })

  const merge = useAction(async (targetPlaylist: OwnPlaylistSummary, duplicateAction: 'ask' | 'keep' | 'skip') => {
    const { uid, ownPlaylists } = await openStore()
    if (duplicateAction === 'ask') {
      const count = await ownPlaylists.countDuplicates(uid, targetPlaylist.id, chosenIds)
      if (count > 0) return setDuplicateCount(count)
    }
    const sourceIds = chosenPlaylists.map(({ id }) => id).filter((id) => id !== targetPlaylist.id)
    const addedEntries = await ownPlaylists.merge(uid, targetPlaylist.id, sourceIds, {
      duplicates: duplicateAction === 'skip' ? 'skip' : 'keep',
    })
    onClose()
    toast({
      text: `${chosenPlaylists.length} playlists merged into ${targetPlaylist.title}`,
      kind: 'good',
      durationMs: UNDO_OFFERED_MS,
      action: {
        label: 'Undo',
        onSelect: () => void ownPlaylists.undoMerge(uid, targetPlaylist.id, sourceIds, addedEntries).catch(showFailure),
      },
    })
  }, showFailure)

  if (mergeTarget && duplicateCount > 0)
    return (
      <div className={styles.form}>
        <p role="alert">
          {duplicateCount === 1 ? '1 song' : `${formatCount(duplicateCount)} songs`} would be in{' '}
          <strong dir="auto">{mergeTarget.title}</strong> more than once.
        </p>
        <div className={styles.buttons}>
          <Button variant="primary" busy={merge.busy} onClick={() => void merge.run(mergeTarget, 'skip')}>
            Add each song once
          </Button>
          <Button busy={merge.busy} onClick={() => void merge.run(mergeTarget, 'keep')}>
            Add all
          </Button>
          <Button variant="tertiary" onClick={() => setDuplicateCount(0)}>
            Back
          </Button>
        </div>
      </div>
    )

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (mergeTarget) void merge.run(mergeTarget, 'ask')
  }
  const shownPlaylists = filterByWords(playlists, filterText, ({ title }) => toSearchableText(title))
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className={typeStyles.muted}>The songs go into one playlist. The others are deleted; you can restore them for 30 days.</p>
      {playlists.length > UNFILTERED_PLAYLISTS_MAX && (
        <FilterField ref={null} label="Find a playlist" placeholder="Name" status={false} onText={setFilterText} />
      )}
      <ul className={styles.choices} aria-label="Playlists to merge">
        {shownPlaylists.map(({ id, title, songCount, isPartial }) => (
          <li key={id}>
            <label className={styles.box}>
              <input
                type="checkbox"
                checked={chosenIds.includes(id)}
                onChange={({ currentTarget }) =>
                  setChosenIds(currentTarget.checked ? [...chosenIds, id] : chosenIds.filter((chosenId) => chosenId !== id))
                }
              />
              <span className={styles.title} dir="auto">
                {title}
              </span>
              {!isPartial && <span className={classNames(typeStyles.mono, styles.count)}>{formatPlural(songCount, 'song')}</span>}
            </label>
          </li>
        ))}
      </ul>
      {mergeTarget && chosenPlaylists.length > 1 && (
        <SelectField
          label="Merge into"
          name="target"
          value={mergeTarget.id}
          options={chosenPlaylists.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={setTargetId}
        />
      )}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={chosenPlaylists.length < 2} busy={merge.busy}>
          Merge
        </Button>
      </div>
    </form>
  )
}
