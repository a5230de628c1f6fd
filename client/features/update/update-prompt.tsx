import { useState } from 'react'
import { useUpdate } from '../../bindings/update.ts'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './update-prompt.module.css'

const waiting = {
  song: 'It waits until the music stops.',
  render: 'It waits until the export is done.',
  form: 'It waits until your form is sent.',
} as const

/** Says quietly that a new version is here. It never takes anyone out of a song, an export or a form. */
export function UpdatePrompt() {
  const { state, busy, accept } = useUpdate()
  const [later, setLater] = useState(false)
  const shown = state !== 'none' && !later

  return (
    // Stands there from the start, so that what appears in it is read out.
    <div role="status" className={styles.region}>
      {shown && (
        <div className={styles.card}>
          <Icon name="loop" className={styles.icon} />
          <p className={styles.text}>
            {state === 'accepted' ? 'The new version is ready.' : 'A new version is ready.'} {busy && <span>{waiting[busy]}</span>}
          </p>
          {state === 'offered' && (
            <button type="button" className={styles.action} onClick={accept}>
              Update
            </button>
          )}
          <IconButton icon="close" label="Later" onClick={() => setLater(true)} />
        </div>
      )}
    </div>
  )
}
