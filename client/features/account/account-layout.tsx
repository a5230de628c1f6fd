import { type ReactNode, useEffect } from 'react'
import { type Person, useIdentity, usePerson } from '../../bindings/identity.ts'
import { useAskToLogIn } from '../../bindings/return-to.ts'
import { classNames } from '../../ui/class-names.ts'
import { Key } from '../../ui/key.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './account-layout.module.css'

interface AccountLayoutProps {
  /** The page's path, which the menu marks. */
  path: string
  /** The page takes the whole width, below its menu. */
  wide?: boolean
  /** From the newest on, or shuffled. */
  onPlayFavorites: (shuffle: boolean) => void
  children: ReactNode
}

const menu = [
  { to: '/account', label: 'Dashboard' },
  { to: '/account/maker', label: 'Maker' },
  { to: '/account/change-password', label: 'Change password' },
]

/** The pages of the account beside their menu. Who is not signed in, or not any more, is sent to the log-in page. */
export function AccountLayout({ path, wide = false, onPlayFavorites, children }: AccountLayoutProps) {
  const identity = useIdentity()
  const person = usePerson()
  const askToLogIn = useAskToLogIn()
  useEffect(() => {
    // Not what is rendered: while the page is still the server's, that is nobody.
    if (!person && !identity.getSnapshot()) askToLogIn(identity.wasSignedOut() ? 'You were signed out. Log in again to go on.' : undefined)
  }, [identity, person, askToLogIn])
  return (
    <div className={classNames(typeStyles.wrap, styles.page, wide && styles.wide)}>
      <div className={styles.side}>
        <div className={styles.keys}>
          <Key icon="play" variant="lit" onClick={() => onPlayFavorites(false)}>
            Play Favorites
          </Key>
          <Key variant="flat" icon="shuffle" onClick={() => onPlayFavorites(true)}>
            Shuffle
          </Key>
        </div>
        <nav aria-label="Account">
          <ul className={styles.menu}>
            {menu.map(({ to, label }) => (
              <li key={to}>
                <a href={to} className={styles.item} aria-current={to === path ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className={styles.content}>{children}</div>
    </div>
  )
}

/** One of them: its heading at once, the rest once it is known whose account it is. */
export function AccountPage({ title, children }: { title: string; children: (person: Person) => ReactNode }) {
  const person = usePerson()
  return (
    <>
      <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{title}</h1>
      {person ? children(person) : <SkeletonRows count={4} />}
    </>
  )
}
