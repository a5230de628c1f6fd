import type { FeedItem, Member, MemberStats, Supporter } from '../../contract/community.ts'
import type { ContactRequest } from '../../contract/contact.ts'
import type { Playlist, PlaylistWithSongs } from '../../contract/playlist.ts'
import type { SettingKey } from '../../contract/site.ts'
import type { RandomSong, Song, SongDetail } from '../../contract/song.ts'

/** A slice of a list: `limit` 1..10000 rows from `offset`. */
export interface Page {
  limit: number
  offset: number
}

/** What the reader's brand decides about songs: those added at or after this time (epoch ms) are new. */
export interface SongView {
  newSinceMs: number
}

export interface SongSearch extends Page {
  /** Text as a person typed it; the store folds it. */
  text: string
  artistOnly: boolean
  orderBy: 'title' | 'date_added'
  direction: 'ASC' | 'DESC'
}

export interface SongStore {
  /** The song in its context (playlist id, else category id, else its own category); `undefined` if it does not exist. */
  get(songId: string, contextId: string | undefined, view: SongView): Promise<SongDetail | undefined>
  /** Empty where the text has no letters or digits. */
  search(search: SongSearch, view: SongView): Promise<Song[]>
  /** Uniform over the playable songs of the context, or of all; `undefined` where there are none. */
  random(contextId: string | undefined, notSongId: string | undefined): Promise<RandomSong | undefined>
  /** Counts a play once an hour for a client and song; false where the song does not exist. */
  countPlay(play: { songId: string; contextId: string | undefined; clientId: string; atMs: number }): Promise<boolean>
  /** Three distinct reporters in a day take the song out of random and next; false where the song does not exist. */
  reportUnplayable(report: { songId: string; reason: string; clientId: string; atMs: number }): Promise<boolean>
  listUnplayable(): Promise<{ youtube_id: string; title: string; reporters: number; reason: string; last_reported: string }[]>
}

export interface PlaylistStore {
  /** By popularity (plays of the last 30 days, then favorites, then title), or by title where `order` is given. */
  all(query: Page & { homeOnly: boolean; order: 'ASC' | 'DESC' | undefined; nowMs: number }, view: SongView): Promise<Playlist[]>
  /** `count` playlists, different on each call. */
  explore(count: number, view: SongView): Promise<Playlist[]>
  /** A playlist, a computed playlist or a category as one; `undefined` if there is none. */
  get(playlistId: string, page: Page, view: SongView): Promise<PlaylistWithSongs | undefined>
}

export interface MemberStore {
  stats(): Promise<MemberStats>
  /** Academy members are not among them. */
  all(page: Page): Promise<Member[]>
  testimonials(page: Page): Promise<Member[]>
}

export interface SupporterStore {
  all(page: Page): Promise<Supporter[]>
}

export interface FeedStore {
  /** Newest first. */
  all(page: Page): Promise<FeedItem[]>
}

export interface SettingsStore {
  /** The values that were set for a brand, as written; a value set for the brand wins over one set for all. */
  forBrand(brandId: string): Promise<Partial<Record<SettingKey, string>>>
  /** `brandId` undefined: for every brand. `value` undefined: back to the brand's own default. */
  set(key: SettingKey, value: string | undefined, brandId: string | undefined): Promise<void>
}

export interface ContactStore {
  add(request: ContactRequest & { brandId: string; atMs: number }): Promise<void>
  /** Newest first. */
  all(page: Page): Promise<(ContactRequest & { id: string; brand: string; created: string })[]>
}

/** Where the picture of something in the catalogue comes from: what it names itself, else a song's thumbnail, else nowhere. */
export interface PictureSource {
  /** The https URL of a picture on another host. These are the only ones that `/img` may fetch. */
  url?: string
  /** The song whose thumbnail stands for it: a song itself, a playlist's first (computed playlists and categories too). */
  songId?: string
}
export type PictureKind = 'song' | 'playlist' | 'member' | 'supporter' | 'feed'

export interface PictureStore {
  /** `undefined` where the catalogue has no such thing. */
  source(kind: PictureKind, id: string): Promise<PictureSource | undefined>
}

export interface ImportSummary {
  playlists: number
  songs: number
  members: number
  supporters: number
  feed: number
}

/** A row of an import file was refused; nothing has changed. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

export interface CatalogueStore {
  isEmpty(): Promise<boolean>
  /**
   * Upserts by id everything in one catalogue file (its keys: `contract/import.ts`), all or nothing: rows are staged
   * while the site runs and swapped in at the end. Memory stays bounded whatever the size.
   * @throws ImportError naming the first bad row, for instance `songs[17].date_added: …`
   */
  importFile(path: string): Promise<ImportSummary>
}

export interface Storage {
  songs: SongStore
  playlists: PlaylistStore
  members: MemberStore
  supporters: SupporterStore
  feed: FeedStore
  settings: SettingsStore
  contacts: ContactStore
  pictures: PictureStore
  catalogue: CatalogueStore
  /**
   * Changes whenever anything that answers are cached from has changed (catalogue, settings), in this process or in
   * another, at most 1 s later. Cheap enough to read on every request. Plays and reports do not count.
   */
  revision(): number
  /** Resolves once a read and a write would succeed; rejects with the reason. */
  check(): Promise<void>
  close(): Promise<void>
}
