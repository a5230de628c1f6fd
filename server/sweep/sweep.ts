import { readVideos, type SkipReason, type VideoFields } from '../admin/youtube/videos.ts'
import { createYoutubeApi, InterruptedError, type YoutubeApi } from '../admin/youtube/youtube-api.ts'
import type { Config } from '../config.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import type { Log } from '../log.ts'
import type { Storage } from '../storage/open.ts'

/** The number of songs per request, which the API allows at most. */
const SONGS_PER_BATCH = 50
/** The maximum number of requests in a night: a fifth of the daily quota of a key. Each costs one unit. */
const NIGHT_REQUESTS_MAX = 2000
/** The time after which a song is checked again. It is shorter than the month after which an exclusion ends. */
const RECHECK_INTERVAL_MS = 20 * DAY_MS
/** The hours of UTC in which the sweep begins. */
const [FIRST_SWEEP_HOUR_UTC, LAST_SWEEP_HOUR_UTC] = [2, 5]
const CLAIM_DURATION_MS = 20 * HOUR_MS
/** If at least this many videos become unavailable in one sweep, a fault of the check is more likely than the loss of the videos. */
const SUSPICIOUS_LOSS_COUNT = 10

export interface SweepSummary {
  checked: number
  /** The number of songs whose video cannot be played, by reason. */
  obstacles: Record<string, number>
  /** Why the sweep has stopped early; null if it is complete. */
  stopped: string | null
}

interface SweepDeps {
  sweep: Storage['sweep']
  api: YoutubeApi
  nowMs: () => number
}

/** Checks the videos of the songs that are due. The next sweep continues after the last checked song. */
export async function sweepVideos({ sweep, api, nowMs }: SweepDeps): Promise<SweepSummary> {
  const summary: SweepSummary = { checked: 0, obstacles: {}, stopped: null }
  for (let requestNumber = 0; requestNumber < NIGHT_REQUESTS_MAX; requestNumber++) {
    const dueIds = await sweep.listDue(nowMs() - RECHECK_INTERVAL_MS, SONGS_PER_BATCH)
    if (dueIds.length === 0) return summary
    const resultById = new Map<string, VideoFields | SkipReason>()
    try {
      await readVideos(api, dueIds, resultById, () => {})
    } catch (error) {
      if (!(error instanceof InterruptedError)) throw error
      return { ...summary, stopped: error.message }
    }
    const songChecks = dueIds.map((songId) => {
      const videoResult = resultById.get(songId) ?? 'gone'
      return typeof videoResult === 'string'
        ? { songId, obstacle: videoResult, durationS: undefined }
        : { songId, obstacle: '', durationS: videoResult.duration }
    })
    if (songChecks.length >= SUSPICIOUS_LOSS_COUNT && songChecks.every(({ obstacle }) => obstacle === 'gone'))
      return { ...summary, stopped: `YouTube knows none of ${songChecks.length} videos, which is unlikely: nothing is stored of them` }
    await sweep.storeChecks(songChecks, nowMs())
    summary.checked += songChecks.length
    for (const { obstacle } of songChecks) if (obstacle !== '') summary.obstacles[obstacle] = (summary.obstacles[obstacle] ?? 0) + 1
  }
  return { ...summary, stopped: `${NIGHT_REQUESTS_MAX} requests are the most of a night` }
}

/** Sweeps once a night, in one process of the site, if a key of the API is configured. Returns a function that stops further sweeps. */
export function startSweeps(
  { youtube }: Pick<Config, 'youtube'>,
  { sweep }: Pick<Storage, 'sweep'>,
  nowMs: () => number,
  log: Log,
): () => void {
  if (youtube.apiKey === undefined) return () => {}
  const api = createYoutubeApi(youtube, { nowMs })
  const sweepAtNight = async () => {
    const hour = new Date(nowMs()).getUTCHours()
    if (hour < FIRST_SWEEP_HOUR_UTC || hour > LAST_SWEEP_HOUR_UTC || !(await sweep.claim(nowMs(), nowMs() - CLAIM_DURATION_MS))) return
    log.info(await sweepVideos({ sweep, api, nowMs }), 'the videos of songs were checked')
  }
  const timer = setInterval(() => {
    sweepAtNight().catch((err: unknown) => log.error({ err }, 'the videos of songs could not be checked'))
  }, HOUR_MS / 2).unref()
  return () => clearInterval(timer)
}
