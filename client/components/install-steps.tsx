import { useAppInstaller } from '../hooks/install.ts'
import { useSite } from '../hooks/services.tsx'
import { Icon } from '../ui/icon.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './install-steps.module.css'

/** Renders the steps to install the app on an iPhone or iPad. */
export function InstallSteps() {
  const { device } = useAppInstaller()
  const { NAME } = useSite().settings
  return (
    <ol className={styles.steps}>
      <li>
        Press <Icon name="share" size="s" className={styles.share} /> <strong>Share</strong>{' '}
        {device === 'phone' ? "in the browser's bar" : 'beside the address'}.{' '}
        <span className={typeStyles.muted}>Not there? Tap the three dots.</span>
      </li>
      <li>
        Choose <strong>Add to Home Screen</strong>. <span className={typeStyles.muted}>It is further down the list.</span>
      </li>
      <li>
        Press <strong>Add</strong>. {NAME} then opens from your home screen, even offline.
      </li>
    </ol>
  )
}
