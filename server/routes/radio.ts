import { ApiError } from '../../contract/errors.ts'
import type { Radio, Station } from '../../contract/radio.ts'
import { createLiveData, LiveAnswer, type LiveData } from '../http/live-data.ts'
import type { HostSite } from '../services/hosts.ts'
import type { OnAir, RadioStations } from '../services/radio.ts'
import type { RouteContext } from './route-context.ts'

export function registerRadio({ endpoint, nowMs }: RouteContext, radio: RadioStations): void {
  /** The answers by what is played: prepared once for each song. */
  const liveData = new WeakMap<OnAir, LiveData>()

  async function answerOf(newcomersId: string | undefined, { brand }: HostSite): Promise<LiveAnswer<Radio>> {
    const station: Station = newcomersId === undefined || newcomersId === '' ? 'main' : 'newcomers'
    const onAir = await radio.onAir(brand, station)
    if (onAir === undefined) throw new ApiError('not-found', 'The radio has no songs yet.')
    const live = liveData.get(onAir) ?? createLiveData(onAir)
    liveData.set(onAir, live)
    return new LiveAnswer<Radio>(live, new Date(nowMs()).toISOString())
  }

  endpoint('GET /radio/get', {}, (input, request) => answerOf(input.newcomers_id, request.site))
  // A station advances by itself when a song's time is up, so that the song which the client names changes nothing.
  endpoint('GET /radio/setnewsong', {}, (input, request) => answerOf(input.newcomers_id, request.site))
}
