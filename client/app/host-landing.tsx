import { useEffect } from 'react'
import { markPath } from '../../contract/mark.ts'
import type { Site } from '../../contract/site.ts'
import { UpdatePrompt } from '../features/update/update-prompt.tsx'
import { classNames } from '../ui/class-names.ts'
import { Key } from '../ui/key.tsx'
import { Logo } from '../ui/logo.tsx'
import { Platter } from '../ui/platter.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './host-landing.module.css'

/** What a radio's or a subscriber's host shows: whose it is, and the way to the music on the main site. */
export function HostLanding({ site }: { site: Site }) {
  const { NAME } = site.settings
  const title = site.host_class === 'radio' ? `${NAME} Radio` : site.subdomain
  useEffect(() => {
    document.title = `${title} | ${NAME}`
  }, [title, NAME])

  return (
    <div className={styles.page}>
      <Platter seed={title} className={styles.platter} />
      <header className={classNames(typeStyles.wrap, styles.bar)}>
        <Logo name={NAME} src={site.settings.LOGO} mark={markPath(site.hero.rate)} to={site.main_url} />
      </header>
      <main className={classNames(typeStyles.wrap, styles.main)}>
        <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{title}</h1>
        <p className={typeStyles.lead}>{site.texts.tagline}</p>
        <div className={styles.actions}>
          <Key variant="lit" size="big" icon="play" to={`${site.main_url}/playlists`}>
            Listen to playlists
          </Key>
          <Key size="big" variant="flat" to={site.main_url}>
            Go to {NAME}
          </Key>
        </div>
      </main>
      <footer className={classNames(typeStyles.wrap, styles.foot)}>
        © {new Date().getFullYear()} {NAME}
      </footer>
      <UpdatePrompt />
    </div>
  )
}
