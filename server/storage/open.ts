import { createAccountStore } from '../identity/store-accounts.ts'
import { createAddressStore } from '../catalogue/store-addresses.ts'
import { createCatalogueImporter, rebuildCatalogue } from './import/importer.ts'
import { createContactStore } from '../contact/store.ts'
import { createConversionStore } from '../conversion/store.ts'
import type { Database } from './database.ts'
import { openPostgres } from './dialects/postgres.ts'
import { openSqlite } from './dialects/sqlite.ts'
import { createDiscordStore } from '../discord/store.ts'
import { createFavoriteStore } from '../favorites/store.ts'
import { createFeedStore } from '../catalogue/store-feed.ts'
import { findProblems } from './find-problems.ts'
import { createLoginStore } from '../identity/store-logins.ts'
import { createMailStore } from '../mail/store.ts'
import { createMakeHistoryStore } from '../conversion/store-history.ts'
import { createMemberStore } from '../catalogue/store-members.ts'
import { createPaymentStore } from '../payments/store.ts'
import { createPictureStore } from '../pictures/store.ts'
import { createPlaylistStore } from '../catalogue/store-playlists.ts'
import { createPromotionStore } from '../promotion/store.ts'
import { createRadioStore } from '../radio/store.ts'
import { deleteExpired } from './retention.ts'
import { createRoleStore } from '../identity/store-roles.ts'
import { createSaltStore } from '../http/store.ts'
import { createSettingsStore } from '../site/store.ts'
import { createSongStore } from '../catalogue/store-songs.ts'
import type { Storage } from './storage.ts'
import { createSuggestionStore } from '../catalogue/store-suggestions.ts'
import { createSupporterStore } from '../catalogue/store-supporters.ts'
import { createWebsiteStore } from '../websites/store.ts'

export interface StorageOptions {
  /** The folder of the SQLite files, created if it does not exist. */
  dataDir: string
  /** `postgres://…`; undefined or empty selects SQLite in `dataDir`. */
  databaseUrl?: string | undefined
}

/**
 * Creates the stores of an open database, and rebuilds a catalogue that another version of the program built. Closing the storage closes the database.
 */
export async function createStorage(database: Database): Promise<Storage> {
  if (database.isOutdated()) await rebuildCatalogue(database)
  return {
    songs: createSongStore(database),
    playlists: createPlaylistStore(database),
    suggestions: createSuggestionStore(database),
    members: createMemberStore(database),
    supporters: createSupporterStore(database),
    feed: createFeedStore(database),
    addresses: createAddressStore(database),
    settings: createSettingsStore(database),
    contacts: createContactStore(database),
    mails: createMailStore(database),
    accounts: createAccountStore(database),
    logins: createLoginStore(database),
    roles: createRoleStore(database),
    discord: createDiscordStore(database),
    makeHistory: createMakeHistoryStore(database),
    favorites: createFavoriteStore(database),
    payments: createPaymentStore(database),
    promotions: createPromotionStore(database),
    websites: createWebsiteStore(database),
    conversions: createConversionStore(database),
    pictures: createPictureStore(database),
    radio: createRadioStore(database),
    salts: createSaltStore(database),
    catalogue: createCatalogueImporter(database),
    revision: database.revision,
    checkHealth: async () => {
      await database.queries.selectFrom('state').select('value').execute()
      await database.write((queries) => queries.updateTable('state').set({ value: Date.now() }).where('key', '=', 'checked').execute())
    },
    findProblems: () => findProblems(database),
    deleteExpired: (atMs) => deleteExpired(database, atMs),
    close: database.close,
  }
}

/**
 * Opens the database and applies pending migrations. Several processes may open the same database.
 * @throws StorageError with a one-line instruction for the administrator
 */
export async function openStorage({ dataDir, databaseUrl }: StorageOptions): Promise<Storage> {
  const database = databaseUrl === undefined || databaseUrl === '' ? await openSqlite(dataDir) : await openPostgres(databaseUrl)
  return createStorage(database)
}
