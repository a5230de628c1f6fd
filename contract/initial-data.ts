import type { FeedItem, Member, MemberStats, Supporter } from './community.ts'
import type { NamedDocument } from './content.ts'
import type { Playlist, PlaylistWithSongs } from './playlist.ts'
import type { DailyPromotion } from './promotion.ts'
import type { RadioProgramme } from './radio.ts'
import type { Site } from './site.ts'
import type { Song, SongDetail } from './song.ts'
import type { PlaylistSort, SongSort } from './sort-orders.ts'
import type { SearchStartSuggestions } from './suggestions.ts'
import type { SubscriberInfo } from './website.ts'

/** The first rows of a list. `complete`: whether these are all rows. */
export interface FirstRows<T> {
  rows: T[]
  complete: boolean
}

/** The rows that the server embeds in a page's HTML, so that the first render needs no request. */
export interface InitialData {
  playlists?: { order: 'home' | PlaylistSort; rows: Playlist[] }
  /** `complete`: whether `rows` has all songs of the playlist. */
  playlist?: { id: string; rows: PlaylistWithSongs; complete: boolean }
  song?: { id: string; contextId?: string; rows: SongDetail }
  search?: { text: string; artist: boolean; sort: SongSort; rows: Song[]; complete: boolean }
  /** The suggestions that the search page shows while its field is empty. */
  searchStart?: SearchStartSuggestions
  documents?: NamedDocument[]
  members?: FirstRows<Member>
  testimonials?: FirstRows<Member>
  supporters?: FirstRows<Supporter>
  memberStats?: MemberStats
  feed?: FirstRows<FeedItem>
  /** The promotion of the day on the home page; null if there is none. */
  promotion?: DailyPromotion | null
  /** The public information about the subscriber, on a subscriber's host. */
  subscriber?: SubscriberInfo
  /** On a radio host: the song that the main station plays and the songs before and after it; `onAir` is null if the station has no songs. */
  radio?: { onAir: Omit<RadioProgramme, 'server_time'> | null }
}

/** The client's render functions for the server: they return the markup of `#root`. */
export interface PrerenderFunctions {
  /** Renders the page at `path`, which includes the query. */
  renderPage(site: Site, path: string, initial: InitialData): Promise<string>
  /** Renders the shell document, which contains no page. */
  renderShell(site: Site): string | Promise<string>
}
