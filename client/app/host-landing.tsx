import { useEffect } from 'react'
import { brandMarkPath } from '../../contract/mark.ts'
import { pageTitle } from '../../contract/page-titles.ts'
import type { Site } from '../../contract/site.ts'
import { UpdatePrompt } from '../features/update/update-prompt.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Logo } from '../ui/logo.tsx'
import { Platter } from '../ui/platter.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './host-landing.module.css'

/** The page of subscriber hosts: the host's name, and links to the main site. */
export function HostLanding({ site }: { site: Site }) {
  const { NAME } = site.settings
  const title = site.subdomain
  useEffect(() => {
    document.title = pageTitle(title, site.settings)
  }, [title, site])

  return (
    <div className={styles.page}>
      <Platter seed={title} className={styles.platter} />
      <header className={classNames(typeStyles.wrap, styles.bar)}>
        <Logo name={NAME} src={site.settings.LOGO} svgPath={brandMarkPath(site.hero.rate)} to={site.main_url} />
      </header>
      <main className={classNames(typeStyles.wrap, styles.main)}>
        <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{title}</h1>
        <p className={typeStyles.lead}>{site.texts.tagline}</p>
        <div className={styles.actions}>
          <Button variant="primary" size="big" icon="play" to={`${site.main_url}/playlists`}>
            Listen to playlists
          </Button>
          <Button size="big" variant="tertiary" to={site.main_url}>
            Go to {NAME}
          </Button>
        </div>
      </main>
      <footer className={classNames(typeStyles.wrap, styles.foot)}>
        © {new Date().getFullYear()} {NAME}
      </footer>
      <UpdatePrompt />
    </div>
  )
}
