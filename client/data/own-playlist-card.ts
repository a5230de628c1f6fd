import type { Playlist } from '../../contract/playlist.ts'
import { OWN_PLAYLIST_CONTEXT_PREFIX } from '../../contract/playlist-rules.ts'

interface CardValues {
  id: string
  title: string
  description: string
  songCount: number
  firstSongId: string | undefined
}

/** Returns an own playlist in the shape of the site's playlists, with the picture of its first song; without a picture if it has no song. */
export function toSitePlaylist({ id, title, description, songCount, firstSongId }: CardValues): Playlist {
  const contextId = OWN_PLAYLIST_CONTEXT_PREFIX + id
  const picture = firstSongId === undefined ? '' : `/img/song/${firstSongId}`
  return {
    id: contextId,
    title,
    description,
    category_id: '',
    category_name: '',
    description_url: '',
    youtube_url: '',
    special: false,
    image_url: picture,
    thumbnail: picture,
    url: `/playlist?p=${contextId}`,
    song_count: songCount,
  }
}
