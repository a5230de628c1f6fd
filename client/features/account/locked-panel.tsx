import { CONTENT_LOCKED } from '../../../contract/locked.ts'
import { classNames } from '../../ui/class-names.ts'
import { Key } from '../../ui/key.tsx'
import { Platter } from '../../ui/platter.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './locked-panel.module.css'

/** What stands in place of what is for subscribers, for everyone else. */
export function LockedPanel() {
  return (
    <section className={styles.panel} aria-label="Content locked">
      <Platter seed={CONTENT_LOCKED} className={styles.platter} />
      <div className={styles.words}>
        <p className={classNames(typeStyles.lead, styles.text)}>{CONTENT_LOCKED}</p>
        <Key to="/subscribe" variant="lit" size="big">
          Subscribe
        </Key>
      </div>
    </section>
  )
}
