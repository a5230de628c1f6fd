import { useMemo, useState } from 'react'
import { FAVORITES_MAX } from '../../../contract/favorite-limits.ts'
import { describeUnreadableEntries } from '../../components/describe-unreadable-entries.ts'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { type FavoriteEdit, useEditFavorites } from '../../hooks/favorites.ts'
import { useReadRefusedFavorites, useSendOutbox, useStoredTitles } from '../../hooks/outbox.ts'
import { Button } from '../../ui/button.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { type FavoritesFile, type ImportPlan, planImport } from './favorites-file.ts'
import styles from './favorites-section.module.css'
import { useFavoriteList } from './use-favorite-list.ts'

const SHOWN_TITLES_MAX = 20
const UNDO_OFFERED_MS = 20_000
/** The maximum time to wait for the server's response before the result is reported. Changes that are not sent by then stay in the outbox. */
const SEND_TIMEOUT_MS = 4_000

/** Preview of an import: what it adds and removes, with buttons to apply or cancel it. */
export function ImportPreview({ name, file, onClose }: { name: string; file: FavoritesFile; onClose: () => void }) {
  const favoriteEntries = useFavoriteList()?.entries
  const currentPlan = useMemo(() => planImport(file, favoriteEntries ?? []), [file, favoriteEntries])
  /**
   * The import plan that is being applied. It stays visible until the import has ended, because `currentPlan` changes as soon as the first
   * favorites are added.
   */
  const [appliedPlan, setAppliedPlan] = useState<ImportPlan>()
  const importPlan = appliedPlan ?? currentPlan
  const isImportApplying = appliedPlan !== undefined
  const [isReplacingList, setReplacing] = useState(false)
  const editFavorites = useEditFavorites()
  const sendOutbox = useSendOutbox()
  const readRefusedFavorites = useReadRefusedFavorites()
  const toast = useChangeToast()
  const listedSongs = importPlan.added.slice(0, SHOWN_TITLES_MAX)
  const titleById = useStoredTitles(listedSongs.map(({ songId }) => songId))
  const removedSongIds = isReplacingList ? importPlan.missingSongIds : []
  const resultCount = importPlan.existingCount + importPlan.added.length + (isReplacingList ? 0 : importPlan.missingSongIds.length)

  const showFailure = () => {
    toast({ kind: 'bad', text: "This couldn't be saved on this device." })
    return undefined
  }
  const applyImportPlan = async () => {
    setAppliedPlan(importPlan)
    const importStartedAtMs = Date.now()
    const songIdsToAdd = importPlan.added.map(({ songId }) => songId)
    const undoImport = await editFavorites([
      ...createFavoriteEdits(removedSongIds, false),
      ...createFavoriteEdits(songIdsToAdd, true),
    ]).catch(showFailure)
    if (undoImport) await sendOutbox(SEND_TIMEOUT_MS)
    onClose()
    if (!undoImport) return
    // Waits for the server's answer: the server refuses songs that are not in its catalogue.
    const refusedSongIds = await readRefusedFavorites(importStartedAtMs)
    const addedSongIds = songIdsToAdd.filter((songId) => !refusedSongIds.has(songId))
    const resultParts = [
      `${formatPlural(addedSongIds.length, 'favorite')} added`,
      removedSongIds.length > 0 && `${formatCount(removedSongIds.length)} removed`,
      addedSongIds.length < songIdsToAdd.length && `${formatCount(songIdsToAdd.length - addedSongIds.length)} refused`,
    ]
    const resultText = `${resultParts.filter(Boolean).join(', ')}.`
    if (addedSongIds.length + removedSongIds.length === 0) return toast({ text: resultText })
    toast({
      kind: 'good',
      text: resultText,
      durationMs: UNDO_OFFERED_MS,
      action: {
        label: 'Undo',
        onSelect: () =>
          void undoImport([...createFavoriteEdits(addedSongIds, false), ...createFavoriteEdits(removedSongIds, true)]).catch(showFailure),
      },
    })
  }

  return (
    <div className={styles.preview}>
      <p className={typeStyles.muted}>{name}</p>
      <p>
        <strong>{importPlan.added.length === 0 ? 'No songs' : formatPlural(importPlan.added.length, 'song')} will be added.</strong>
        {importPlan.existingCount > 0 &&
          ` ${formatPlural(importPlan.existingCount, 'song')} in the file ${importPlan.existingCount === 1 ? 'is' : 'are'} already there.`}
      </p>
      {listedSongs.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable to be scrolled with the keyboard.
        <ul className={styles.titles} aria-label="Songs that will be added" tabIndex={0}>
          {listedSongs.map(({ songId, title }) => (
            <li key={songId} dir="auto">
              {title.trim() || titleById.get(songId) || songId}
            </li>
          ))}
          {importPlan.added.length > listedSongs.length && <li>and {formatCount(importPlan.added.length - listedSongs.length)} more</li>}
        </ul>
      )}
      {file.missingTitles.length > 0 && (
        <p className={typeStyles.muted}>
          {formatPlural(file.missingTitles.length, 'song')} without a link not found:{' '}
          {file.missingTitles.slice(0, SHOWN_TITLES_MAX).join(', ')}
          {file.missingTitles.length > SHOWN_TITLES_MAX ? ', ...' : '.'}
        </p>
      )}
      {file.unsearchedCount > 0 && (
        <p className={typeStyles.muted}>
          {formatPlural(file.unsearchedCount, 'song')} without a link could not be looked up. {file.searchFailure}
        </p>
      )}
      {file.unreadablePositions.length > 0 && <p className={typeStyles.muted}>{describeUnreadableEntries(file)}</p>}
      {/* A song that was not searched for can be one of the favorites, which would be removed although it is in the file. */}
      {importPlan.missingSongIds.length > 0 && file.unsearchedCount === 0 && (
        <label className={styles.box}>
          <input
            type="checkbox"
            checked={isReplacingList}
            disabled={isImportApplying}
            onChange={(event) => setReplacing(event.currentTarget.checked)}
          />
          Also remove what is not in the file
        </label>
      )}
      {resultCount > FAVORITES_MAX && <Notice kind="bad">You can have {formatCount(FAVORITES_MAX)} favorites at most.</Notice>}
      <p role="status">{removedSongIds.length > 0 && `${formatPlural(removedSongIds.length, 'favorite')} will be removed.`}</p>
      <div className={styles.buttons}>
        <Button
          variant="primary"
          busy={isImportApplying}
          disabled={!favoriteEntries || importPlan.added.length + removedSongIds.length === 0 || resultCount > FAVORITES_MAX}
          onClick={() => void applyImportPlan()}
        >
          Apply
        </Button>
        <Button variant="tertiary" onClick={onClose}>
          {isImportApplying ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </div>
  )
}

const createFavoriteEdits = (songIds: readonly string[], isFavorite: boolean): FavoriteEdit[] =>
  songIds.map((songId) => ({ songId, favorite: isFavorite }))
