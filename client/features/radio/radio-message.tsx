import { Icon, type IconName } from '../../ui/icon.tsx'
import styles from './radio-message.module.css'
import { useRadioState } from './use-radio.ts'

/** Shows a problem of the radio in a live region. The radio continues despite the problem, or Play resumes it. */
export function RadioMessage() {
  const message = useMessage()
  return (
    // The live region is rendered before its text, so that screen readers announce the text.
    <div role="status">
      {message && (
        <p className={styles.message}>
          <Icon name={message.icon} size="s" className={styles.icon} />
          <span>{message.text}</span>
        </p>
      )}
    </div>
  )
}

function useMessage(): { icon: IconName; text: string } | undefined {
  const status = useRadioState((state) => state.status)
  const isStationUnreachable = useRadioState((state) => state.serverUnreachable)
  if (status === 'blocked') return { icon: 'play', text: 'Press play to start.' }
  if (status === 'unplayable') return { icon: 'warning', text: "This video can't play here. The next song starts on schedule." }
  if (status === 'failed') return { icon: 'offline', text: 'The video platform is out of reach. Press play to try again.' }
  if (isStationUnreachable)
    return {
      icon: 'offline',
      text: `Our server is out of reach. The ${status === 'playing' ? 'music goes on' : 'radio comes back by itself'}.`,
    }
  return undefined
}
