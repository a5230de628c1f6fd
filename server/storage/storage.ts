import type { Role } from '../../contract/account.ts'
import type { FeedItem, Member, MemberStats, Supporter } from '../../contract/community.ts'
import type { ContactRequest } from '../../contract/contact.ts'
import type { FavoriteSync, FavoriteSynced } from '../../contract/favorite.ts'
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
  /**
   * The song in its context (playlist id, else category id, else its own category); `undefined` if it does not exist. `uid` is whose
   * favorites the context `favorite` means, and `SongDetail.favorite`.
   */
  get(songId: string, contextId: string | undefined, view: SongView, uid?: string): Promise<SongDetail | undefined>
  /** Empty where the text has no letters or digits. */
  search(search: SongSearch, view: SongView): Promise<Song[]>
  /** Uniform over the playable songs of the context, or of all; `undefined` where there are none. */
  random(contextId: string | undefined, notSongId: string | undefined): Promise<RandomSong | undefined>
  /** Counts a play once an hour for a client and song, and once for a `changeId`; false where the song does not exist. */
  countPlay(play: {
    songId: string
    contextId: string | undefined
    clientId: string
    /** When it was played. */
    atMs: number
    nowMs: number
    changeId?: string | undefined
  }): Promise<boolean>
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
  /** Once for a `change_id`. */
  add(request: ContactRequest & { brandId: string; atMs: number }): Promise<void>
  /** Newest first. */
  all(page: Page): Promise<(ContactRequest & { id: string; brand: string; created: string })[]>
}

/** An account of the embedded identity service. Times are epoch milliseconds. */
export interface Account {
  uid: string
  /** In lower case. */
  email: string
  passwordHash: string
  emailVerified: boolean
  disabled: boolean
  createdMs: number
  lastLoginMs: number
  /** Identity tokens of an earlier second no longer count. */
  validAfterMs: number
}

/** A log-in that begins: the family of its refresh tokens, and the hash of the first. */
export interface NewSession {
  familyId: string
  tokenHash: string
  /** When the person last gave the password. */
  authTimeMs: number
}

export interface Rotation {
  familyId: string
  /** The hash of the token that was shown, and of the one that replaces it. */
  shownHash: string
  nextHash: string
  atMs: number
  /** How long a replaced token may be shown again, for tabs that ask at once and for answers that were lost. */
  graceMs: number
}

/** What the link in a mail is for. */
export type CodeKind = 'reset' | 'verify'
export interface AccountCode {
  uid: string
  kind: CodeKind
  email: string
  expiresMs: number
}

/** Accounts of the embedded identity service. Each change is one transaction: it is there wholly or not at all. */
export interface AccountStore {
  /** With its first log-in, if one is given; false where the address has an account. */
  create(account: { uid: string; email: string; passwordHash: string; atMs: number }, session?: NewSession): Promise<boolean>
  byUid(uid: string): Promise<Account | undefined>
  byEmail(email: string): Promise<Account | undefined>
  /** Oldest first. */
  all(page: Page): Promise<Account[]>
  /** Begins a log-in; false where the account is gone or disabled, or its password is no longer the one that was checked. */
  addSession(uid: string, checkedHash: string, session: NewSession): Promise<boolean>
  /**
   * Replaces a refresh token. One that the family does not know, or no longer, ends the family: somebody has a copy.
   * `undefined`: the log-in is over. The account is read before anything can end the log-in that goes on.
   */
  rotate(rotation: Rotation): Promise<{ account: Account; authTimeMs: number } | undefined>
  /** Ends the log-in that a refresh token belongs to, replaced or not; nothing where there is none. */
  endSession(familyId: string, tokenHash: string): Promise<void>
  /**
   * Sets a new password and ends every log-in; `session` begins in their place. False where the account is gone, or its password is no
   * longer the one of `checkedHash`: who asked before a change must not undo it.
   */
  setPassword(uid: string, checkedHash: string, passwordHash: string, atMs: number, session: NewSession): Promise<boolean>
  /** Takes the place of an earlier code of the kind. */
  putCode(code: { uid: string; kind: CodeKind; hash: string; expiresMs: number; atMs: number }): Promise<void>
  /** Expired ones too. */
  code(hash: string): Promise<AccountCode | undefined>
  /** Uses a code of the kind 'reset', which also proves the address; false where it is used, replaced or expired. */
  resetPassword(hash: string, passwordHash: string, atMs: number): Promise<boolean>
  /** Uses a code of the kind 'verify'; false where it is used, replaced or expired. */
  verifyEmail(hash: string, atMs: number): Promise<boolean>
  /** False where there is no such account. */
  setDisabled(uid: string, disabled: boolean): Promise<boolean>
  /** Removes the account and all that belongs to it or to its address. */
  remove(uid: string): Promise<boolean>
}

