import { useLayoutEffect, useRef, useState } from 'react'
import type { SongDetail } from '../../../contract/song.ts'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { useDeviceOffline } from '../../hooks/offline.ts'
import { useBusyWhile } from '../../hooks/update.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import styles from './report-dialog.module.css'
import { useReportSong } from './use-report-song.ts'

/** Minimum length of a song report's trimmed reason. */
const REPORT_REASON_MIN_LENGTH = 3

export function ReportDialog({ song, open, onClose }: { song: SongDetail; open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Report this song">
      <ReportForm song={song} onClose={onClose} />
    </Dialog>
  )
}

type ReportProblem = 'reason' | 'network'

function ReportForm({ song, onClose }: { song: SongDetail; onClose: () => void }) {
  const reportSong = useReportSong()
  const toast = useToast()
  const changeToast = useChangeToast()
  const isDeviceOffline = useDeviceOffline()
  const reasonField = useRef<HTMLTextAreaElement>(null)
  const [reasonText, setReason] = useState('')
  const [isSendingReport, setIsSending] = useState(false)
  /** The problem that the alert shows. `count` is incremented, so that a repeated alert is announced again. */
  const [reportProblem, setProblem] = useState<{ kind: ReportProblem; count: number }>()

  useBusyWhile(reasonText.trim() !== '', 'form')

  // Sets the attribute `autofocus` before the dialog opens, because `showModal()` focuses the element that has it. React's `autoFocus` calls
  // focus(),
  // which has no effect in a closed dialog.
  useLayoutEffect(() => reasonField.current?.setAttribute('autofocus', ''), [])

  const showProblem = (kind: ReportProblem) => setProblem((previousProblem) => ({ kind, count: (previousProblem?.count ?? 0) + 1 }))

  const sendReport = async () => {
    const trimmedReason = reasonText.trim()
    if (trimmedReason.length < REPORT_REASON_MIN_LENGTH) {
      showProblem('reason')
      reasonField.current?.focus()
      return
    }
    setIsSending(true)
    const reportOutcome = await reportSong(song.youtube_id, trimmedReason)
    setIsSending(false)
    if (reportOutcome === 'network') return showProblem('network')
    onClose()
    // If the server refuses the report, no message is shown, like after other refused actions of a song.
    if (reportOutcome === 'sent') toast({ text: 'Song reported successfully!', kind: 'good', urgent: true })
    if (reportOutcome === 'queued') changeToast({ text: 'Your report will be sent when there is a connection.' })
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSendingReport) void sendReport()
      }}
    >
      <label className={styles.label}>
        What is wrong with “{song.title}”?
        <textarea
          ref={reasonField}
          className={styles.field}
          rows={4}
          maxLength={2000}
          value={reasonText}
          aria-invalid={reportProblem?.kind === 'reason' || undefined}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
      </label>
      {reportProblem && (
        <Notice key={reportProblem.count} kind="bad">
          {reportProblem.kind === 'reason'
            ? 'Please enter a valid reason.'
            : `${isDeviceOffline ? 'There is no connection.' : "The site isn't responding."} Your report was not sent; try again.`}
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={isSendingReport}>
          Send report
        </Button>
        <Button variant="tertiary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
