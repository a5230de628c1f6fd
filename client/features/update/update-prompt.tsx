import { useState } from 'react'
import { useUpdate } from '../../bindings/update.ts'
import { MessageCard } from '../../ui/message-card.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './update-prompt.module.css'

const waitEndTexts = {
  song: 'the music stops',
  render: 'the export is done',
  form: 'your form is sent',
} as const

/** Offers a new version. Accepting never interrupts a song, an export or a form. */
export function UpdatePrompt() {
  const { state, busy: busyReason, accept } = useUpdate()
  const [isDeferred, setIsDeferred] = useState(false)
  const isAccepted = state === 'accepted'

  return (
    // The live region is rendered before its text, so that screen readers announce the text.
    <div role="status" className={styles.region}>
      {state !== 'none' && !isDeferred && (
        <MessageCard
          icon="loop"
          action={isAccepted ? undefined : { label: 'Update', onSelect: accept }}
          closeLabel="Later"
          onClose={() => setIsDeferred(true)}
        >
          {isAccepted ? 'The new version is ready.' : 'A new version is ready.'}{' '}
          {busyReason && (
            <span className={typeStyles.muted}>
              {/* The text explains the effect of the button before it is pressed. */}
              {isAccepted ? 'It' : 'Update'} waits until {waitEndTexts[busyReason]}.
            </span>
          )}
        </MessageCard>
      )}
    </div>
  )
}
