import { createChangeSync } from '../data/change-sync.ts'
import { addToHistory, createExportHistory } from '../data/export-history.ts'
import { syncedFavorites } from '../data/favorite-sync.ts'
import { createFavorites } from '../data/favorites.ts'
import { createFollowedSongs } from '../data/followed-songs.ts'
import { createFollows, createSyncedFollows } from '../data/follows.ts'
import { createLiveQuery } from '../data/live-query.ts'
import { ANONYMOUS_UID, type LocalDatabase } from '../data/local-database.ts'
import { createOutbox } from '../data/outbox.ts'
import { createSyncedPlaylists } from '../data/own-playlist-sync.ts'
import { createOwnPlaylists } from '../data/own-playlists.ts'
import type { OfflineMutations } from '../hooks/services.tsx'
import type { AccountApi, Api } from '../platform/api.ts'
import { onBackgroundSync, requestBackgroundSync } from '../platform/background-sync.ts'
import type { Connection } from '../platform/connection.ts'
import type { Identity } from '../platform/identity.ts'
import { createPlayLog } from '../player/play-log/play-log.ts'
import { createUniqueId } from '../primitives/unique-id.ts'
import { type AccountCleanupDeps, createAccountCleanup } from './account-cleanup.ts'
import { startAppBadge } from './app-badge.ts'

interface OfflineMutationsDeps extends Pick<AccountCleanupDeps, 'offlinePlaylists' | 'player' | 'loadPlayer'> {
  api: Api
  accountApi: AccountApi
  identity: Identity
  connection: Connection
  database: LocalDatabase
}

export function createOfflineMutations({
  api,
  accountApi,
  identity,
  connection,
  database,
  ...cleanupDeps
}: OfflineMutationsDeps): OfflineMutations {
  const getSignedInUid = () => identity.getSnapshot()?.uid
  const syncDeps = { database, getSignedInUid }
  const outbox = createOutbox({
    database,
    api,
    identity,
    connection,
    syncs: [
      createChangeSync(syncDeps, syncedFavorites),
      createChangeSync(syncDeps, createSyncedPlaylists(database)),
      createChangeSync(syncDeps, createSyncedFollows(database)),
    ],
    async onApplied(tables, { uid }, data) {
      if (data) await addToHistory(tables, uid, data)
    },
  })
  onBackgroundSync(() => void outbox.sync())
  const waitingChanges = createLiveQuery(database, async (tables) => (await tables.outbox.all()).filter(({ state }) => state === 'waiting'))
  let isSyncRequested = false
  waitingChanges.subscribe(() => {
    // Background Sync is requested only for changes that could not be sent immediately.
    const isStuck = (waitingChanges.getSnapshot() ?? []).some(({ attempts }) => attempts > 0 || connection.offline)
    if (isStuck && !isSyncRequested) requestBackgroundSync()
    isSyncRequested = isStuck
  })
  const followedSongs = createFollowedSongs({ api, database, connection })
  // The cleanup comes before the badge, because it stores the owner, whose push subscription the badge sends to the site.
  const accountCleanup = createAccountCleanup({ database, ...cleanupDeps })
  startAppBadge({ api, accountApi, identity, followedSongs })
  return {
    outbox,
    makeHistory: createExportHistory({ api: accountApi, database, outbox, getSignedInUid }),
    favorites: createFavorites({ database, sendOutbox: () => void outbox.drain() }),
    follows: createFollows({ database, sendOutbox: () => void outbox.drain() }),
    followedSongs,
    ownPlaylists: createOwnPlaylists({ database, sendOutbox: () => void outbox.drain() }),
    storePlay(play) {
      const id = createUniqueId()
      const body = { ...play, change_id: id, played_at: new Date().toISOString() }
      return outbox.add({ id, uid: ANONYMOUS_UID, call: 'POST /song/play', body })
    },
    ...createPlayLog(database),
    ...accountCleanup,
  }
}
