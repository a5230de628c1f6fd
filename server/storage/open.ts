import { createFeedStore } from '../catalogue/store-feed.ts'
import { createMemberStore } from '../catalogue/store-members.ts'
import { createNewestSongStore } from '../catalogue/store-newest-songs.ts'
import { createPageAddressStore } from '../catalogue/store-page-addresses.ts'
import { deleteUnusedPlaylistVideos } from '../catalogue/store-playlist-videos.ts'
import { createPlaylistStore } from '../catalogue/store-playlists.ts'
import { deleteOldPlays } from '../catalogue/store-plays.ts'
import { createSongStore } from '../catalogue/store-songs.ts'
import { createSuggestionStore } from '../catalogue/store-suggestions.ts'
import { createSupporterStore } from '../catalogue/store-supporters.ts'
import { deleteOldReports } from '../catalogue/store-unplayable.ts'
import { createContactStore, deleteContacts, deleteOldContacts } from '../contact/store.ts'
import { createConversionStore, deleteConversions } from '../conversion/store.ts'
import { createConversionHistoryStore, deleteConversionHistory } from '../conversion/store-history.ts'
import { createDiscordStore, deleteDiscordLink } from '../discord/store.ts'
import { createFavoriteStore, deleteFavorites } from '../favorites/store.ts'
import { createFollowStore, deleteFollows } from '../follows/store.ts'
import { createSaltStore, deleteOldSalts } from '../http/store.ts'
import { createAttemptStore, deleteOldAttempts } from '../http/store-attempts.ts'
import { createAccountStore } from '../identity/store-accounts.ts'
import { createLoginStore, deleteIdleLogins } from '../identity/store-logins.ts'
import { createRoleStore, deleteRoles, type RoleHolder } from '../identity/store-roles.ts'
import { createMailStore, deleteSettledMails } from '../mail/store.ts'
import { createModerationStore } from '../moderation/store.ts'
import { deleteOldAdminActions } from '../moderation/store-actions.ts'
import { createOwnPlaylistStore, deleteEntriesOfDeletedPlaylists, deleteOwnPlaylists } from '../own-playlists/store.ts'
import { deleteOldOwnPlaylistReports, endSharingOfDeletedPlaylists } from '../own-playlists/store-sharing.ts'
import { createPaymentStore, removeUidFromPayments } from '../payments/store.ts'
import { createPictureStore } from '../pictures/store.ts'
import { createPresetStore, deletePresets } from '../presets/store.ts'
import { createPromotionStore, deletePromotion } from '../promotion/store.ts'
import { createPushStore, deletePushSubscriptions } from '../push/store.ts'
import { createRadioStore, deleteOldListeners } from '../radio/store.ts'
import { createSettingsStore } from '../site/store.ts'
import { createSweepStore } from '../sweep/store.ts'
import { createWebsiteStore, deleteOldClicksAndNames, deleteWebsite } from '../websites/store.ts'
import { deleteExpiredChangeIds } from './applied-changes.ts'
import { finishRestore } from './backup/finish-restore.ts'
import { type Database, type Queries, type QueryObserver, raiseRevision } from './database.ts'
import { openPostgres } from './dialects/postgres.ts'
import { openSqlite } from './dialects/sqlite.ts'
import { findProblems } from './find-problems.ts'
import { createCatalogueImporter, rebuildCatalogue } from './import/importer.ts'

export interface StorageOptions {
  /** The folder of the SQLite files, created if it does not exist. */
  dataDir: string
  /** `postgres://…`; undefined or empty selects SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  observeQuery?: QueryObserver | undefined
  /** The time after which a query to PostgreSQL fails, except those of imports and migrations; undefined: none does. */
  queryTimeoutMs?: number | undefined
}

/** The functions that delete rows that are stored for a limited time. Each deletes the rows that have expired at `atMs`. */
const oldRowDeletions: readonly ((queries: Queries, atMs: number) => Promise<void>)[] = [
  deleteOldSalts,
  deleteOldAttempts,
  deleteIdleLogins,
  deleteOldPlays,
  deleteExpiredChangeIds,
  deleteOldReports,
  deleteSettledMails,
  deleteOldContacts,
  deleteOldListeners,
  deleteOldClicksAndNames,
  deleteEntriesOfDeletedPlaylists,
  endSharingOfDeletedPlaylists,
  deleteUnusedPlaylistVideos,
  deleteOldOwnPlaylistReports,
  deleteOldAdminActions,
]

