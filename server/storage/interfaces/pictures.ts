/** The scheme of the source of an uploaded banner; the hash of its bytes follows. */
export const BANNER_SCHEME = 'banner:'

/** Source of a picture. `url` and `songId` are undefined if the row has neither a picture nor a song. */
export interface PictureSource {
  /** Https URL of a picture on another host, or `BANNER_SCHEME` with a hash. `/img` fetches no other URLs. */
  url?: string
  /** Id of the song whose video thumbnail is used: the song itself, or the first song of a playlist, computed playlist or category. */
  songId?: string
  /** The number of a playlist or category: playlists in order of title have successive numbers, so that their drawn covers differ. */
  number?: number
}

export type PictureKind = 'song' | 'playlist' | 'member' | 'supporter' | 'feed' | 'website'

export interface PictureStore {
  /**
   * Finds the source of a picture; `undefined` if there is no row of this kind and id. The source of a website that visitors do not see at `atMs` has
   * neither a picture nor a song.
   */
  findSource(kind: PictureKind, id: string, atMs: number): Promise<PictureSource | undefined>
}
