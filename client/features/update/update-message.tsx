import { useSiteUpdate } from '../../hooks/update.ts'
import { MessageCard } from '../../ui/message-card.tsx'
import typeStyles from '../../ui/type.module.css'

const waitEndTexts = {
  song: 'the music stops',
  render: 'the export is done',
  form: 'your form is sent',
} as const

/** The message that a new version is ready, or that it starts after the current activity. */
export function UpdateMessage({ onDefer }: { onDefer: () => void }) {
  const { state, busy: busyReason, accept } = useSiteUpdate()
  const isAccepted = state === 'accepted'
  return (
    <MessageCard icon="loop" action={isAccepted ? undefined : { label: 'Update', onSelect: accept }} closeLabel="Later" onClose={onDefer}>
      {isAccepted ? 'The new version is ready.' : 'A new version is ready.'}{' '}
      {busyReason && (
        <span className={typeStyles.muted}>
          {/* The text explains the effect of the button before it is pressed. */}
          {isAccepted ? 'It' : 'Update'} waits until {waitEndTexts[busyReason]}.
        </span>
      )}
    </MessageCard>
  )
}
