import { useEffect, useState } from 'react'
import { FAVORITES_ID } from '../../../contract/computed-playlists.ts'
import type { SongDetail } from '../../../contract/song.ts'
import { useFavoriteToggle } from '../../bindings/favorite-toggle.ts'
import { songPath } from '../../bindings/paths.ts'
import { usePlayerState } from '../../bindings/player.tsx'
import { createDialogPart } from '../../ui/dialog-part.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import styles from './song-actions.module.css'

const COPIED_MS = 1500

const SleepDialog = createDialogPart('Sleep timer', () => import('./sleep-dialog.tsx').then((module) => module.SleepDialog))
const ReportDialog = createDialogPart('Report this song', () => import('./report-dialog.tsx').then((module) => module.ReportDialog))
const LinkDialog = createDialogPart('Copy link', () => import('./link-dialog.tsx').then((module) => module.LinkDialog))

/** What can be done with the song on its page. */
export function SongActions({ song, contextId }: { song: SongDetail; contextId: string | undefined }) {
  const [open, setOpen] = useState<'sleep' | 'report' | 'link'>()
  const [copied, setCopied] = useState(false)
  const { favorite, toggle } = useFavoriteToggle(song)
  const sleep = usePlayerState((state) => state.sleep)
  // Somebody's favorites are nobody else's.
  const path = songPath(song.youtube_id, contextId === FAVORITES_ID ? undefined : contextId)
  const close = () => setOpen(undefined)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(location.origin + path)
      setCopied(true)
    } catch {
      setOpen('link')
    }
  }

  return (
    <>
      <div className={styles.actions}>
        <Action icon={favorite ? 'heart-filled' : 'heart'} label="Favorite" pressed={favorite} onClick={toggle} />
        <Action icon={copied ? 'check' : 'link'} label="Copy link" onClick={() => void copyLink()}>
          <span role="status" className={styles.popover}>
            {copied && <span className={styles.bubble}>Link copied!</span>}
          </span>
        </Action>
        <Action icon="moon" label="Sleep timer" pressed={sleep.kind !== 'off'} onClick={() => setOpen('sleep')} />
        <Action icon="flag" label="Report" onClick={() => setOpen('report')} />
      </div>
      <SleepDialog open={open === 'sleep'} onClose={close} />
      <LinkDialog path={path} open={open === 'link'} onClose={close} />
      <ReportDialog song={song} open={open === 'report'} onClose={close} />
    </>
  )
}

interface ActionProps {
  icon: IconName
  label: string
  pressed?: boolean
  onClick: () => void
  children?: React.ReactNode
}

function Action({ icon, label, pressed, onClick, children }: ActionProps) {
  return (
    <span className={styles.cell}>
      <button type="button" className={styles.action} aria-pressed={pressed} onClick={onClick}>
        <Icon name={icon} />
        {label}
      </button>
      {children}
    </span>
  )
}
