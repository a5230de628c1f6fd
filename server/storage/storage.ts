import type { AccountStore } from './interfaces/accounts.ts'
import type { AddressStore } from './interfaces/addresses.ts'
import type { CatalogueImporter } from './interfaces/catalogue.ts'
import type { ContactStore } from './interfaces/contacts.ts'
import type { ConversionStore } from './interfaces/conversions.ts'
import type { DiscordStore } from './interfaces/discord.ts'
import type { FavoriteStore } from './interfaces/favorites.ts'
import type { FeedStore } from './interfaces/feed.ts'
import type { LoginStore } from './interfaces/logins.ts'
import type { MailStore } from './interfaces/mails.ts'
import type { MakeHistoryStore } from './interfaces/make-history.ts'
import type { MemberStore } from './interfaces/members.ts'
import type { PaymentStore } from './interfaces/payments.ts'
import type { PictureStore } from './interfaces/pictures.ts'
import type { PlaylistStore } from './interfaces/playlists.ts'
import type { PromotionStore } from './interfaces/promotions.ts'
import type { RadioStore } from './interfaces/radio.ts'
import type { RoleStore } from './interfaces/roles.ts'
import type { SaltStore } from './interfaces/salts.ts'
import type { SettingsStore } from './interfaces/settings.ts'
import type { SongStore } from './interfaces/songs.ts'
import type { SuggestionStore } from './interfaces/suggestions.ts'
import type { SupporterStore } from './interfaces/supporters.ts'
import type { WebsiteStore } from './interfaces/websites.ts'

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
  /** Deletes what is stored for a limited time only. */
  deleteExpired(atMs: number): Promise<void>
  close(): Promise<void>
}
