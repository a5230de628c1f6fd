import { useState } from 'react'
import { useUpdate } from '../../bindings/update.ts'
import { MessageCard } from '../../ui/message-card.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './update-prompt.module.css'

const ends = {
  song: 'the music stops',
  render: 'the export is done',
  form: 'your form is sent',
} as const

/** Says quietly that a new version is here. It never takes anyone out of a song, an export or a form. */
export function UpdatePrompt() {
  const { state, busy, accept } = useUpdate()
  const [later, setLater] = useState(false)
  const accepted = state === 'accepted'

  return (
    // Stands there from the start, so that what appears in it is read out.
    <div role="status" className={styles.region}>
      {state !== 'none' && !later && (
        <MessageCard
          icon="loop"
          action={accepted ? undefined : { label: 'Update', onSelect: accept }}
          closeLabel="Later"
          onClose={() => setLater(true)}
        >
          {accepted ? 'The new version is ready.' : 'A new version is ready.'}{' '}
          {busy && (
            <span className={typeStyles.muted}>
              {/* Before it was pressed, what the key will do. */}
              {accepted ? 'It' : 'Update'} waits until {ends[busy]}.
            </span>
          )}
        </MessageCard>
      )}
    </div>
  )
}
