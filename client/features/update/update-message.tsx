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
  const isUpdateAccepted = state === 'accepted'
  return (
    <MessageCard
      icon="loop"
      action={isUpdateAccepted ? undefined : { label: 'Update', onSelect: accept }}
      closeLabel="Later"
      onClose={onDefer}
    >
      {isUpdateAccepted ? 'The new version is ready.' : 'A new version is ready.'}{' '}
      {busyReason && (
        <span className={typeStyles.muted}>
          {/* The text explains the effect of the button before it is pressed. */}
          {isUpdateAccepted ? 'It' : 'Update'} waits until {waitEndTexts[busyReason]}.
        </span>
      )}
    </MessageCard>
  )
}
