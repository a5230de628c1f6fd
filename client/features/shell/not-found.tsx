import { usePageTitle } from '../../bindings/page-title.ts'
import { classNames } from '../../ui/class-names.ts'
import { Key } from '../../ui/key.tsx'
import { Platter } from '../../ui/platter.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './not-found.module.css'

export function NotFound() {
  usePageTitle('Page not found')
  return (
    <div className={styles.page}>
      <Platter seed="404" className={styles.platter} />
      <div className={classNames(typeStyles.wrap, styles.words)}>
        <p className={classNames(typeStyles.display, typeStyles.d4, styles.number)}>404</p>
        <h1 className={classNames(typeStyles.head, typeStyles.d2)}>Page not found</h1>
        <Key to="/" variant="lit" icon="arrow-left">
          Go back home
        </Key>
      </div>
    </div>
  )
}
