import { useEffect, useState } from 'react'
import { useOffline } from '../../hooks/offline.ts'
import { type OutboxRow, useDiscardOutboxRows, useSendOutbox } from '../../hooks/outbox.ts'
import { isExportingFiles, useReadWaitingOutboxRows } from '../../hooks/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatPlural } from '../../ui/format.ts'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './sign-out-dialog.module.css'

const SEND_TIMEOUT_MS = 4_000

interface SignOutDialogProps {
  open: boolean
  onClose: () => void
  onLeave: () => void
}

/**
 * The dialog that opens on sign-out if files are being exported, or if the outbox contains changes. It first asks about the files. Then it
 * sends the changes if possible, and otherwise asks whether to keep them on this device or to discard them.
 */
export function SignOutDialog({ open, onClose, onLeave }: SignOutDialogProps) {
  const [askedQuestion, setQuestion] = useState<'files' | 'changes'>()
  if (open && askedQuestion === undefined) setQuestion(isExportingFiles() ? 'files' : 'changes')
  if (!open && askedQuestion !== undefined) setQuestion(undefined)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={askedQuestion === 'files' ? 'Sign out while files are made?' : 'Sign out with unsent changes?'}
    >
      {askedQuestion === 'files' ? (
        <>
          <p>Files are being made in this tab. Signing out stops that.</p>
          <div className={styles.choices}>
            <Button variant="primary" onClick={onClose}>
              Stay signed in
            </Button>
            <Button onClick={() => setQuestion('changes')}>Sign out and stop</Button>
          </div>
        </>
      ) : (
        <UnsentChanges onClose={onClose} onLeave={onLeave} />
      )}
    </Dialog>
  )
}

function UnsentChanges({ onClose, onLeave }: Omit<SignOutDialogProps, 'open'>) {
  const offline = useOffline()
  const readWaitingRows = useReadWaitingOutboxRows()
  const sendOutbox = useSendOutbox()
  const discardRows = useDiscardOutboxRows()
  const toast = useToast()
  const [isSendingChanges, setIsSending] = useState(!offline)
  const [outboxRows, setRows] = useState<readonly OutboxRow[]>([])

  // The outbox is read once, when the dialog opens: a modal dialog prevents further changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the dialog opens.
  useEffect(() => {
    let isDialogClosed = false
    const readOutboxRows = async () => {
      const waitingRows = await readWaitingRows()
      if (!isDialogClosed) setRows(waitingRows)
      return waitingRows
    }
    void (async () => {
      if ((await readOutboxRows()).length === 0 && !isDialogClosed) return onLeave()
      if (offline || isDialogClosed) return
      await sendOutbox(SEND_TIMEOUT_MS)
      const waitingRows = await readOutboxRows()
      if (isDialogClosed) return
      if (waitingRows.length === 0) onLeave()
      else setIsSending(false)
    })()
    return () => {
      isDialogClosed = true
    }
  }, [])

  const discardAndLeave = async () => {
    try {
      await discardRows(outboxRows.map(({ id }) => id))
      onLeave()
    } catch {
      toast({ kind: 'bad', text: "This couldn't be saved on this device." })
    }
  }

  return (
    <>
      <p role="status">
        {isSendingChanges ? (
          'Sending your last changes...'
        ) : (
          <>
            {formatPlural(outboxRows.length, 'change')} {outboxRows.length === 1 ? 'is' : 'are'} not sent yet:{' '}
            {describeOutboxRows(outboxRows)}.{' '}
            <span className={typeStyles.muted}>They stay on this device until you log in here again.</span>
          </>
        )}
      </p>
      <div className={styles.choices}>
        <Button variant="primary" onClick={onClose}>
          Stay signed in
        </Button>
        <Button onClick={onLeave}>Sign out and keep them</Button>
        <Button variant="tertiary" icon="trash" busy={isSendingChanges} onClick={() => void discardAndLeave()}>
          Sign out and discard them
        </Button>
      </div>
    </>
  )
}

const nounByEndpoint: Readonly<Record<OutboxRow['call'], string>> = {
  'POST /favorite/sync': 'favorite',
  'POST /list/sync': 'playlist change',
  'POST /follow/sync': 'followed artist',
  'POST /make/history': 'exported file',
  'POST /contact/request': 'message',
  'POST /song/play': 'play',
}

/** Describes the outbox rows by their kind and number, for example `2 favorites and 1 message`. */
function describeOutboxRows(rows: readonly OutboxRow[]): string {
  const countTexts = Object.entries(nounByEndpoint).flatMap(([endpointKey, noun]) => {
    const count = rows.filter((row) => row.call === endpointKey).length
    return count === 0 ? [] : [formatPlural(count, noun)]
  })
  return [countTexts.slice(0, -1).join(', '), ...countTexts.slice(-1)].filter(Boolean).join(' and ')
}
