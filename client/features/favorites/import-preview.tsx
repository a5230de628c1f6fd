import { useMemo, useState } from 'react'
import { FAVORITES_MAX } from '../../../contract/favorite-limits.ts'
import { useFavoriteList } from '../../bindings/favorite-list.ts'
import { type FavoriteTap, useTapFavorites } from '../../bindings/favorites.ts'
import { useReadRefusedSongs, useSongTitles, useTryToSend } from '../../bindings/unsent.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Key } from '../../ui/key.tsx'
import { Notice } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { type FavoritesFile, type ImportPlan, planImport } from './favorites-file.ts'
import styles from './favorites-section.module.css'

const TITLES_SHOWN = 20
const UNDO_MS = 20_000
/** What the site says to it by then is told at once; the rest is sent by and by. */
const SEND_WITHIN_MS = 4_000

/** What a file would change, before it does. */
export function ImportPreview({ name, file, onClose }: { name: string; file: FavoritesFile; onClose: () => void }) {
  const entries = useFavoriteList()?.entries
  const planned = useMemo(() => planImport(file, entries ?? []), [file, entries])
  /** What is under way stays what is shown: the favorites have it at once. */
  const [applied, setApplied] = useState<ImportPlan>()
  const plan = applied ?? planned
  const busy = applied !== undefined
  const [replace, setReplace] = useState(false)
  const tap = useTapFavorites()
  const tryToSend = useTryToSend()
  const readRefusedSongs = useReadRefusedSongs()
  const toast = useToast()
  const first = plan.added.slice(0, TITLES_SHOWN)
  const titles = useSongTitles(first.map(({ songId }) => songId))
  const removed = replace ? plan.others : []
  const count = plan.already + plan.added.length + (replace ? 0 : plan.others.length)

  const failed = () => {
    toast({ kind: 'bad', text: 'This could not be kept on this device.' })
    return undefined
  }
  const apply = async () => {
    setApplied(plan)
    const sinceMs = Date.now()
    const wanted = plan.added.map(({ songId }) => songId)
    const undo = await tap([...taps(removed, false), ...taps(wanted, true)]).catch(failed)
    if (undo) await tryToSend(SEND_WITHIN_MS)
    onClose()
    if (!undo) return
    // A file of another site may name songs that are not here.
    const refused = await readRefusedSongs(sinceMs)
    const added = wanted.filter((songId) => !refused.has(songId))
    const words = [
      `${formatPlural(added.length, 'favorite')} added`,
      removed.length > 0 && `${formatCount(removed.length)} removed`,
      added.length < wanted.length && `${formatCount(wanted.length - added.length)} refused`,
    ]
    const text = `${words.filter(Boolean).join(', ')}.`
    if (added.length + removed.length === 0) return toast({ text })
    toast({
      kind: 'good',
      text,
      durationMs: UNDO_MS,
      action: { label: 'Undo', onSelect: () => void undo([...taps(added, false), ...taps(removed, true)]).catch(failed) },
    })
  }

  return (
    <div className={styles.preview}>
      <p className={typeStyles.muted}>{name}</p>
      <p>
        <strong>{plan.added.length === 0 ? 'No songs' : formatPlural(plan.added.length, 'song')} will be added.</strong>
        {plan.already > 0 && ` ${formatPlural(plan.already, 'song')} of the file ${plan.already === 1 ? 'is' : 'are'} there already.`}
      </p>
      {first.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
        <ul className={styles.titles} aria-label="Songs that will be added" tabIndex={0}>
          {first.map(({ songId, title }) => (
            <li key={songId} dir="auto">
              {title.trim() || titles.get(songId) || songId}
            </li>
          ))}
          {plan.added.length > first.length && <li>and {formatCount(plan.added.length - first.length)} more</li>}
        </ul>
      )}
      {file.unreadable.length > 0 && <p className={typeStyles.muted}>{unreadableWords(file)}</p>}
      {plan.others.length > 0 && (
        <label className={styles.box}>
          <input type="checkbox" checked={replace} disabled={busy} onChange={(event) => setReplace(event.currentTarget.checked)} />
          Also remove what is not in the file
        </label>
      )}
      {count > FAVORITES_MAX && <Notice kind="bad">There can be {formatCount(FAVORITES_MAX)} favorites at most.</Notice>}
      <p role="status">{removed.length > 0 && `${formatPlural(removed.length, 'favorite')} will be removed.`}</p>
      <div className={styles.keys}>
        <Key
          variant="lit"
          busy={busy}
          disabled={!entries || plan.added.length + removed.length === 0 || count > FAVORITES_MAX}
          onClick={() => void apply()}
        >
          Apply
        </Key>
        <Key variant="flat" onClick={onClose}>
          {busy ? 'Close' : 'Cancel'}
        </Key>
      </div>
    </div>
  )
}

const taps = (songIds: readonly string[], favorite: boolean): FavoriteTap[] => songIds.map((songId) => ({ songId, favorite }))

function unreadableWords({ unreadable, unit }: FavoritesFile): string {
  const one = unit === 'line' ? 'line' : 'entry'
  const many = unit === 'line' ? 'lines' : 'entries'
  const more = unreadable.length > TITLES_SHOWN ? ', ...' : ''
  const places = unreadable.slice(0, TITLES_SHOWN).join(', ') + more
  return unreadable.length === 1
    ? `1 ${one} cannot be read: ${places}.`
    : `${formatCount(unreadable.length)} ${many} cannot be read: ${places}.`
}
