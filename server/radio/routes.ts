import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import type { RadioProgramme, Station } from '../../contract/radio.ts'
import type { HostSite } from '../http/hosts.ts'
import { createLiveResponseTemplate, LiveAnswer, type LiveResponseTemplate } from '../http/live-data.ts'
import type { RouteContext } from '../route-context.ts'
import type { RadioListeners } from './listeners.ts'
import type { RadioStations, StationProgramme } from './radio.ts'

/** The part of an answer that does not differ from request to request. */
interface PreparedAnswer {
  live: LiveResponseTemplate
  isListenerCountShown: boolean
}

interface RadioServices {
  stations: RadioStations
  listeners: RadioListeners
}

export function registerRadioRoutes({ endpoint, site, nowMs, dailyClientId }: RouteContext, { stations, listeners }: RadioServices): void {
  /** The constant part of the answer for each programme: prepared once for each song, and again if the settings have changed. */
  const answerByProgramme = new WeakMap<StationProgramme, PreparedAnswer>()
  const timeText = createTimeFormatter()

  async function prepareAnswer(onAir: StationProgramme, { brand }: HostSite): Promise<PreparedAnswer> {
    const isListenerCountShown = (await site.settingsOf(brand)).SHOW_LISTENERS === 'true'
    const prepared = { live: createLiveResponseTemplate(onAir), isListenerCountShown }
    answerByProgramme.set(onAir, prepared)
    return prepared
  }

  async function createAnswer(
    newcomersId: string | undefined,
    request: FastifyRequest,
    isListening: boolean,
  ): Promise<LiveAnswer<RadioProgramme>> {
    const { brand } = request.site
    const station: Station = newcomersId === undefined || newcomersId === '' ? 'main' : 'newcomers'
    const onAir = await stations.onAir(brand, station)
    if (onAir === undefined) throw new ApiError('not-found', 'The radio has no songs yet.')
    const { live, isListenerCountShown: isCountShown } = answerByProgramme.get(onAir) ?? (await prepareAnswer(onAir, request.site))
    // Creates the answer to a repeated request from memory. An answer with the number of listeners is not created in this way, because counting needs
    // the salt of client ids, which is in the database.
    const createAnswerFromMemory = (): LiveAnswer<RadioProgramme> | undefined =>
      isCountShown || stations.current(brand, station) !== onAir
        ? undefined
        : new LiveAnswer<RadioProgramme>(live, { server_time: timeText(nowMs()) }, createAnswerFromMemory)
    const listeners = isCountShown && (await countListeners(brand.id, station, isListening ? request.ip : undefined))
    return new LiveAnswer<RadioProgramme>(
      live,
      { server_time: timeText(nowMs()), ...(listeners !== false && { listeners }) },
      createAnswerFromMemory,
    )
  }

  async function countListeners(brandId: string, station: Station, listenerAddress: string | undefined): Promise<number> {
    const key = { brandId, station }
    if (listenerAddress !== undefined) listeners.add(key, await dailyClientId(listenerAddress))
    return listeners.count(key)
  }

  endpoint('GET /radio/get', {}, (input, request) => createAnswer(input.newcomers_id, request, input.listening !== 'false'))
  // The song in the request is ignored, because a station advances by itself when a song is over.
  endpoint('GET /radio/setnewsong', {}, (input, request) => createAnswer(input.newcomers_id, request, false))
}

/**
 * Returns a function that formats a time in epoch milliseconds as ISO 8601 UTC, and returns the previous text if the time is the same as in the
 * previous call.
 */
function createTimeFormatter(): (ms: number) => string {
  let [lastTimeMs, lastTimeText] = [Number.NaN, '']
  return (epochMs) => {
    if (epochMs !== lastTimeMs) [lastTimeMs, lastTimeText] = [epochMs, new Date(epochMs).toISOString()]
    return lastTimeText
  }
}
