import { MOSAIC_COVER_COUNT } from '../../contract/own-playlist-rules.ts'
import type { Playlist } from '../../contract/playlist.ts'
import { OWN_PLAYLIST_CONTEXT_PREFIX } from '../../contract/playlist-rules.ts'

interface PlaylistCardValues {
  id: string
  title: string
  description: string
  songCount: number
  /** The ids of the songs whose pictures form the mosaic of the playlist, as `pickMosaicSongIds` returns them. */
  firstSongIds: readonly string[]
}

/**
 * Returns an own playlist in the shape of the site's playlists, with the picture of its first song. A playlist with enough songs for a mosaic has
 * no picture,
 * because the mosaic would cover it.
 */
export function toSitePlaylist({ id, title, description, songCount, firstSongIds }: PlaylistCardValues): Playlist {
  const contextId = OWN_PLAYLIST_CONTEXT_PREFIX + id
  const hasPicture = firstSongIds.length > 0 && firstSongIds.length < MOSAIC_COVER_COUNT
  const picturePath = hasPicture ? `/img/song/${firstSongIds[0]}` : ''
  return {
    id: contextId,
    title,
    description,
    category_id: '',
    category_name: '',
    description_url: '',
    youtube_url: '',
    special: false,
    image_url: picturePath,
    thumbnail: picturePath,
    url: `/playlist?p=${contextId}`,
    song_count: songCount,
  }
}
