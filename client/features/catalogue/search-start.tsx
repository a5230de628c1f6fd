import { artistPath, playlistPath, searchPath } from '../../hooks/paths.ts'
import { forgetSearches, useRecentSearches, useSearchStart } from '../../hooks/search-start.ts'
import { formatPlural } from '../../ui/format.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import nameStyles from './found-names.module.css'
import styles from './search-start.module.css'

interface Name {
  path: string
  name: string
  songCount?: number
}

function Names({ label, icon, names, onClear }: { label: string; icon: IconName; names: readonly Name[]; onClear?: () => void }) {
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
        {names.map(({ path, name, songCount }) => (
          <li key={path} className={styles.item}>
            <a className={nameStyles.link} href={path}>
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

/**
 * What a search can begin with: artists, categories, and the latest searches of this device. The searches are last, because they are unknown in the
 * page's HTML and would move what is below them.
 */
export function SearchStart() {
  const { artists, categories } = useSearchStart() ?? { artists: [], categories: [] }
  const searches = useRecentSearches()
  return (
    <div className={styles.start}>
      <Names
        label="Artists"
        icon="user"
        names={artists.map(({ name, song_count }) => ({ path: artistPath(name), name, songCount: song_count }))}
      />
      <Names
        label="Categories"
        icon="list"
        names={categories.map(({ id, name, song_count }) => ({ path: playlistPath(id), name, songCount: song_count }))}
      />
      <Names
        label="Your searches"
        icon="search"
        names={searches.map((text) => ({ path: searchPath(text), name: text }))}
        onClear={forgetSearches}
      />
    </div>
  )
}
