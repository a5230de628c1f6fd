import type { Radio, Station } from '../../../contract/radio.ts'
import { type Api, ApiCallError, createApi } from '../../platform/api.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { createScope } from '../../primitives/scope.ts'
import { type AiringsAt, airingsAt, endMsOf, type StationAnswer, startMsOf } from './airings.ts'
import { type ClockSample, createServerClock } from './server-clock.ts'

const POLL_MS = 5_000
/** Failed polls are repeated with growing delays up to this one while the known songs last. */
const LONGEST_POLL_MS = 20_000
const POLL_BACKOFF = 1.5
/** A poll without a response after this time has failed. */
const POLL_TIMEOUT_MS = 10_000
/** How often the device's two clocks are compared. */
const CLOCK_CHECK_MS = 1_000
/** The longest delay of a timer in browsers, less a day. */
const LONGEST_TIMER_MS = 2_000_000_000

/** The state of a station, as this page knows it. A change creates a new object. */
export interface FeedState {
  /** The latest response for the station, without its time. */
  answer: StationAnswer | undefined
  /** The song that plays now; `undefined` before the first response, and for a radio without songs. */
  airings: AiringsAt | undefined
  /** The radio has no songs. */
  hasNoSongs: boolean
  /** The server did not respond to the latest poll. */
  serverUnreachable: boolean
  /** Number of listeners of the station; `undefined` if the site does not show it. */
  listeners: number | undefined
  /** The chosen station has no songs, so that it plays the main one. */
  playsMain: boolean
}

/** Follows the songs of a station: by polls, and by repeating known songs while the server does not respond. */
export interface StationFeed {
  getSnapshot(): FeedState
  subscribe(listener: () => void): () => void
  /** The server's time in milliseconds since 1970; `undefined` before the first response. */
  nowMs(): number | undefined
  /** Selects a station. The song of the previous station continues until the first response. */
  setStation(station: Station): void
  /** Sets whether the radio plays: a hidden page polls only during playback. */
  setPlaying(isPlaying: boolean): void
  /** Reports a video that cannot be played. `code` is the video platform's. */
  reportUnplayable(songId: string, code: number): void
  close(): void
}

export interface StationFeedDeps {
  /** `Site.api_base_url`. */
  apiBaseUrl: string
  station: Station
  /** The response that the HTML contains, which may be old. */
  initialAnswer?: Radio | undefined
  fetch?: typeof globalThis.fetch
}