export const roles = ['subscriber', 'donator'] as const satisfies readonly Role[]
export type { Role }
/** Who gave a role: each source has its own, and takes only its own away. */
export type RoleSource = 'admin' | 'payment'
export interface RoleGrant {
  role: Role
  source: RoleSource
  /** Epoch milliseconds; undefined: without end. */
  untilMs: number | undefined
}

/** Roles by address in lower case; an address need not have an account. */
export interface RoleStore {
  /** Takes the place of an earlier grant of the same role and source. */
  grant(email: string, grant: RoleGrant): Promise<void>
  /** False where there was none. */
  revoke(email: string, role: Role, source: RoleSource): Promise<boolean>
  /** Every grant to the address, those that ended too. */
  grantsTo(email: string): Promise<RoleGrant[]>
  /** Takes away every grant to the address. */
  clear(email: string): Promise<void>
  /** The roles that have not ended. */
  of(email: string, nowMs: number): Promise<Role[]>
  all(page: Page): Promise<(RoleGrant & { email: string })[]>
}

/** An account at Discord, as Discord tells it. */
export interface DiscordIdentity {
  id: string
  name: string
}

/** Links to Discord accounts, by the uid of an account that this server or a Firebase project keeps. */
export interface DiscordStore {
  /** Begins an attempt to link, in place of one that the account began before. */
  begin(attempt: {
    uid: string
    tokenHash: string
    /** Of what the browser that begins it holds. */
    browserHash: string
    returnUrl: string
    expiresMs: number
    atMs: number
  }): Promise<void>
  /** Takes an attempt, which only one of several askers can; `undefined` where it is over. */
  take(tokenHash: string, atMs: number): Promise<{ browserHash: string; returnUrl: string } | undefined>
  /**
   * Ends an attempt that was taken and links its account, in place of what was linked before. `taken`: another account has that
   * Discord account. `expired`: a newer attempt was begun meanwhile, or the account is gone.
   */
  finish(tokenHash: string, identity: DiscordIdentity, atMs: number): Promise<'linked' | 'taken' | 'expired'>
  of(uid: string): Promise<(DiscordIdentity & { linkedMs: number }) | undefined>
  /** Takes away what is linked, and an attempt that was begun. */
  forget(uid: string): Promise<void>
}

/** A file that the maker has written. */
export interface MadeFileRow {
  id: string
  file_name: string
  /** Bytes. */
  file_size: number
  speed: number
  /** Semitones. */
  pitch: number
  /** ISO 8601 UTC. */
  created: string
}

/** What people made, by the uid of an account that this server or a Firebase project keeps: the newest 1,000 of each. */
export interface MakeHistoryStore {
  /** Adds a file once: one whose id the account has already stays as it is, and is given. */
  add(uid: string, file: Omit<MadeFileRow, 'created'> & { createdMs: number }): Promise<MadeFileRow>
  /** Newest first. */
  all(uid: string, page: Page): Promise<MadeFileRow[]>
  forget(uid: string): Promise<void>
}

/** What became of a favorite that was set: there is no such song, or there are as many favorites as there may be. */
export type FavoriteOutcome = 'set' | 'no-song' | 'full'

/**
 * Favorites, by the uid of an account that this server or a Firebase project keeps. "Newest first" is by the time of the tap. Songs
 * that the catalogue does not have are left out of what is given as songs.
 */
export interface FavoriteStore {
  /**
   * Applies what a device tells, in one transaction, and gives what has changed. What is told again is not applied again; the last tap
   * on a song wins. Where the device knows all and tells nothing, it is one read.
   */
  sync(uid: string, sync: FavoriteSync, nowMs: number, view: SongView): Promise<FavoriteSynced>
  /** As a tap now that nothing which is stored comes after. Taking out what is not there is 'set'. */
  set(uid: string, songId: string, favorite: boolean, nowMs: number): Promise<FavoriteOutcome>
  has(uid: string, songId: string): Promise<boolean>
  /** Newest first. */
  all(uid: string, page: Page, view: SongView): Promise<Song[]>
  latest(uid: string): Promise<RandomSong | undefined>
  /** Uniform over the playable ones; `undefined` where there are none. */
  random(uid: string, notSongId: string | undefined): Promise<RandomSong | undefined>
  /** All of them as they are stored, newest first; `at` is ISO 8601 UTC. */
  export(uid: string): Promise<{ s: string; at: string }[]>
  /**
   * No cursor that was told before is known any more, so every device asks for its whole list. For a database that was put back to an earlier
   * time: by itself it takes what its successor had told for its own. Gives how many lists there are.
   */
  renew(): Promise<number>
  forget(uid: string): Promise<void>
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
  accounts: AccountStore
  roles: RoleStore
  discord: DiscordStore
  makeHistory: MakeHistoryStore
  favorites: FavoriteStore
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
