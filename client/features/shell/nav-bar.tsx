import { useState } from 'react'
import { drawBrandMarkPath } from '../../../contract/mark.ts'
import { InstallButton } from '../../components/install-button.tsx'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Logo } from '../../ui/logo.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './nav-bar.module.css'
import { NavDropdown } from './nav-dropdown.tsx'
import { createAccountLinks, createNavGroups } from './nav-links.ts'
import { NavSearch } from './nav-search.tsx'
import { useScrolledPast } from './use-scrolled-past.ts'

interface NavBarProps {
  /** Whether the bar is transparent until the page is scrolled, above the home page's hero. */
  isHomePage: boolean
  onRandomSong: () => void
  /** The text that was searched for, if the results page is open. */
  searchedText?: string | undefined
  onSearch: (query: string) => void
  /** Opens the favorite that was added last. */
  onFavorites: () => void
  onSignOut: () => void
}

const MobileMenu = lazyDialog('Menu', () => import('./mobile-menu.tsx').then((module) => module.MobileMenu))

const WIDE_SCREEN_QUERY = '(min-width: 767px)'

export function NavBar({ isHomePage, onRandomSong, searchedText, onSearch, onFavorites, onSignOut }: NavBarProps) {
  const site = useSite()
  const person = useSignedInAccount()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const isScrolled = useScrolledPast(0, WIDE_SCREEN_QUERY)
  const groups = createNavGroups(site, onRandomSong)
  const ownLinks = createAccountLinks(onFavorites, onSignOut)

  return (
    <header className={classNames(styles.bar, isHomePage && styles.over)} data-solid={!isHomePage || isScrolled}>
      <nav aria-label="Main" className={classNames(typeStyles.wrap, styles.line)}>
        <Logo name={site.settings.NAME} src={site.settings.LOGO} svgPath={drawBrandMarkPath(site.hero.rate)} />
        <div className={styles.groups}>
          {groups.map((group) => (
            <NavDropdown key={group.id} group={group} foot={group.id === 'explore' && <InstallButton />} />
          ))}
        </div>
        <div className={styles.end}>
          <NavSearch searchedText={searchedText} onSearch={onSearch} />
          <Button to="/subscribe" variant="tertiary" className={styles.wide ?? ''}>
            Subscriptions
          </Button>
          <div className={styles.account}>
            {person ? (
              <NavDropdown
                group={{ id: 'account', label: `Account: ${person.email}`, links: ownLinks }}
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
            aria-expanded={isMenuOpen}
            onClick={() => {
              setIsMenuOpen(true)
            }}
          />
        </div>
        <MobileMenu
          open={isMenuOpen}
          onClose={() => setIsMenuOpen(false)}
          groups={person ? [...groups, { id: 'account', label: 'Account', links: ownLinks }] : groups}
          accountButton={
            !person && (
              <Button to="/login" variant="tertiary" size="big">
                Login
              </Button>
            )
          }
        />
      </nav>
    </header>
  )
}

/** Renders the first focusable element of the page, a link that skips the navigation. */
export function SkipLink() {
  return <a href="#main">Skip to content</a>
}
