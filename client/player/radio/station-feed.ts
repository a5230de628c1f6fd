import type { RadioProgramme, Station } from '../../../contract/radio.ts'
import { type Api, ApiCallError, createApi } from '../../platform/api.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { createCleanupScope } from '../../primitives/scope.ts'
import { type AiringContext, computeEndMs, findAiringsAt, parseStartMs, type StationResponse } from './airings.ts'
import { type ClockSample, createServerClock } from './server-clock.ts'
import { createStationPolling } from './station-polling.ts'

/** A poll without a response after this time has failed. */
const POLL_TIMEOUT_MS = 10_000
/** The longest delay of a timer that browsers support, minus one day. */
const LONGEST_TIMER_MS = 2_000_000_000

/** The state of a station, as this page knows it. A change creates a new object. */
export interface StationFeedState {
  /** The latest response for the station, without its time. */
  answer: StationResponse | undefined
  /** The song that plays now; `undefined` before the first response, and for a radio without songs. */
  airings: AiringContext | undefined
  hasNoSongs: boolean
  /** Whether the server did not respond to the latest poll. */
  serverUnreachable: boolean
  /** Number of listeners of the station; `undefined` if the site does not publish this number. */
  listeners: number | undefined
  /** Whether the chosen station has no songs, so that the main station plays instead. */
  playsMain: boolean
}

export interface StationFeedDeps {
  /** The base URL of the API, as in `Site.api_base_url`. */
  apiBaseUrl: string
  station: Station
  /** The response that is embedded in the HTML, which may be old. */
  initialAnswer?: RadioProgramme | undefined
  fetch?: typeof globalThis.fetch
}

/** Follows the songs of a station: by polls, and by repeating known songs while the server does not respond. */
export function createStationFeed(deps: StationFeedDeps) {
  const scope = createCleanupScope()
  const changeEmitter = createEmitter()
  const clock = createServerClock()
  const api = createTimedApi(deps, onHeaders)
  let currentStation = deps.station
  let cancelAdvance = () => {}
  const { initialAnswer } = deps
  let stationState: StationFeedState = {
    answer: initialAnswer,
    airings: initialAnswer && findAiringsAt(initialAnswer, Date.parse(initialAnswer.server_time)),
    hasNoSongs: false,
    serverUnreachable: false,
    listeners: undefined,
    playsMain: false,
  }

  function onHeaders(headers: Headers, requestTimes: Pick<ClockSample, 'sentMs' | 'receivedMs'>) {
    const serverMs = Date.parse(headers.get('X-Server-Time') ?? '')
    if (Number.isNaN(serverMs)) return
    clock.addSample({ ...requestTimes, serverMs })
    const listeners = headers.get('X-Listeners')
    publishState({ listeners: listeners === null ? undefined : Number(listeners) })
  }

  function publishState(stateChange: Partial<StationFeedState>) {
    const newState = { ...stationState, ...stateChange }
    if (JSON.stringify(newState) === JSON.stringify(stationState)) return
    stationState = newState
    changeEmitter.emit()
  }

  /** Determines the current song from the response, and does so again when that song ends. */
  function updateAirings(stateChange: Partial<StationFeedState> = {}) {
    const stationResponse = 'answer' in stateChange ? stateChange.answer : stationState.answer
    const serverMs = clock.nowMs()
    const airings = stationResponse && findAiringsAt(stationResponse, serverMs ?? parseStartMs(stationResponse))
    cancelAdvance()
    publishState({ ...stateChange, airings })
    if (airings === undefined || serverMs === undefined) return
    const remainingMs = parseStartMs(airings.upcoming[0]) - serverMs
    cancelAdvance = scope.timeout(updateAirings, Math.min(Math.max(1, remainingMs), LONGEST_TIMER_MS))
  }

  /** Returns the id of the response's song if that song has certainly ended. */
  function findEndedSongId(): string | undefined {
    const { answer } = stationState
    const serverMs = clock.nowMs()
    return answer && serverMs !== undefined && serverMs - clock.errorMs() >= computeEndMs(answer) ? answer.youtube_id : undefined
  }

  function requestProgramme(signal: AbortSignal): Promise<RadioProgramme> {
    const newcomersInput = currentStation === 'newcomers' ? { newcomers_id: 'all' } : {}
    const songId = findEndedSongId()
    return songId === undefined
      ? api.call('GET /radio/get', stationPolling.isPlaying ? newcomersInput : { ...newcomersInput, listening: 'false' }, { signal })
      : api.call('GET /radio/setnewsong', { s: songId, ...newcomersInput }, { signal })
  }

  /** Throws if the response has no schedule. */
  function onAnswer({ server_time: _, listeners: __, ...answer }: RadioProgramme) {
    updateAirings({ answer, hasNoSongs: false, serverUnreachable: false, playsMain: answer.station !== currentStation })
  }

  function onFailure(error: unknown) {
    if (isNoSongsError(error)) updateAirings({ answer: undefined, hasNoSongs: true, serverUnreachable: false })
    else publishState({ serverUnreachable: true })
  }

  /**
   * Whether the response contains the current song. If not, the page repeats known songs and polls at the normal rate, so that it returns
   * to the server's schedule soon.
   */
  function isScheduleKnown(): boolean {
    const last = stationState.answer?.upcoming.at(-1)
    const serverMs = clock.nowMs()
    return last !== undefined && serverMs !== undefined && serverMs < computeEndMs(last)
  }

  const stationPolling = createStationPolling({
    scope,
    request: requestProgramme,
    onAnswer,
    onFailure,
    hasGrowingDelays: (error) => !isNoSongsError(error) && isScheduleKnown(),
  })
  stationPolling.pollNow()

  return {
    getSnapshot: () => stationState,
    subscribe: changeEmitter.subscribe,
    /** The server's time in milliseconds since 1970; `undefined` before the first response. */
    nowMs: clock.nowMs,
    /** Selects a station. The song of the previous station continues until the first response. */
    setStation(newStation: Station) {
      if (newStation === currentStation) return
      currentStation = newStation
      stationPolling.cancelPoll()
      publishState({ playsMain: false })
      stationPolling.pollNow()
    },
    /** Sets whether the radio plays: a hidden page polls only during playback. */
    setPlaying: stationPolling.setPlaying,
    /** Reports a video that cannot be played. `errorCode` is the video platform's error code. */
    reportUnplayable(songId: string, errorCode: number) {
      // A failed report is ignored, because it does not affect playback.
      api.call('POST /song/unplayable', { s: songId, reason: `video error ${errorCode}` }).catch(() => {})
    },
    close: scope.dispose,
  }
}

export type StationFeed = ReturnType<typeof createStationFeed>

const isNoSongsError = (error: unknown) => error instanceof ApiCallError && error.code === 404

/**
 * Creates an API client that reports the headers of each response and its times by `performance.now()`. Values that differ in each response
 * are in headers, because the browser answers a 304 with the body of an earlier response, and with the headers of the 304.
 */
function createTimedApi(
  { apiBaseUrl, fetch = globalThis.fetch.bind(globalThis) }: StationFeedDeps,
  onHeaders: (headers: Headers, times: Pick<ClockSample, 'sentMs' | 'receivedMs'>) => void,
): Api {
  return createApi({
    baseUrl: apiBaseUrl,
    timeoutMs: POLL_TIMEOUT_MS,
    async fetch(requestUrl, init) {
      const sentMs = performance.now()
      const response = await fetch(requestUrl, init)
      onHeaders(response.headers, { sentMs, receivedMs: performance.now() })
      return response
    },
  })
}
