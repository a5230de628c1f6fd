import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import type { FirstData } from '../../contract/first-data.ts'
import type { Site } from '../../contract/site.ts'
import type { Services } from '../bindings/services.tsx'
import { createAccounts } from '../data/account-repository.ts'
import { createCatalogue } from '../data/catalogue-repository.ts'
import { answerFirst, showFirst } from '../data/first-data.ts'
import { startHousekeeping } from '../data/housekeeping.ts'
import { createKeeper } from '../data/keeper.ts'
import { readOnce } from '../data/memory-store.ts'
import { type DeviceStore, NOBODY } from '../data/store.ts'
import type { Engine } from '../engine/engine.ts'
import { createApi, inNameOf, observed } from '../platform/api.ts'
import { createConnection } from '../platform/connection.ts'
import { askToPersist, clearSeenPictures, createKeptPictures } from '../platform/device-storage.ts'
import { isReturn } from '../platform/first-data.ts'
import { createIdentity, type Identity } from '../platform/identity.ts'
import { whenIdle } from '../platform/idle.ts'
import type { Install } from '../platform/install.ts'
import { loadOnce } from '../platform/load-once.ts'
import { goOnWhenBack } from '../player/go-on.ts'
import { createPlayer } from '../player/player.ts'

const SESSION_IDLE_MS = 5_000
const ignore = () => {}

/** Constructs what the page is made of, each from what stands below it. */
export function createServices(site: Site, store: DeviceStore, install: Install, first: FirstData): Services {
  const plainApi = createApi({ baseUrl: site.api_base_url })
  const connection = createConnection(() => plainApi.call('GET /site', {}))
  const observedApi = observed(plainApi, connection)
  const api = isReturn() ? observedApi : answerFirst(observedApi, first)
  const identity = createIdentity({
    site,
    offline: () => connection.offline,
    // The session is over here in any case; the call is made again by nobody.
    endSession: (refresh_token) => void plainApi.call('POST /account/sign_out', { refresh_token }).catch(ignore),
  })
  const accountApi = inNameOf(identity, observedApi)
  const signedIn = () => identity.getSnapshot()?.uid
  const accounts = createAccounts({ api: accountApi, store, signedIn })
  const writes = loadOnce(async () =>
    (await import('./writes.ts')).createWrites({ api: observedApi, accountApi, identity, connection, store }),
  )
  const syncFavorites = () => writes().then(({ outbox }) => outbox.sync(), ignore)
  const catalogue = showFirst(createCatalogue({ api, store, offline: () => connection.offline, signedIn, syncFavorites }), first)
  const player = createPlayer({
    api,
    catalogue,
    keepPlay: (play) =>
      void writes()
        .then((all) => all.keepPlay(play))
        .catch(ignore),
  })
  const keeper = createKeeper({ api, store, pictures: createKeptPictures(), pixelRatio: devicePixelRatio, askToPersist })

  const spared = () => {
    const { current, upcoming, contextId } = player.getSnapshot()
    return {
      keys: [...catalogue.shown(), ...(contextId === undefined ? [] : [`playlist:${contextId}`])],
      songIds: [...(current ? [current.youtube_id] : []), ...upcoming.map((entry) => entry.song.youtube_id)],
    }
  }
  startHousekeeping(store, spared)
  connection.subscribe(() => {
    // Where it cannot be, a search says so.
    if (connection.offline) catalogue.prepareSearch().catch(ignore)
    else {
      catalogue.refreshShown()
      void keeper.resume()
    }
  })
  void keeper.resume()
  const somethingWaits = async () => (await readOnce(store, (tables) => tables.outbox.all())).some(({ uid }) => uid === NOBODY)
  goOnWhenBack(player, connection)

  let maker: Promise<Engine> | undefined
  followPerson({
    identity,
    somethingWaits,
    send: () => void writes().catch(ignore),
    // What is somebody's is not for who comes after them.
    leave(uid) {
      if (uid !== undefined) void accounts.forget(uid).catch(ignore)
      if (player.getSnapshot().contextId === FAVORITES_ID) player.clearQueue()
      maker?.then((engine) => engine.dispose()).catch(ignore)
      maker = undefined
    },
  })

  return {
    api,
    accountApi,
    identity,
    accounts,
    writes,
    site,
    catalogue,
    player,
    store,
    keeper,
    connection,
    install,
    openEngine() {
      if (maker !== undefined) return maker
      const owner = signedIn()
      const settings = { speed: site.settings.MAKER_SPEED, pitch: site.settings.DEFAULT_PITCH }
      const engine = import('../engine/create-engine.ts').then(({ createEngine }) =>
        createEngine({ settings, ...(owner !== undefined && { owner }) }),
      )
      maker = engine
      // Asked for again, it is fetched again.
      engine.catch(() => {
        if (maker === engine) maker = undefined
      })
      return engine
    },
    async clearSeen() {
      await clearSeenPictures()
      const { clearSeen } = await import('../data/eviction.ts')
      await clearSeen(store, spared())
      await store.recover()
    },
  }
}

interface PersonFollower {
  identity: Identity
  /** What was done while nobody was signed in. */
  somethingWaits: () => Promise<boolean>
  send: () => void
  /** It is somebody else now, or nobody, who is signed in. */
  leave: (uid: string | undefined) => void
}

/** A session of an earlier visit is checked once the page is idle. */
function followPerson({ identity, somethingWaits, send, leave }: PersonFollower): void {
  let person = identity.getSnapshot()
  const goOn = () => {
    identity.prepare()
    send()
  }
  whenIdle(SESSION_IDLE_MS)
    .then(async () => {
      if (person) goOn()
      else if (await somethingWaits()) send()
    })
    .catch(ignore)
  identity.subscribe(() => {
    const before = person
    person = identity.getSnapshot()
    if (person) send()
    if (before?.uid !== person?.uid) leave(before?.uid)
  })
}
