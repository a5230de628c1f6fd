import { useMemo, useState } from 'react'
import { FAVORITES_MAX } from '../../../contract/favorite-limits.ts'
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

const TITLES_SHOWN = 20
const UNDO_MS = 20_000
/** The maximum time to wait for the server's response before the result is reported. Changes that are not sent by then stay in the outbox. */
const SEND_TIMEOUT_MS = 4_000

/** Preview of an import: what it adds and removes, with buttons to apply or cancel it. */
export function ImportPreview({ name, file, onClose }: { name: string; file: FavoritesFile; onClose: () => void }) {
  const entries = useFavoriteList()?.entries
  const currentPlan = useMemo(() => planImport(file, entries ?? []), [file, entries])
  /**
   * The import plan that is being applied. It stays visible until the import has ended, because `currentPlan` changes as soon as the first
   * favorites are added.
   */
  const [appliedPlan, setAppliedPlan] = useState<ImportPlan>()
  const plan = appliedPlan ?? currentPlan
  const isApplying = appliedPlan !== undefined
  const [isReplacing, setReplacing] = useState(false)
  const editFavorites = useEditFavorites()
  const sendOutbox = useSendOutbox()
  const readRefusedFavorites = useReadRefusedFavorites()
  const toast = useChangeToast()
  const listedSongs = plan.added.slice(0, TITLES_SHOWN)
  const titles = useStoredTitles(listedSongs.map(({ songId }) => songId))
  const removedIds = isReplacing ? plan.missingSongIds : []
  const resultCount = plan.existingCount + plan.added.length + (isReplacing ? 0 : plan.missingSongIds.length)

  const showFailure = () => {
    toast({ kind: 'bad', text: "This couldn't be saved on this device." })
    return undefined
  }
  const applyPlan = async () => {
    setAppliedPlan(plan)
    const sinceMs = Date.now()
    const addedIds = plan.added.map(({ songId }) => songId)
    const undo = await editFavorites([...changesOf(removedIds, false), ...changesOf(addedIds, true)]).catch(showFailure)
    if (undo) await sendOutbox(SEND_TIMEOUT_MS)
    onClose()
    if (!undo) return
    // Waits for the server's answer: the server refuses songs that are not in its catalogue.
    const refusedIds = await readRefusedFavorites(sinceMs)
    const addedSongIds = addedIds.filter((songId) => !refusedIds.has(songId))
    const resultParts = [
      `${formatPlural(addedSongIds.length, 'favorite')} added`,
      removedIds.length > 0 && `${formatCount(removedIds.length)} removed`,
      addedSongIds.length < addedIds.length && `${formatCount(addedIds.length - addedSongIds.length)} refused`,
    ]
    const resultText = `${resultParts.filter(Boolean).join(', ')}.`
    if (addedSongIds.length + removedIds.length === 0) return toast({ text: resultText })
    toast({
      kind: 'good',
      text: resultText,
      durationMs: UNDO_MS,
      action: {
        label: 'Undo',
        onSelect: () => void undo([...changesOf(addedSongIds, false), ...changesOf(removedIds, true)]).catch(showFailure),
      },
    })
  }

  return (
    <div className={styles.preview}>
      <p className={typeStyles.muted}>{name}</p>
      <p>
        <strong>{plan.added.length === 0 ? 'No songs' : formatPlural(plan.added.length, 'song')} will be added.</strong>
        {plan.existingCount > 0 &&
          ` ${formatPlural(plan.existingCount, 'song')} in the file ${plan.existingCount === 1 ? 'is' : 'are'} already there.`}
      </p>
      {listedSongs.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable to be scrolled with the keyboard.
        <ul className={styles.titles} aria-label="Songs that will be added" tabIndex={0}>
          {listedSongs.map(({ songId, title }) => (
            <li key={songId} dir="auto">
              {title.trim() || titles.get(songId) || songId}
            </li>
          ))}
          {plan.added.length > listedSongs.length && <li>and {formatCount(plan.added.length - listedSongs.length)} more</li>}
        </ul>
      )}
      {file.unreadablePositions.length > 0 && <p className={typeStyles.muted}>{unreadableText(file)}</p>}
      {plan.missingSongIds.length > 0 && (
        <label className={styles.box}>
          <input
            type="checkbox"
            checked={isReplacing}
            disabled={isApplying}
            onChange={(event) => setReplacing(event.currentTarget.checked)}
          />
          Also remove what is not in the file
        </label>
      )}
      {resultCount > FAVORITES_MAX && <Notice kind="bad">You can have {formatCount(FAVORITES_MAX)} favorites at most.</Notice>}
      <p role="status">{removedIds.length > 0 && `${formatPlural(removedIds.length, 'favorite')} will be removed.`}</p>
      <div className={styles.buttons}>
        <Button
          variant="primary"
          busy={isApplying}
          disabled={!entries || plan.added.length + removedIds.length === 0 || resultCount > FAVORITES_MAX}
          onClick={() => void applyPlan()}
        >
          Apply
        </Button>
        <Button variant="tertiary" onClick={onClose}>
          {isApplying ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </div>
  )
}

const changesOf = (songIds: readonly string[], isFavorite: boolean): FavoriteEdit[] =>
  songIds.map((songId) => ({ songId, favorite: isFavorite }))

function unreadableText({ unreadablePositions, unit }: FavoritesFile): string {
  const singular = unit === 'line' ? 'line' : 'entry'
  const plural = unit === 'line' ? 'lines' : 'entries'
  const moreMark = unreadablePositions.length > TITLES_SHOWN ? ', ...' : ''
  const positionsText = unreadablePositions.slice(0, TITLES_SHOWN).join(', ') + moreMark
  return unreadablePositions.length === 1
    ? `1 ${singular} cannot be read: ${positionsText}.`
    : `${formatCount(unreadablePositions.length)} ${plural} cannot be read: ${positionsText}.`
}