/** Deletes the rows of all stores that belong to an account. Payments remain and belong to the email address. */
async function deleteAccountData(queries: Queries, holder: RoleHolder, deletedAtMs: number): Promise<void> {
  const { uid } = holder
  await deleteContacts(queries, holder)
  await deleteRoles(queries, holder)
  await removeUidFromPayments(queries, uid)
  await deleteDiscordLink(queries, uid)
  await deleteConversionHistory(queries, uid)
  await deletePresets(queries, uid)
  await deleteFavorites(queries, uid)
  await deleteFollows(queries, uid)
  await deletePushSubscriptions(queries, uid)
  await deleteOwnPlaylists(queries, uid)
  await deletePromotion(queries, uid)
  await deleteWebsite(queries, uid, deletedAtMs)
  await deleteConversions(queries, uid)
}

/** Creates the stores of an open database, and rebuilds a catalogue that another version of the program built. Closing the storage closes the database. */
export async function createStorage(database: Database) {
  if (database.isOutdated()) await rebuildCatalogue(database)
  return {
    songs: createSongStore(database),
    newestSongs: createNewestSongStore(database),
    playlists: createPlaylistStore(database),
    suggestions: createSuggestionStore(database),
    members: createMemberStore(database),
    supporters: createSupporterStore(database),
    feed: createFeedStore(database),
    addresses: createPageAddressStore(database),
    settings: createSettingsStore(database),
    contacts: createContactStore(database),
    mails: createMailStore(database),
    accounts: createAccountStore(database, deleteAccountData),
    logins: createLoginStore(database),
    roles: createRoleStore(database),
    discord: createDiscordStore(database),
    makeHistory: createConversionHistoryStore(database),
    presets: createPresetStore(database),
    favorites: createFavoriteStore(database),
    follows: createFollowStore(database),
    pushes: createPushStore(database),
    ownPlaylists: createOwnPlaylistStore(database),
    payments: createPaymentStore(database),
    promotions: createPromotionStore(database),
    websites: createWebsiteStore(database),
    conversions: createConversionStore(database),
    pictures: createPictureStore(database),
    radio: createRadioStore(database),
    salts: createSaltStore(database),
    attempts: createAttemptStore(database),
    catalogue: createCatalogueImporter(database),
    moderation: createModerationStore(database, deleteAccountData),
    sweep: createSweepStore(database),
    /**
     * Returns a number that changes when the catalogue or the settings change, in this process immediately and in another process within 1 s.
     * Responses are cached under this number, so reading it must be cheap. Plays and reports do not change it.
     */
    revision: database.revision,
    /** Makes all processes drop what they have read, after the rows of the database were replaced by older ones. */
    outdateReads: (): Promise<void> => database.writeWithRevision(raiseRevision),
    /** Resolves if a read and a write succeed. Rejects with the reason otherwise. */
    checkHealth: async (): Promise<void> => {
      await database.queries.selectFrom('state').select('value').execute()
      await database.write((queries) => queries.updateTable('state').set({ value: Date.now() }).where('key', '=', 'checked').execute())
    },
    /** Returns the time of the last backup that passed its test restore; 0 if there is none. */
    readBackupTime: async (): Promise<number> =>
      (await database.queries.selectFrom('state').select('value').where('key', '=', 'backup').executeTakeFirst())?.value ?? 0,
    /** Checks the whole database and its catalogue. Returns a list of problems, one line each. */
    findProblems: (): Promise<string[]> => findProblems(database),
    /** Runs a short task while no other process of the site runs one of the same name. A failed transaction may repeat the task. */
    runExclusively: <T>(lockName: string, runTask: () => Promise<T>): Promise<T> =>
      database.write(async (queries) => {
        await database.dialect.lock(queries, [lockName])
        return runTask()
      }),
    /** Deletes all data of an account in one transaction. Payments remain and belong to the email address. */
    deleteBelongings: (holder: RoleHolder, atMs: number): Promise<void> =>
      database.write((queries) => deleteAccountData(queries, holder, atMs)),
    /** Deletes expired rows that are stored for a limited time only. Does nothing while another process deletes them. */
    deleteExpired: async (nowMs: number): Promise<void> => {
      const failures: unknown[] = []
      // Each deletion has a transaction of its own, so that one that takes too long does not keep the others from it.
      for (const deleteOld of oldRowDeletions) {
        const deletion = database.write(async (queries) => {
          if (await database.dialect.tryLock(queries, 'retention')) await deleteOld(queries, nowMs)
        })
        await deletion.catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
    },
    close: database.close,
  }
}
/** The database of the server: one store per aggregate. */
export type Storage = Awaited<ReturnType<typeof createStorage>>

/**
 * Opens the database and applies pending migrations. Several processes may open the same database.
 * @throws StorageError with a one-line instruction for the administrator
 */
export async function openStorage({ dataDir, databaseUrl, observeQuery, queryTimeoutMs }: StorageOptions): Promise<Storage> {
  await finishRestore(dataDir, databaseUrl)
  const database =
    databaseUrl === undefined || databaseUrl === ''
      ? await openSqlite(dataDir, observeQuery)
      : await openPostgres(databaseUrl, observeQuery, undefined, queryTimeoutMs)
  return createStorage(database)
}
