import { type ReactNode, useState } from 'react'
import { markPath } from '../../../contract/mark.ts'
import { usePerson } from '../../bindings/identity.ts'
import { useSite } from '../../bindings/services.tsx'
import { classNames } from '../../ui/class-names.ts'
import { createDialogPart } from '../../ui/dialog-part.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Key } from '../../ui/key.tsx'
import { Logo } from '../../ui/logo.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './nav-bar.module.css'
import { NavDropdown } from './nav-dropdown.tsx'
import { accountLinks, navGroups } from './nav-links.ts'
import { NavSearch } from './nav-search.tsx'
import { useScrolledPast } from './use-scrolled-past.ts'

interface NavBarProps {
  /** The home page's hero begins under the bar, which is clear until the page is scrolled. */
  home: boolean
  onRandomSong: () => void
  onSearch: (query: string) => void
  /** Opens the latest favorite. */
  onFavorites: () => void
  onSignOut: () => void
  /** The key that installs the site, for the first dropdown and, big, for the menu. */
  install?: (size: 'normal' | 'big') => ReactNode
}

const MobileMenu = createDialogPart('Menu', () => import('./mobile-menu.tsx').then((module) => module.MobileMenu))

const WIDE = '(min-width: 767px)'

export function NavBar({ home, onRandomSong, onSearch, onFavorites, onSignOut, install }: NavBarProps) {
  const site = useSite()
  const person = usePerson()
  const [menuOpen, setMenuOpen] = useState(false)
  const scrolled = useScrolledPast(0, WIDE)
  const groups = navGroups(site, onRandomSong)

  return (
    <header className={classNames(styles.bar, home && styles.over)} data-solid={!home || scrolled}>
      <nav aria-label="Main" className={classNames(typeStyles.wrap, styles.line)}>
        <Logo name={site.settings.NAME} src={site.settings.LOGO} mark={markPath(site.hero.rate)} />
        <div className={styles.groups}>
          {groups.map((group) => (
            <NavDropdown key={group.id} group={group} foot={group.id === 'explore' && install?.('normal')} />
          ))}
        </div>
        <div className={styles.end}>
          <NavSearch onSearch={onSearch} />
          <Key to="/subscribe" variant="flat" className={styles.wide ?? ''}>
            Subscriptions
          </Key>
          <div className={styles.account}>
            {person ? (
              <NavDropdown
                group={{ id: 'account', label: `Account: ${person.email}`, links: accountLinks(onFavorites, onSignOut) }}
                icon="user"
                head={
                  <>
                    <span className={typeStyles.legend}>Signed in as</span>
                    <strong>{person.email}</strong>
                  </>
                }
              />
            ) : (
              <a className={styles.login} href="/login">
                <Icon name="user" className={styles.narrow} />
                <span className={styles.loginWord}>Login</span>
              </a>
            )}
          </div>
          <IconButton
            icon="menu"
            label="Menu"
            look="bright"
            className={styles.narrow ?? ''}
            aria-haspopup="dialog"
            aria-expanded={menuOpen}
            onClick={() => {
              setMenuOpen(true)
            }}
          />
        </div>
        <MobileMenu
          open={menuOpen}
          onClose={() => setMenuOpen(false)}
          groups={groups}
          install={install?.('big')}
          account={
            <Key to={person ? '/account' : '/login'} variant="flat" size="big">
              {person ? 'Dashboard' : 'Login'}
            </Key>
          }
        />
      </nav>
    </header>
  )
}
