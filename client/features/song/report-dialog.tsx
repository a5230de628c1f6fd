import { useLayoutEffect, useRef, useState } from 'react'
import { REPORT_REASON_MIN_LENGTH } from '../../../contract/report.ts'
import type { SongDetail } from '../../../contract/song.ts'
import { useBusyWhile } from '../../bindings/busy.ts'
import { useUnplugged } from '../../bindings/offline.ts'
import { useReportSong } from '../../bindings/report-song.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Key } from '../../ui/key.tsx'
import { Notice } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import styles from './report-dialog.module.css'

/** Tells the team what is wrong with a song. */
export function ReportDialog({ song, open, onClose }: { song: SongDetail; open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Report this song">
      <ReportForm song={song} onClose={onClose} />
    </Dialog>
  )
}

type Problem = 'reason' | 'network'

function ReportForm({ song, onClose }: { song: SongDetail; onClose: () => void }) {
  const report = useReportSong()
  const toast = useToast()
  const unplugged = useUnplugged()
  const field = useRef<HTMLTextAreaElement>(null)
  const [reason, setReason] = useState('')
  const [sending, setSending] = useState(false)
  /** Counted, so that the same alert is read out again. */
  const [problem, setProblem] = useState<{ kind: Problem; count: number }>()

  useBusyWhile(reason.trim() !== '', 'form')

  // The attribute itself, before the dialog opens: that is where the platform then puts the focus. React's own `autoFocus`
  // is a call to focus(), which does nothing in a dialog that is still closed.
  useLayoutEffect(() => field.current?.setAttribute('autofocus', ''), [])

  const fail = (kind: Problem) => setProblem((before) => ({ kind, count: (before?.count ?? 0) + 1 }))

  const send = async () => {
    const text = reason.trim()
    if (text.length < REPORT_REASON_MIN_LENGTH) {
      fail('reason')
      field.current?.focus()
      return
    }
    setSending(true)
    const answer = await report(song.youtube_id, text)
    setSending(false)
    if (answer === 'network') return fail('network')
    onClose()
    // An answer other than success says nothing, as for the other actions of a song.
    if (answer === 'sent') toast({ text: 'Song reported successfully!', kind: 'good', urgent: true })
    if (answer === 'kept') toast({ text: 'Your report is kept and will be sent when there is a connection.' })
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!sending) void send()
      }}
    >
      <label className={styles.label}>
        What is wrong with “{song.title}”?
        <textarea
          ref={field}
          className={styles.field}
          rows={4}
          maxLength={2000}
          value={reason}
          aria-invalid={problem?.kind === 'reason' || undefined}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
      </label>
      {problem && (
        <Notice key={problem.count} kind="bad">
          {problem.kind === 'reason'
            ? 'Please enter a valid reason.'
            : `${unplugged ? 'There is no connection.' : 'The site does not answer.'} Your report was not sent; try again.`}
        </Notice>
      )}
      <div className={styles.buttons}>
        <Key type="submit" variant="lit" busy={sending}>
          Send report
        </Key>
        <Key variant="flat" onClick={onClose}>
          Cancel
        </Key>
      </div>
    </form>
  )
}
