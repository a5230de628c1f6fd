/** Source of a picture. Both fields are undefined if the row has neither a picture nor a song. */
export interface PictureSource {
  /** Https URL of a picture on another host. `/img` fetches no other URLs. */
  url?: string
  /** Id of the song whose video thumbnail is used: the song itself, or the first song of a playlist, computed playlist or category. */
  songId?: string
}

export type PictureKind = 'song' | 'playlist' | 'member' | 'supporter' | 'feed'

export interface PictureStore {
  /** Finds the source of a picture; `undefined` if the catalogue has no row of this kind and id. */
  findSource(kind: PictureKind, id: string): Promise<PictureSource | undefined>
}
