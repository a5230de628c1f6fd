import { ApiError } from '../../contract/errors.ts'
import type { Radio } from '../../contract/radio.ts'
import type { HostSite } from '../services/hosts.ts'
import type { RadioStations } from '../services/radio.ts'
import type { RouteContext } from './route-context.ts'

export function registerRadio({ endpoint, nowMs }: RouteContext, radio: RadioStations): void {
  async function answer(newcomersId: string | undefined, { brand }: HostSite): Promise<Radio> {
    const onAir = await radio.onAir(brand, newcomersId ? 'newcomers' : 'main')
    if (onAir === undefined) throw new ApiError('not-found', 'The radio has no songs yet.')
    return { ...onAir, server_time: new Date(nowMs()).toISOString() }
  }
  endpoint('GET /radio/get', {}, (input, request) => answer(input.newcomers_id, request.site))
  // The station advances by itself when a song's time is up, so that the song which the client names changes nothing.
  endpoint('GET /radio/setnewsong', {}, (input, request) => answer(input.newcomers_id, request.site))
}
