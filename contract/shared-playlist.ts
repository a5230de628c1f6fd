import type { EndpointData } from './endpoints.ts'
import { SHARED_PLAYLIST_PATH } from './paths.ts'
import type { PlaylistWithSongs } from './playlist.ts'
import { createSharedPlaylistContextId } from './playlist-rules.ts'

/** Returns a shared playlist in the form of a catalogue playlist, with the name of the owner as its category. */
export function toCataloguePlaylist(
  shareToken: string,
  { songs, owner = '', ...playlistTexts }: EndpointData<'GET /list/get'>,
): PlaylistWithSongs {
  const id = createSharedPlaylistContextId(shareToken)
  const picturePath = songs[0] ? `/img/song/${songs[0].youtube_id}` : ''
  return {
    playlist: {
      ...playlistTexts,
      id,
      category_id: id,
      category_name: owner,
      description_url: '',
      youtube_url: songs[0]?.youtube_url ?? '',
      special: false,
      image_url: picturePath,
      thumbnail: picturePath,
      url: `${SHARED_PLAYLIST_PATH}?l=${shareToken}`,
    },
    songs,
  }
}
