import type { FirstData } from '../../contract/first-data.ts'
import type { Site } from '../../contract/site.ts'
import type { Services } from '../bindings/services.tsx'
import { createCatalogue } from '../data/catalogue-repository.ts'
import { answerFirst, showFirst } from '../data/first-data.ts'
import { startHousekeeping } from '../data/housekeeping.ts'
import { createKeeper } from '../data/keeper.ts'
import type { DeviceStore } from '../data/store.ts'
import { createApi, observed } from '../platform/api.ts'
import { createConnection } from '../platform/connection.ts'
import { askToPersist, clearSeenPictures, createKeptPictures } from '../platform/device-storage.ts'
import { isReturn } from '../platform/first-data.ts'
import type { Install } from '../platform/install.ts'
import { goOnWhenBack } from '../player/go-on.ts'
import { createPlayer } from '../player/player.ts'

/** Constructs what the page is made of, each from what stands below it. */
export function createServices(site: Site, store: DeviceStore, install: Install, first: FirstData): Services {
  const plainApi = createApi({ baseUrl: site.api_base_url })
  const connection = createConnection(() => plainApi.call('GET /site', {}))
  const observedApi = observed(plainApi, connection)
  const api = isReturn() ? observedApi : answerFirst(observedApi, first)
  const catalogue = showFirst(createCatalogue({ api, store, offline: () => connection.offline }), first)
  const player = createPlayer({ api, catalogue })
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
    if (connection.offline) void catalogue.prepareSearch()
    else {
      catalogue.refreshShown()
      void keeper.resume()
    }
  })
  void keeper.resume()
  goOnWhenBack(player, connection)

  return {
    api,
    site,
    catalogue,
    player,
    store,
    keeper,
    connection,
    install,
    async clearSeen() {
      await clearSeenPictures()
      const { clearSeen } = await import('../data/eviction.ts')
      await clearSeen(store, spared())
      store.recover()
    },
  }
}
