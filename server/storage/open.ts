import { createAccountStore } from './accounts-store.ts'
import { createCatalogueStore, rebuildCatalogue } from './catalogue-store.ts'
import { createContactStore } from './contacts-store.ts'
import type { Database } from './database.ts'
import { openPostgres } from './dialects/postgres.ts'
import { openSqlite } from './dialects/sqlite.ts'
import { createDiscordStore } from './discord-store.ts'
import { createFavoriteStore } from './favorites-store.ts'
import { createFeedStore } from './feed-store.ts'
import { createMakeHistoryStore } from './make-history-store.ts'
import { createMemberStore } from './members-store.ts'
import { createPictureStore } from './pictures-store.ts'
import { createPlaylistStore } from './playlists-store.ts'
import { createRoleStore } from './roles-store.ts'
import { createSettingsStore } from './settings-store.ts'
import { createSongStore } from './songs-store.ts'
import type { Storage } from './storage.ts'
import { createSupporterStore } from './supporters-store.ts'

export interface StorageOptions {
  /** Made where it does not exist. */
  dataDir: string
  /** `postgres://…`; unset: SQLite in `dataDir`. */
  databaseUrl?: string | undefined
}

/** The stores over `database`, which they close. */
export function createStorage(database: Database): Storage {
  return {
    songs: createSongStore(database),
    playlists: createPlaylistStore(database),
    members: createMemberStore(database),
    supporters: createSupporterStore(database),
    feed: createFeedStore(database),
    settings: createSettingsStore(database),
    contacts: createContactStore(database),
    accounts: createAccountStore(database),
    roles: createRoleStore(database),
    discord: createDiscordStore(database),
    makeHistory: createMakeHistoryStore(database),
    favorites: createFavoriteStore(database),
    pictures: createPictureStore(database),
    catalogue: createCatalogueStore(database),
    revision: database.revision,
    check: async () => {
      await database.queries.selectFrom('state').select('value').execute()
      await database.write((queries) => queries.updateTable('state').set({ value: Date.now() }).where('key', '=', 'checked').execute())
    },
    close: database.close,
  }
}

/**
 * Opens the database and brings its tables up to date; several processes may have it open.
 * @throws StorageError with one line that says what to do
 */
export async function openStorage({ dataDir, databaseUrl }: StorageOptions): Promise<Storage> {
  const database = databaseUrl === undefined || databaseUrl === '' ? await openSqlite(dataDir) : await openPostgres(databaseUrl)
  if (database.isOutdated()) await rebuildCatalogue(database)
  return createStorage(database)
}
