import { useEffect, useState } from 'react'
import { useOffline } from '../../bindings/offline.ts'
import { useReadUnsent } from '../../bindings/sign-out.ts'
import { type OutboxRow, useDiscard, useTryToSend } from '../../bindings/unsent.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatPlural } from '../../ui/format.ts'
import { Key } from '../../ui/key.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './sign-out-dialog.module.css'
import { unsentInWords } from './unsent-in-words.ts'

const SEND_WITHIN_MS = 4_000

interface SignOutDialogProps {
  open: boolean
  onClose: () => void
  onLeave: () => void
}

/** For who signs out while the site was not told everything: it is sent if it can be, else they say what becomes of it. */
export function SignOutDialog({ open, onClose, onLeave }: SignOutDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Sign out with unsent changes?">
      <Question onClose={onClose} onLeave={onLeave} />
    </Dialog>
  )
}

function Question({ onClose, onLeave }: Omit<SignOutDialogProps, 'open'>) {
  const offline = useOffline()
  const readUnsent = useReadUnsent()
  const tryToSend = useTryToSend()
  const discard = useDiscard()
  const toast = useToast()
  const [sending, setSending] = useState(!offline)
  const [rows, setRows] = useState<readonly OutboxRow[]>([])

  // Once, when it is asked: what is tapped meanwhile cannot be, under a modal.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    let closed = false
    const look = async () => {
      const unsent = await readUnsent()
      if (!closed) setRows(unsent)
      return unsent
    }
    void (async () => {
      await look()
      if (offline) return
      await tryToSend(SEND_WITHIN_MS)
      const unsent = await look()
      if (closed) return
      if (unsent.length === 0) onLeave()
      else setSending(false)
    })()
    return () => {
      closed = true
    }
  }, [])

  const leaveWithout = async () => {
    try {
      await discard(rows.map(({ id }) => id))
      onLeave()
    } catch {
      toast({ kind: 'bad', text: 'This could not be kept on this device.' })
    }
  }

  return (
    <>
      <p role="status">
        {sending ? (
          'Sending your last changes...'
        ) : (
          <>
            {formatPlural(rows.length, 'change')} {rows.length === 1 ? 'is' : 'are'} not sent yet: {unsentInWords(rows)}.{' '}
            <span className={typeStyles.muted}>What you keep waits on this device until you log in here again.</span>
          </>
        )}
      </p>
      <div className={styles.choices}>
        <Key variant="lit" onClick={onClose}>
          Stay signed in
        </Key>
        <Key onClick={onLeave}>Sign out and keep them</Key>
        <Key variant="flat" icon="trash" busy={sending} onClick={() => void leaveWithout()}>
          Sign out and discard them
        </Key>
      </div>
    </>
  )
}
