import { ApiError } from '../../contract/errors.ts'
import type { Radio, Station } from '../../contract/radio.ts'
import { createLiveData, LiveAnswer, type LiveData } from '../http/live-data.ts'
import type { HostSite } from '../services/hosts.ts'
import type { OnAir, RadioStations } from '../services/radio.ts'
import type { RadioListeners } from '../services/radio-listeners.ts'
import type { RouteContext } from './route-context.ts'

interface RadioServices {
  stations: RadioStations
  listeners: RadioListeners
}

export function registerRadio({ endpoint, site, nowMs, dailyClientId }: RouteContext, { stations, listeners }: RadioServices): void {
  /** The answers by what is played: prepared once for each song. */
  const liveData = new WeakMap<OnAir, LiveData>()

  /** Answers a client. `listenerAddress` is that of a client who counts as a listener. */
  async function answerOf(
    newcomersId: string | undefined,
    { brand }: HostSite,
    listenerAddress: string | undefined,
  ): Promise<LiveAnswer<Radio>> {
    const station: Station = newcomersId === undefined || newcomersId === '' ? 'main' : 'newcomers'
    const onAir = await stations.onAir(brand, station)
    if (onAir === undefined) throw new ApiError('not-found', 'The radio has no songs yet.')
    const live = liveData.get(onAir) ?? createLiveData(onAir)
    liveData.set(onAir, live)
    const isCountShown = (await site.settingsOf(brand)).SHOW_LISTENERS === 'true'
    const count = isCountShown ? await countListeners(brand.id, station, listenerAddress) : undefined
    return new LiveAnswer<Radio>(live, new Date(nowMs()).toISOString(), count)
  }

  async function countListeners(brandId: string, station: Station, listenerAddress: string | undefined): Promise<number> {
    const key = { brandId, station }
    if (listenerAddress !== undefined) listeners.add(key, await dailyClientId(listenerAddress))
    return listeners.count(key)
  }

  endpoint('GET /radio/get', {}, (input, request) =>
    answerOf(input.newcomers_id, request.site, input.listening === 'false' ? undefined : request.ip),
  )
  // A station advances by itself when a song's time is up, so that the song which the client names changes nothing.
  endpoint('GET /radio/setnewsong', {}, (input, request) => answerOf(input.newcomers_id, request.site, undefined))
}
