import { formatPlural } from '../../ui/format.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import nameStyles from './matching-artists-and-playlists.module.css'
import styles from './search-starting-points.module.css'

interface LinkedName {
  path: string
  name: string
  icon: IconName
  songCount?: number
  onFollow?: () => void
}

/** A section of links to artists, songs, categories or searches. Renders nothing if there are no links. */
export function NameLinks({ label, names, onClear }: { label: string; names: readonly LinkedName[]; onClear?: () => void }) {
  if (names.length === 0) return null
  return (
    <section>
      <SectionHeading
        size="small"
        endContent={
          onClear && (
            <button type="button" className={typeStyles.link} onClick={onClear}>
              Clear
            </button>
          )
        }
      >
        {label}
      </SectionHeading>
      <ul className={styles.list} aria-label={label}>
        {names.map(({ path, name, icon, songCount, onFollow }) => (
          <li key={path} className={styles.item}>
            <a className={nameStyles.link} href={path} onClick={onFollow}>
              <Icon name={icon} className={nameStyles.icon} />
              <span className={nameStyles.name} dir="auto">
                {name}
              </span>
              {songCount !== undefined && <span className={typeStyles.legend}>{formatPlural(songCount, 'song')}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
