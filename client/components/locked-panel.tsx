import { CONTENT_LOCKED_MESSAGE } from '../../contract/errors.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Platter } from '../ui/platter.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './locked-panel.module.css'

/** The panel that visitors without a subscription see in place of content for subscribers. */
export function LockedPanel() {
  return (
    <section className={styles.panel} aria-label="Content locked">
      <Platter seed={CONTENT_LOCKED_MESSAGE} className={styles.platter} />
      <div className={styles.words}>
        <p className={classNames(typeStyles.lead, styles.text)}>{CONTENT_LOCKED_MESSAGE}</p>
        <Button to="/subscribe" variant="primary" size="big">
          Subscribe
        </Button>
      </div>
    </section>
  )
}
