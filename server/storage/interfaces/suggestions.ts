import type { Suggestions } from '../../../contract/suggestions.ts'
import type { SongView } from './songs.ts'

export interface SuggestionStore {
  /**
   * Returns up to `limit` songs, artists and playlists that match `text` as in `SongStore.search`. Titles and names that begin with the text come
   * first. All lists are empty if the text has no letters or digits.
   */
  find(text: string, limit: number, view: SongView): Promise<Suggestions>
}
