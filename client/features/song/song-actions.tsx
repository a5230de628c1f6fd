import { type ReactNode, useEffect, useState } from 'react'
import { FAVORITES_ID } from '../../../contract/computed-playlists.ts'
import { songHeading } from '../../../contract/page-titles.ts'
import type { SongDetail } from '../../../contract/song.ts'
import { useFavoriteToggle } from '../../bindings/favorites.ts'
import { songPath } from '../../bindings/paths.ts'
import { usePlayerState } from '../../bindings/player.tsx'
import { startTimeout } from '../../primitives/scope.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import styles from './song-actions.module.css'

const COPIED_MS = 1500
const SLEEP_LABEL = 'Sleep timer'

const SleepDialog = lazyDialog(SLEEP_LABEL, () => import('./sleep-dialog.tsx').then((module) => module.SleepDialog))
const SleepLabel = lazyWithRetry(() => import('./sleep-label.tsx').then((module) => module.SleepLabel), {
  fallback: () => SLEEP_LABEL,
  renderError: () => SLEEP_LABEL,
})
const ReportDialog = lazyDialog('Report this song', () => import('./report-dialog.tsx').then((module) => module.ReportDialog))
const LinkDialog = lazyDialog('Copy link', () => import('./link-dialog.tsx').then((module) => module.LinkDialog))

/** Renders the actions for the song on its page: favorite, copy link, sleep timer, report. */
export function SongActions({ song, contextId }: { song: SongDetail; contextId: string | undefined }) {
  const [openDialog, setOpen] = useState<'sleep' | 'report' | 'link'>()
  const [isCopied, setIsCopied] = useState(false)
  const { isFavorite: favorite, toggle } = useFavoriteToggle(song)
  const sleepTimer = usePlayerState((state) => state.sleep)
  const isSleepSet = sleepTimer.kind !== 'off'
  // The favorites are private, so a shared link omits them as context.
  const path = songPath(song.youtube_id, contextId === FAVORITES_ID ? undefined : contextId)
  const closeDialog = () => setOpen(undefined)

  useEffect(() => {
    if (!isCopied) return
    return startTimeout(() => setIsCopied(false), COPIED_MS)
  }, [isCopied])

  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(location.origin + path)
      setIsCopied(true)
    } catch {
      setOpen('link')
    }
  }

  /** Opens the device's share sheet; without one, copies the link. */
  const share = async () => {
    try {
      await navigator.share({ title: songHeading(song), url: location.origin + path })
    } catch (error) {
      const isDismissed = error instanceof DOMException && error.name === 'AbortError'
      if (!isDismissed) await copyLink()
    }
  }

  return (
    <>
      <div className={styles.actions}>
        <ActionButton icon={favorite ? 'heart-filled' : 'heart'} label="Favorite" pressed={favorite} onClick={toggle} />
        <ActionButton icon={isCopied ? 'check' : 'link'} label="Copy link" onClick={() => void copyLink()}>
          <span role="status" className={styles.popover}>
            {isCopied && <span className={styles.bubble}>Link copied!</span>}
          </span>
        </ActionButton>
        {/* Shown by the style sheet on touch screens, so that hydration causes no layout shift. */}
        <ActionButton icon="share" label="Share" className={styles.share} onClick={() => void share()} />
        <ActionButton
          icon="moon"
          label={isSleepSet ? <SleepLabel sleep={sleepTimer} /> : SLEEP_LABEL}
          pressed={isSleepSet}
          onClick={() => setOpen('sleep')}
        />
        <ActionButton icon="flag" label="Report" onClick={() => setOpen('report')} />
      </div>
      <SleepDialog open={openDialog === 'sleep'} onClose={closeDialog} />
      <LinkDialog path={path} open={openDialog === 'link'} onClose={closeDialog} />
      <ReportDialog song={song} open={openDialog === 'report'} onClose={closeDialog} />
    </>
  )
}

interface ActionProps {
  icon: IconName
  label: ReactNode
  pressed?: boolean
  className?: string | undefined
  onClick: () => void
  children?: ReactNode
}

function ActionButton({ icon, label, pressed, className, onClick, children }: ActionProps) {
  return (
    <span className={classNames(styles.cell, className)}>
      <button type="button" className={styles.action} aria-pressed={pressed} onClick={onClick}>
        <Icon name={icon} />
        {label}
      </button>
      {children}
    </span>
  )
}
