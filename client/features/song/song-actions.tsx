import { useEffect, useRef, useState } from 'react'
import type { SongDetail } from '../../../contract/song.ts'
import { usePerson } from '../../bindings/identity.ts'
import { songPath } from '../../bindings/paths.ts'
import { usePlayerState } from '../../bindings/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Key } from '../../ui/key.tsx'
import { createPart } from '../../ui/part.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './song-actions.module.css'

const COPIED_MS = 1500

const SleepDialog = createPart(() => import('./sleep-dialog.tsx').then((module) => module.SleepDialog), {
  missing: (props, words) => (
    <Dialog {...props} title="Sleep timer">
      {words}
    </Dialog>
  ),
})
const ReportDialog = createPart(() => import('./report-dialog.tsx').then((module) => module.ReportDialog), {
  missing: ({ open, onClose }, words) => (
    <Dialog open={open} onClose={onClose} title="Report this song">
      {words}
    </Dialog>
  ),
})

/** What can be done with the song on its page. */
export function SongActions({ song, contextId }: { song: SongDetail; contextId: string | undefined }) {
  const [open, setOpen] = useState<'login' | 'sleep' | 'report' | 'link'>()
  const [copied, setCopied] = useState(false)
  const person = usePerson()
  const toast = useToast()
  const sleep = usePlayerState((state) => state.sleep)
  const path = songPath(song.youtube_id, contextId)
  /** What was opened once: a dialog that closes gives the focus back itself. */
  const [used, setUsed] = useState({ sleep: false, report: false })
  const close = () => setOpen(undefined)
  const ask = (dialog: 'sleep' | 'report') => {
    setUsed((before) => ({ ...before, [dialog]: true }))
    setOpen(dialog)
  }

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const favorite = () => {
    if (person) toast({ text: 'Not open yet.' })
    else setOpen('login')
  }

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
        <Action icon="heart" label="Favorite" pressed={false} onClick={favorite} />
        <Action icon={copied ? 'check' : 'link'} label="Copy link" onClick={() => void copyLink()}>
          <span role="status" className={styles.popover}>
            {copied && <span className={styles.bubble}>Link copied!</span>}
          </span>
        </Action>
        <Action icon="moon" label="Sleep timer" pressed={sleep.kind !== 'off'} onClick={() => ask('sleep')} />
        <Action icon="flag" label="Report" onClick={() => ask('report')} />
      </div>
      <Dialog open={open === 'login'} onClose={close} title="Login required">
        <p className={typeStyles.muted}>Log in to keep your favorite songs, or sign up if you are new here.</p>
        <div className={styles.choices}>
          <Key to="/login" variant="lit">
            Log in
          </Key>
          <Key to="/signup">Sign up</Key>
        </div>
      </Dialog>
      <Dialog open={open === 'link'} onClose={close} title="Copy link">
        <LinkField path={path} />
      </Dialog>
      {used.sleep && <SleepDialog open={open === 'sleep'} onClose={close} />}
      {used.report && <ReportDialog song={song} open={open === 'report'} onClose={close} />}
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

/** For a browser that does not let the page write to the clipboard: the address, ready to be copied by hand. */
function LinkField({ path }: { path: string }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  return (
    <label className={styles.field}>
      <span className={typeStyles.muted}>Your browser did not allow copying. Select and copy the address:</span>
      <input
        ref={field}
        className={classNames(styles.input, typeStyles.mono)}
        readOnly
        value={location.origin + path}
        onFocus={(event) => event.currentTarget.select()}
      />
    </label>
  )
}
