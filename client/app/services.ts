import type { InitialData } from '../../contract/initial-data.ts'
import type { Site } from '../../contract/site.ts'
import { createAccountRepository } from '../data/account-repository.ts'
import { createCatalogue } from '../data/catalogue-repository.ts'
import { startHousekeeping } from '../data/housekeeping.ts'
import { ANONYMOUS_UID, type DeviceDatabase } from '../data/local-database.ts'
import { createOfflinePlaylists } from '../data/offline-playlists.ts'
import type { Engine } from '../engine/engine.ts'
import type { Services } from '../hooks/services.tsx'
import { createApi, withAuth, withConnectionTracking } from '../platform/api.ts'
import { createConnection } from '../platform/connection.ts'
import { requestPersistentStorage } from '../platform/device-storage.ts'
import { createIdentity, type Identity } from '../platform/identity.ts'
import { waitForFirstIntent, waitUntilIdle } from '../platform/idle.ts'
import { isDocumentCurrent } from '../platform/initial-data.ts'
import type { AppInstaller } from '../platform/install.ts'
import { DEVICE_OWNER_KEY, localStore } from '../platform/web-storage.ts'
import { createDeferredPlayer } from '../player/deferred-player.ts'
import { resumeOnReconnect } from '../player/resume-on-reconnect.ts'
import { loadOnce } from '../primitives/single-flight.ts'

const ignoreFailure = () => {}

/** Constructs all services of the main site and connects them. */
export function createServices(site: Site, database: DeviceDatabase, appInstaller: AppInstaller, initialData: InitialData): Services {
  const untrackedApi = createApi({ baseUrl: site.api_base_url })
  const connection = createConnection(() => untrackedApi.call('GET /site', {}))
  const api = withConnectionTracking(untrackedApi, connection)
  const identity = createIdentity({
    site,
    offline: () => connection.offline,
    // A failed request to revoke the refresh token is not repeated, because the person is signed out on this device in any case.
    endSession: (refresh_token) => void untrackedApi.call('POST /account/sign_out', { refresh_token }).catch(ignoreFailure),
  })
  const accountApi = withAuth(identity, api)
  const getSignedInUid = () => identity.getSnapshot()?.uid
  const getOwner = () => getSignedInUid() ?? ANONYMOUS_UID
  const accounts = createAccountRepository({ api: accountApi, database, getSignedInUid })
  const offlineMutations: Services['offlineMutations'] = loadOnce(async () =>
    (await import('./offline-mutations.ts')).createOfflineMutations({
      api,
      accountApi,
      identity,
      connection,
      database,
      offlinePlaylists,
      player,
      loadPlayer,
    }),
  )
  const syncAccount = () => offlineMutations().then(({ outbox }) => outbox.sync(), ignoreFailure)
  const catalogue = createCatalogue({
    api,
    database,
    offline: () => connection.offline,
    getOwner,
    syncAccount,
    whenIdle: waitUntilIdle,
    initialData,
    isInitialCurrent: isDocumentCurrent(),
  })
  const { player, loadPlayer, showPlayer } = createDeferredPlayer(async () =>
    (await import('../player/player.ts')).createPlayer({ api, catalogue, openPlayStore: offlineMutations }),
  )
  // A failure to load the player in advance is ignored, because the first command to the player tries to load it again.
  waitForFirstIntent().then(loadPlayer).catch(ignoreFailure)
  const offlinePlaylists = createOfflinePlaylists({
    api,
    database,
    pixelRatio: devicePixelRatio,
    getOwner,
    requestPersistentStorage,
  })

  const listProtectedRows = () => {
    const { current, upcoming, contextId } = player.getSnapshot()
    return {
      keys: [...catalogue.shownKeys(), ...(contextId === undefined ? [] : [`playlist:${contextId}`])],
      songIds: [...(current ? [current.youtube_id] : []), ...upcoming.map((entry) => entry.song.youtube_id)],
    }
  }
  startHousekeeping(database, listProtectedRows)
  connection.subscribe(() => {
    // A failure to load the search index is ignored, because the search page itself reports that offline search is not available.
    if (connection.offline)
      catalogue
        .songIndex()
        .then((index) => index.ready())
        .catch(ignoreFailure)
    else {
      catalogue.refreshShown()
      void offlinePlaylists.resume()
    }
  })
  void offlinePlaylists.resume()
  const needsOfflineMutations = async () =>
    !!localStore.read(DEVICE_OWNER_KEY) ||
    database.read(
      async ({ outbox, follows }) => (await outbox.all()).some(({ uid }) => uid === ANONYMOUS_UID) || (await follows.count()) > 0,
    )
  resumeOnReconnect(player, connection)

  let openedEngine: Promise<Engine> | undefined
  watchIdentity({
    identity,
    needsOfflineMutations,
    sendOutbox: () => void offlineMutations().catch(ignoreFailure),
    onAccountChange(uid) {
      // Data of the previous account is removed, so that the next account cannot see it.
      offlineMutations().then(({ leaveAccount }) => leaveAccount(uid), ignoreFailure)
      openedEngine?.then((engine) => engine.dispose()).catch(ignoreFailure)
      openedEngine = undefined
    },
  })

  return {
    kind: 'main',
    api,
    accountApi,
    identity,
    accounts,
    offlineMutations,
    site,
    initialData,
    catalogue,
    player,
    loadPlayer,
    showPlayer,
    database,
    offlinePlaylists,
    connection,
    install: appInstaller,
    openEngine() {
      if (openedEngine !== undefined) return openedEngine
      const ownerUid = getSignedInUid()
      const engine = import('../engine/maker-engine.ts').then(({ openMakerEngine }) => openMakerEngine(site.settings, ownerUid))
      openedEngine = engine
      // If the maker's engine could not be loaded, the next call loads the engine again.
      engine.catch(() => {
        if (openedEngine === engine) openedEngine = undefined
      })
      return engine
    },
    openSampleEngine: async () => (await import('../engine/sample-engine.ts')).createSampleEngine(),
    async clearCache() {
      const { clearCache } = await import('./clear-cache.ts')
      await clearCache(database, listProtectedRows())
      // Other tabs may have stored newer rows on the disk than those that this tab had in memory.
      void syncAccount()
    },
  }
}

interface IdentityWatcherDeps {
  identity: Identity
  /**
   * Resolves to whether the outbox has changes that were made without an account, the person follows artists whose new songs must be
   * counted, or the data of an account that has signed out was not removed. Called if no account is signed in.
   */
  needsOfflineMutations: () => Promise<boolean>
  sendOutbox: () => void
  /** Called after a login or sign-out with the previous account's id, or `undefined` if no account was signed in. */
  onAccountChange: (uid: string | undefined) => void
}

/** Once the page is idle, checks the stored login and sends the outbox. Reports when another account signs in or the account signs out. */
function watchIdentity({ identity, needsOfflineMutations, sendOutbox, onAccountChange }: IdentityWatcherDeps): void {
  let person = identity.getSnapshot()
  const checkLogin = () => {
    identity.preloadSdk()
    sendOutbox()
  }
  waitUntilIdle()
    .then(async () => {
      if (person) checkLogin()
      else if (await needsOfflineMutations()) sendOutbox()
    })
    .catch(ignoreFailure)
  identity.subscribe(() => {
    const previousPerson = person
    person = identity.getSnapshot()
    if (previousPerson?.uid !== person?.uid) onAccountChange(previousPerson?.uid)
  })
}
