import { type ReactNode, useEffect } from 'react'
import { drawBrandMarkPath } from '../../../contract/mark.ts'
import { formatPageTitle, NOT_FOUND_HEADING } from '../../../contract/page-titles.ts'
import type { SubscriberInfo } from '../../../contract/website.ts'
import { NotFoundPanel } from '../../components/not-found.tsx'
import { useSite } from '../../hooks/services.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Logo } from '../../ui/logo.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { ErrorState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './public-page.module.css'
import { SubscriberSiteContent } from './site-content.tsx'
import { useCountClick, useSubscriberSite } from './use-public-website.ts'

const sectionAnchors = [
  ['videos', 'Videos'],
  ['support', 'Support'],
  ['more', 'More'],
  ['about', 'About'],
] as const

interface SubscriberPageProps {
  initialInfo: SubscriberInfo | undefined
  isNotFound: boolean
  radio: ReactNode
}

/** The site of a subscriber: songs, links, playlists, the radio and a text of the owner. */
export function SubscriberSitePage({ initialInfo, isNotFound, radio }: SubscriberPageProps) {
  const { settings, main_url, hero } = useSite()
  return (
    <div className={styles.page}>
      <a href="#main">Skip to content</a>
      <header className={classNames(typeStyles.wrap, styles.bar)}>
        <Logo name={settings.NAME} src={settings.LOGO} svgPath={drawBrandMarkPath(hero.rate)} to={main_url} />
        {!isNotFound && (
          <nav aria-label="Sections">
            <ul className={styles.anchors}>
              {sectionAnchors.map(([anchorId, anchorLabel]) => (
                <li key={anchorId}>
                  <a href={`#${anchorId}`}>{anchorLabel}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        {isNotFound ? <NotFound /> : <LoadedSite initialInfo={initialInfo} radio={radio} />}
      </main>
      <footer className={classNames(typeStyles.wrap, styles.foot)}>
        <p className={typeStyles.muted}>
          Powered by{' '}
          <a className={typeStyles.link} href={main_url}>
            {settings.NAME}
          </a>
        </p>
        <p className={classNames(typeStyles.mono, typeStyles.muted)} suppressHydrationWarning>
          © {new Date().getFullYear()} {settings.DOMAIN}
        </p>
      </footer>
    </div>
  )
}

function NotFound() {
  const { settings, main_url } = useSite()
  useEffect(() => {
    document.title = formatPageTitle(NOT_FOUND_HEADING, settings)
  }, [settings])
  return (
    <NotFoundPanel>
      <Button to="/" variant="primary" icon="arrow-left">
        Go back home
      </Button>
      <Button to={main_url}>Go to {settings.NAME}</Button>
    </NotFoundPanel>
  )
}

function LoadedSite({ initialInfo, radio }: Omit<SubscriberPageProps, 'isNotFound'>) {
  const { info, hasFailed, retry } = useSubscriberSite(initialInfo)
  if (info) return <VisitedSite info={info} radio={radio} />
  return (
    <div className={classNames(typeStyles.wrap, styles.notFound)}>
      {hasFailed ? (
        <ErrorState title="This site could not be loaded." text="Check your connection." onRetry={retry} />
      ) : (
        <SkeletonGrid count={8} />
      )}
    </div>
  )
}

function VisitedSite({ info, radio }: { info: SubscriberInfo; radio: ReactNode }) {
  const { settings } = useSite()
  const countClick = useCountClick()
  const { name, domain_name } = info.data
  useEffect(() => {
    document.title = formatPageTitle(name, settings)
  }, [name, settings])
  useEffect(() => countClick('visit'), [countClick])
  return (
    <SubscriberSiteContent
      info={info}
      banner={<Banner domainName={domain_name} className={styles.banner} />}
      radio={radio}
      countClick={countClick}
    />
  )
}
