import type { AddressStore } from '../catalogue/store-addresses.ts'
import type { FeedStore } from '../catalogue/store-feed.ts'
import type { MemberStore } from '../catalogue/store-members.ts'
import type { PlaylistStore } from '../catalogue/store-playlists.ts'
import type { SongStore } from '../catalogue/store-songs.ts'
import type { SuggestionStore } from '../catalogue/store-suggestions.ts'
import type { SupporterStore } from '../catalogue/store-supporters.ts'
import type { ContactStore } from '../contact/store.ts'
import type { ConversionStore } from '../conversion/store.ts'
import type { MakeHistoryStore } from '../conversion/store-history.ts'
import type { DiscordStore } from '../discord/store.ts'
import type { FavoriteStore } from '../favorites/store.ts'
import type { SaltStore } from '../http/store.ts'
import type { AccountStore } from '../identity/store-accounts.ts'
import type { LoginStore } from '../identity/store-logins.ts'
import type { RoleHolder, RoleStore } from '../identity/store-roles.ts'
import type { MailStore } from '../mail/store.ts'
import type { PaymentStore } from '../payments/store.ts'
import type { PictureStore } from '../pictures/store.ts'
import type { PromotionStore } from '../promotion/store.ts'
import type { RadioStore } from '../radio/store.ts'
import type { SettingsStore } from '../site/store.ts'
import type { WebsiteStore } from '../websites/store.ts'
import type { CatalogueImporter } from './import/importer.ts'

/** The database of the server: one store per aggregate. */
export interface Storage {
  songs: SongStore
  playlists: PlaylistStore
  suggestions: SuggestionStore
  members: MemberStore
  supporters: SupporterStore
  feed: FeedStore
  addresses: AddressStore
  settings: SettingsStore
  contacts: ContactStore
  mails: MailStore
  accounts: AccountStore
  logins: LoginStore
  roles: RoleStore
  discord: DiscordStore
  makeHistory: MakeHistoryStore
  favorites: FavoriteStore
  payments: PaymentStore
  promotions: PromotionStore
  websites: WebsiteStore
  conversions: ConversionStore
  pictures: PictureStore
  radio: RadioStore
  salts: SaltStore
  catalogue: CatalogueImporter
  /**
   * Returns a number that changes when the catalogue or the settings change, in this process at once and in another process within 1 s.
   * Responses are cached under this number, so that it is cheap to read. Plays and reports do not change it.
   */
  revision(): number
  /** Resolves if a read and a write succeed. Rejects with the reason otherwise. */
  checkHealth(): Promise<void>
  /** Checks the whole database and its catalogue. Returns what is wrong, in one line each. */
  findProblems(): Promise<string[]>
  /** Deletes what belongs to an account, in one transaction. What was paid stays with the email address. */
  deleteBelongings(holder: RoleHolder, atMs: number): Promise<void>
  /** Deletes the rows that are stored for a limited time, if that is over. */
  deleteExpired(atMs: number): Promise<void>
  close(): Promise<void>
}
