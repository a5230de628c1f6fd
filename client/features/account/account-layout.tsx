import { type ReactNode, useEffect, useRef } from 'react'
import { findPageAt, type PagePath, pages } from '../../../contract/pages.ts'
import { useIdentity, useSignedInAccount } from '../../hooks/identity.ts'
import { useRequireLogin } from '../../hooks/login-navigation.ts'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './account-layout.module.css'

interface AccountLayoutProps {
  /** The path of the current page, which the menu marks. */
  path: string
  /** Shows the content in full width above the menu, instead of beside the menu. */
  wide?: boolean
  /** Starts playing the favorites, newest first or shuffled. */
  onPlayFavorites: (shuffle: boolean) => void
  children: ReactNode
}

/**
 * The pages in the menu, in order. After the first page, the menu also has the link `Favorites`, which plays the latest favorite, as in the
 * navigation bar.
 */
const menuPaths = [
  '/account',
  '/account/website',
  '/account/promotion',
  '/account/maker',
  '/account/artwork',
  '/account/change-password',
] as const satisfies PagePath[]

const menuLinks = menuPaths
  .filter((path) => !findPageAt(path)?.planned)
  .map((path) => ({ to: path as string, label: pages[path].heading as string }))
  .toSpliced(1, 0, { to: '/go/favorites', label: 'Favorites' })

/** The pages that are not in the menu, each with the path of the menu entry to mark as current. */
const parentPaths: Partial<Record<string, string>> = { '/account/make': '/account/maker' }

/** Layout of the account pages with their menu. Redirects to the login page if no account is signed in. */
export function AccountLayout({ path, wide = false, onPlayFavorites, children }: AccountLayoutProps) {
  const identity = useIdentity()
  const person = useSignedInAccount()
  const requireLogin = useRequireLogin()
  const { settings } = useSite()
  useEffect(() => {
    // The identity is checked in addition to `person`, which is always undefined during hydration.
    if (!person && !identity.getSnapshot())
      requireLogin(identity.wasSignedOut() ? 'You were signed out. Log in again to continue.' : undefined)
  }, [identity, person, requireLogin])
  // On phones, the menu is one line that scrolls: the current page's entry is brought into view.
  const menuElement = useRef<HTMLUListElement>(null)
  const currentMenuLink = useRef<HTMLAnchorElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another current entry.
  useEffect(() => {
    const [list, item] = [menuElement.current, currentMenuLink.current]
    if (list && item) list.scrollLeft = item.offsetLeft - (list.clientWidth - item.offsetWidth) / 2
  }, [path])
  const shownLinks = menuLinks.filter(({ to }) => to !== '/account/artwork' || settings.ARTWORK === 'true')
  const menu = (
    <div key="menu" className={styles.side}>
      <div className={styles.buttons}>
        <Button icon="play" variant={wide ? 'tertiary' : 'secondary'} onClick={() => onPlayFavorites(false)}>
          Play Favorites
        </Button>
        <Button variant="tertiary" icon="shuffle" onClick={() => onPlayFavorites(true)}>
          Shuffle
        </Button>
      </div>
      <nav aria-label="Account">
        <ul ref={menuElement} className={styles.menu}>
          {shownLinks.map(({ to, label }) => (
            <li key={to}>
              <a
                ref={to === path || to === parentPaths[path] ? currentMenuLink : undefined}
                href={to}
                className={styles.item}
                aria-current={to === path ? 'page' : to === parentPaths[path] ? 'true' : undefined}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
  const contentElement = (
    <div key="content" className={styles.content}>
      {children}
    </div>
  )
  return (
    <div className={classNames(styles.page, wide ? styles.wide : typeStyles.wrap)}>
      {wide ? [contentElement, menu] : [menu, contentElement]}
    </div>
  )
}
