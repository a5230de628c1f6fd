import { foldText } from '../../../contract/fold-text.ts'
import type { Song } from '../../../contract/song.ts'
import { FollowButton } from '../../components/follow-button.tsx'
import type { SearchQuery } from '../../hooks/catalogue.ts'
import { createArtistPath, createPlaylistPath } from '../../hooks/paths.ts'
import { useSuggestions } from '../../hooks/suggestions.ts'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './matching-artists-and-playlists.module.css'

const SHOWN_NAMES_MAX = 8
const COVER_PX = 32

/**
 * The artists and playlists that match a search, in one line that scrolls; for a search by artist, the number of the artist's songs
 * instead of the artist, and the button that follows the artist.
 */
export function MatchingArtistsAndPlaylists({ query, songs }: { query: SearchQuery; songs: readonly Song[] }) {
  const { suggestions } = useSuggestions(query.text, { limit: SHOWN_NAMES_MAX })
  const foldedText = foldText(query.text)
  const searchedArtist = query.artist ? suggestions?.artists.find(({ name }) => foldText(name) === foldedText) : undefined
  const artistName =
    searchedArtist?.name ?? songs.find(({ author_name }) => query.artist && foldText(author_name) === foldedText)?.author_name
  const artists = suggestions?.artists.filter((artist) => artist !== searchedArtist) ?? []
  const playlists = suggestions?.playlists ?? []
  return (
    <>
      {searchedArtist && <p className={classNames(typeStyles.mono, styles.count)}>{formatPlural(searchedArtist.song_count, 'song')}</p>}
      {artistName !== undefined && <FollowButton artist={artistName} />}
      {artists.length + playlists.length > 0 && (
        <ul className={styles.list} aria-label="Artists and playlists">
          {artists.map(({ name, song_count }) => (
            <li key={name}>
              <a className={styles.link} href={createArtistPath(name)}>
                <Icon name="user" className={styles.icon} />
                <span className={styles.name} dir="auto">
                  {name}
                </span>
                <span className={typeStyles.legend}>{formatPlural(song_count, 'song')}</span>
              </a>
            </li>
          ))}
          {playlists.map(({ id, title, song_count }) => (
            <li key={id}>
              <a className={styles.link} href={createPlaylistPath(id)}>
                <Cover src={`/img/playlist/${id}`} ratio="square" width={COVER_PX} alt="" className={styles.cover} />
                <span className={styles.name} dir="auto">
                  {title}
                </span>
                {song_count !== undefined && <span className={typeStyles.legend}>{formatPlural(song_count, 'song')}</span>}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