export function createStationFeed(deps: StationFeedDeps): StationFeed {
  const scope = createScope()
  const changed = createEmitter()
  const clock = createServerClock()
  const api = createTimedApi(deps, onHeaders)
  let station = deps.station
  let isPlaying = false
  let pollMs = POLL_MS
  let cancelPoll = () => {}
  let cancelAdvance = () => {}
  let runningPoll: AbortController | undefined
  const { initialAnswer } = deps
  let state: FeedState = {
    answer: initialAnswer,
    airings: initialAnswer && airingsAt(initialAnswer, Date.parse(initialAnswer.server_time)),
    hasNoSongs: false,
    serverUnreachable: false,
    listeners: undefined,
    playsMain: false,
  }

  function onHeaders(headers: Headers, times: Pick<ClockSample, 'sentMs' | 'receivedMs'>) {
    const serverMs = Date.parse(headers.get('X-Server-Time') ?? '')
    if (Number.isNaN(serverMs)) return
    clock.addSample({ ...times, serverMs })
    const listeners = headers.get('X-Listeners')
    publish({ listeners: listeners === null ? undefined : Number(listeners) })
  }

  function publish(change: Partial<FeedState>) {
    const next = { ...state, ...change }
    if (JSON.stringify(next) === JSON.stringify(state)) return
    state = next
    changed.emit()
  }

  /** Reads the current song from the response, and again when that song ends. */
  function advance(change: Partial<FeedState> = {}) {
    const answer = 'answer' in change ? change.answer : state.answer
    const serverMs = clock.nowMs()
    const airings = answer && airingsAt(answer, serverMs ?? startMsOf(answer))
    cancelAdvance()
    publish({ ...change, airings })
    if (airings === undefined || serverMs === undefined) return
    const remainingMs = startMsOf(airings.upcoming[0]) - serverMs
    cancelAdvance = scope.timeout(advance, Math.min(Math.max(1, remainingMs), LONGEST_TIMER_MS))
  }

  /** Returns the id of the response's song if that song has certainly ended. */
  function endedSongId(): string | undefined {
    const { answer } = state
    const serverMs = clock.nowMs()
    return answer && serverMs !== undefined && serverMs - clock.errorMs() >= endMsOf(answer) ? answer.youtube_id : undefined
  }

  const isPolling = () => isPlaying || document.visibilityState === 'visible'

  function schedulePoll() {
    cancelPoll()
    if (isPolling()) cancelPoll = scope.timeout(poll, pollMs)
  }

  function pollNow() {
    pollMs = POLL_MS
    cancelPoll()
    if (runningPoll === undefined) poll()
  }

  function poll() {
    const request = new AbortController()
    runningPoll = request
    const newcomers = station === 'newcomers' ? { newcomers_id: 'all' } : {}
    const songId = endedSongId()
    const response =
      songId === undefined
        ? api.call('GET /radio/get', isPlaying ? newcomers : { ...newcomers, listening: 'false' }, { signal: request.signal })
        : api.call('GET /radio/setnewsong', { s: songId, ...newcomers }, { signal: request.signal })
    const isLatest = () => runningPoll === request && !scope.signal.aborted
    response
      .then((answer) => isLatest() && onAnswer(answer))
      // A response without a schedule counts as a failure.
      .catch((error: unknown) => isLatest() && onFailure(error))
      .finally(() => {
        if (!isLatest()) return
        runningPoll = undefined
        schedulePoll()
      })
  }

  function onAnswer({ server_time: _, listeners: __, ...answer }: Radio) {
    pollMs = POLL_MS
    advance({ answer, hasNoSongs: false, serverUnreachable: false, playsMain: answer.station !== station })
  }

  function onFailure(error: unknown) {
    if (error instanceof ApiCallError && error.code === 404) {
      pollMs = POLL_MS
      return advance({ answer: undefined, hasNoSongs: true, serverUnreachable: false })
    }
    pollMs = isScheduleKnown() ? Math.min(LONGEST_POLL_MS, pollMs * POLL_BACKOFF) : POLL_MS
    publish({ serverUnreachable: true })
  }

  /** Whether the response contains the current song. Pages that repeat known songs poll at the normal rate, to agree again soon. */
  function isScheduleKnown(): boolean {
    const last = state.answer?.upcoming.at(-1)
    const serverMs = clock.nowMs()
    return last !== undefined && serverMs !== undefined && serverMs < endMsOf(last)
  }

  let clockDifferenceMs = Date.now() - performance.now()
  /** Polls after the device slept, because its monotonic clock may have stood still. A device whose clock is set polls once more than needed. */
  function checkClocks() {
    const differenceMs = Date.now() - performance.now()
    const hasJumped = Math.abs(differenceMs - clockDifferenceMs) > CLOCK_CHECK_MS
    clockDifferenceMs = differenceMs
    if (hasJumped && isPolling()) pollNow()
  }

  scope.interval(checkClocks, CLOCK_CHECK_MS)
  scope.listen(document, 'visibilitychange', () => (isPolling() ? pollNow() : cancelPoll()))
  scope.listen(window, 'online', () => isPolling() && pollNow())
  scope.add(() => runningPoll?.abort())
  pollNow()

  return {
    getSnapshot: () => state,
    subscribe: changed.subscribe,
    nowMs: clock.nowMs,
    setStation(next) {
      if (next === station) return
      station = next
      runningPoll?.abort()
      runningPoll = undefined
      publish({ playsMain: false })
      pollNow()
    },
    setPlaying(next) {
      const wasPolling = isPolling()
      isPlaying = next
      if (!isPolling()) cancelPoll()
      else if (!wasPolling) pollNow()
    },
    reportUnplayable(songId, code) {
      // A failed report is ignored, because it does not affect playback.
      api.call('POST /song/unplayable', { s: songId, reason: `video error ${code}` }).catch(() => {})
    },
    close: scope.dispose,
  }
}

/**
 * Creates an API client that reports the headers of each response and its times by `performance.now()`. What changes from one response to the next
 * stands in the headers: the browser answers a 304 with the body of an earlier response, and with the headers of this one.
 */
function createTimedApi(
  { apiBaseUrl, fetch = globalThis.fetch.bind(globalThis) }: StationFeedDeps,
  onHeaders: (headers: Headers, times: Pick<ClockSample, 'sentMs' | 'receivedMs'>) => void,
): Api {
  return createApi({
    baseUrl: apiBaseUrl,
    timeoutMs: POLL_TIMEOUT_MS,
    async fetch(input, init) {
      const sentMs = performance.now()
      const response = await fetch(input, init)
      onHeaders(response.headers, { sentMs, receivedMs: performance.now() })
      return response
    },
  })
}
