import { useCallback } from 'react'
import { artistPath, songPath } from '../../hooks/paths.ts'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import nameStyles from './found-names.module.css'
import styles from './search-start.module.css'

/** Artists and songs that are spelled like the text of a search that found nothing. Renders nothing if there are none, or without a connection. */
export function DidYouMean({ text }: { text: string }) {
  const { api } = useServices()
  const { data } = useRemoteData(
    useCallback((signal: AbortSignal) => api.call('GET /search/similar', { s: text }, { signal }), [api, text]),
  )
  if (data === undefined || data.artists.length + data.songs.length === 0) return null
  const names = [
    ...data.artists.map(({ name }) => ({ path: artistPath(name), name, icon: 'user' as const })),
    ...data.songs.map(({ youtube_id, title, category_id }) => ({
      path: songPath(youtube_id, category_id),
      name: title,
      icon: 'play' as const,
    })),
  ]
  return (
    <section>
      <SectionHeading size="small">Did you mean</SectionHeading>
      <ul className={styles.list} aria-label="Did you mean">
        {names.map(({ path, name, icon }) => (
          <li key={path} className={styles.item}>
            <a className={nameStyles.link} href={path}>
              <Icon name={icon} className={nameStyles.icon} />
              <span className={nameStyles.name} dir="auto">
                {name}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
