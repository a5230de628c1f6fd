import type { RadioAiring, RadioProgramme } from '../../../../contract/radio.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')

/** Returns the airings of songs with the given lengths in seconds. They follow each other from a fixed time on. */
export function createSchedule(durationsS: readonly number[], startMs = START_MS): RadioAiring[] {
  let atMs = startMs
  return durationsS.map((durationS, index) => {
    const start_time = new Date(atMs).toISOString()
    atMs += 1000 * durationS
    const youtube_id = `song_${String(index).padStart(6, '0')}`
    return { youtube_id, title: `Title ${index}`, author_name: 'Someone', start_time, duration: durationS }
  })
}

/** Returns the server's response at `atMs`, a time of the server's clock. */
export function createResponseAt(schedule: readonly RadioAiring[], atMs: number): RadioProgramme {
  const index = schedule.findLastIndex(({ start_time }) => Date.parse(start_time) <= atMs)
  const currentAiring = schedule[index]
  const upcomingAirings = schedule.slice(index + 1, index + 6)
  const [nextAiring] = upcomingAirings
  if (currentAiring === undefined || nextAiring === undefined)
    throw new Error(`The schedule does not reach ${new Date(atMs).toISOString()}.`)
  return {
    ...currentAiring,
    youtube_url: `https://www.youtube.com/watch?v=${currentAiring.youtube_id}`,
    category_id: 'cat',
    category_name: 'Category',
    server_time: new Date(atMs).toISOString(),
    station: 'main',
    next: nextAiring,
    upcoming: upcomingAirings,
    history: schedule.slice(Math.max(0, index - 20), index).toReversed(),
  }
}

/** The server of a radio, simulated in the page. Its time advances with `performance.now()`, which the tests fake. */
export function createStationServer(durationsS: readonly number[]) {
  const createdAtMs = performance.now()
  const stationSchedule = createSchedule(durationsS)
  const requests: { path: string; query: Record<string, string>; body: unknown; atMs: number }[] = []
  const server = {
    schedule: stationSchedule,
    requests,
    /** How the server responds: `silent` does not respond, `empty` is a radio without songs. */
    mode: 'normal' as 'normal' | 'silent' | 'empty',
    /** The time by which the server's clock has advanced while the clocks of the page were stopped. */
    sleptMs: 0,
    nowMs: () => START_MS + performance.now() - createdAtMs + server.sleptMs,
    countRequests: (path: string) => requests.filter((request) => request.path === path).length,
    /** Returns the connection of a client to the server. Latencies of requests and responses are in milliseconds. */
    connect:
      (requestDelayMs = 0, responseDelayMs = 0): typeof fetch =>
      async (requestUrl, init) => {
        const signal = init?.signal ?? undefined
        await delayResponse(requestDelayMs, signal)
        const url = new URL(String(requestUrl), location.href)
        const urlPath = url.pathname.replace('/api', '')
        const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
        const atMs = server.nowMs()
        requests.push({ path: urlPath, query: Object.fromEntries(url.searchParams), body, atMs })
        if (server.mode === 'silent') throw new TypeError('Failed to fetch')
        const stationResponse = server.mode === 'empty' || !urlPath.startsWith('/radio/') ? null : createResponseAt(stationSchedule, atMs)
        const statusCode = server.mode === 'empty' ? 404 : 200
        // The body contains the time of an earlier response, as it does when the browser reuses a body after a 304.
        const responseData = stationResponse && { ...stationResponse, server_time: stationResponse.start_time }
        const headers = { 'X-Server-Time': new Date(atMs).toISOString(), 'X-Listeners': '3' }
        await delayResponse(responseDelayMs, signal)
        return Response.json(
          { code: statusCode, message: statusCode === 200 ? 'OK' : 'The radio has no songs yet.', data: responseData },
          { status: statusCode, headers },
        )
      },
  }
  return server
}

export type StationServer = ReturnType<typeof createStationServer>

function delayResponse(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (delayMs === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, delayMs)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason)
      },
      { once: true },
    )
  })
}
