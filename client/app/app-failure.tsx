import { classNames } from '../ui/class-names.ts'
import { Key } from '../ui/key.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './app-failure.module.css'

/** Shown when the page could not start or broke as a whole. Needs nothing but style sheets. */
export function AppFailure() {
  return (
    <main className={classNames(typeStyles.wrap, styles.page)}>
      <h1 className={classNames(typeStyles.display, typeStyles.d3)}>The page stopped</h1>
      <p role="alert" className={typeStyles.lead}>
        Something in it failed, and it could not go on. Nothing you saved is lost. Reload to start it again.
      </p>
      <div className={styles.actions}>
        <Key variant="lit" icon="loop" onClick={() => location.reload()}>
          Reload
        </Key>
        <Key to="/" variant="flat">
          Go back home
        </Key>
      </div>
    </main>
  )
}
