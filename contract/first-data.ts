import type { Playlist, PlaylistWithSongs } from './playlist.ts'
import type { Site } from './site.ts'
import type { Song, SongDetail } from './song.ts'

/** The rows that a page opens with. The server writes them into the HTML, so that nothing is fetched before content. */
export interface FirstData {
  playlists?: { order: 'home' | 'popular' | 'az' | 'za'; rows: Playlist[] }
  /** `complete`: these are all of its songs. */
  playlist?: { id: string; rows: PlaylistWithSongs; complete: boolean }
  song?: { id: string; contextId?: string; rows: SongDetail }
  search?: { text: string; artist: boolean; sort: 'az' | 'za' | 'newest' | 'oldest'; rows: Song[]; complete: boolean }
}

/** What the page's program offers to the server: the markup of `#root` as the page itself will render it. */
export interface Prerender {
  /** `path` with its query, as the browser asks for it. */
  renderPage(site: Site, path: string, first: FirstData): Promise<string>
  /** The frame alone: for a document that stands in for every address. */
  renderShell(site: Site): string
}
