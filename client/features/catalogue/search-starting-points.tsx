import { createArtistPath, createPlaylistPath, createSearchPath } from '../../hooks/paths.ts'
import { forgetSearches, useRecentSearches, useTopArtistsAndCategories } from '../../hooks/search-start.ts'
import { NameLinks } from './name-links.tsx'
import styles from './search-starting-points.module.css'

function clearSearches() {
  forgetSearches()
  // Moves the focus to the main content, because the pressed button is removed.
  document.getElementById('main')?.focus({ preventScroll: true })
}

/**
 * Lists starting points for a search: artists, categories, and the latest searches on this device. The searches are last, because the
 * server does not know them: they appear after hydration and would shift the content below them.
 */
export function SearchStartingPoints() {
  const { artists, categories } = useTopArtistsAndCategories() ?? { artists: [], categories: [] }
  const recentSearches = useRecentSearches()
  return (
    <div className={styles.start}>
      <NameLinks
        label="Artists"
        names={artists.map(({ name, song_count }) => ({ path: createArtistPath(name), name, icon: 'user', songCount: song_count }))}
      />
      <NameLinks
        label="Categories"
        names={categories.map(({ id, name, song_count }) => ({ path: createPlaylistPath(id), name, icon: 'list', songCount: song_count }))}
      />
      <NameLinks
        label="Your searches"
        names={recentSearches.map((text) => ({ path: createSearchPath(text), name: text, icon: 'search' }))}
        onClear={clearSearches}
      />
    </div>
  )
}
