import { readVideos, type SkipReason, type VideoFields } from '../admin/youtube/videos.ts'
import { createYoutubeApi, InterruptedError, type YoutubeApi } from '../admin/youtube/youtube-api.ts'
import type { Config } from '../config.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts'
import type { Log } from '../log.ts'
import type { Storage } from '../storage/open.ts'
import type { VideoCheck } from './store.ts'

/** The number of songs per request, which the API allows at most. */
const SONGS_PER_BATCH = 50
/** The maximum number of requests of a sweep: a fifth of the daily quota of a key. Each costs one unit. */
const SWEEP_REQUESTS_MAX = 2000
/** The time after which a song is checked again. It is shorter than the month after which an exclusion ends. */
const RECHECK_INTERVAL_MS = 20 * DAY_MS
/** The hours of UTC in which the sweep begins. */
const [FIRST_SWEEP_HOUR_UTC, LAST_SWEEP_HOUR_UTC] = [2, 5]
const NIGHT_CLAIM_MS = 20 * HOUR_MS
/** The time for which a running sweep is claimed. A sweep extends its claim before each batch, which takes less time, even with all its retries. */
const RUN_CLAIM_MS = 20 * MINUTE_MS
/** If at least this many videos are missing, and no other, the response is believed only if YouTube knows another video at that time. */
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
  /** Its limit of requests is the limit of the sweep. */
  api: YoutubeApi
  nowMs: () => number
}

/** Creates the client of the API for one sweep. @throws CommandError if no key is configured */
export const createSweepApi = (youtube: Config['youtube'], nowMs: () => number): YoutubeApi =>
  createYoutubeApi(youtube, { nowMs, requestsMax: SWEEP_REQUESTS_MAX })

/** Asks YouTube for at most 50 videos. */
async function checkVideos(api: YoutubeApi, songIds: readonly string[]): Promise<VideoCheck[]> {
  const resultById = new Map<string, VideoFields | SkipReason>()
  await readVideos(api, songIds, resultById, () => {})
  return songIds.map((songId) => {
    const videoResult = resultById.get(songId) ?? 'gone'
    return typeof videoResult === 'string'
      ? { songId, obstacle: videoResult, durationS: undefined }
      : { songId, obstacle: '', durationS: videoResult.duration }
  })
}

const areAllGone = (checks: readonly VideoCheck[]) => checks.every(({ obstacle }) => obstacle === 'gone')

/** Whether YouTube knows a video of the songs other than `missingIds`, so that it knows videos at this time. */
async function isAnyOtherVideoKnown({ sweep, api }: SweepDeps, missingIds: readonly string[]): Promise<boolean> {
  const controlIds = await sweep.listControls(missingIds, SONGS_PER_BATCH)
  return controlIds.length > 0 && !areAllGone(await checkVideos(api, controlIds))
}

/** Checks the videos of the songs that are due. `extendClaim` returns false if another sweep has begun. */
async function checkDueVideos(deps: SweepDeps, extendClaim: () => Promise<boolean>): Promise<SweepSummary> {
  const { sweep, api, nowMs } = deps
  const summary: SweepSummary = { checked: 0, obstacles: {}, stopped: null }
  for (;;) {
    if (!(await extendClaim())) return { ...summary, stopped: 'another sweep has begun, because this one did not go on for long' }
    const dueIds = await sweep.listDue(nowMs() - RECHECK_INTERVAL_MS, SONGS_PER_BATCH)
    if (dueIds.length === 0) return summary
    try {
      const songChecks = await checkVideos(api, dueIds)
      if (songChecks.length >= SUSPICIOUS_LOSS_COUNT && areAllGone(songChecks) && !(await isAnyOtherVideoKnown(deps, dueIds)))
        return { ...summary, stopped: `YouTube knows none of ${songChecks.length} videos, which is unlikely: nothing is stored of them` }
      await sweep.storeChecks(songChecks, nowMs())
      summary.checked += songChecks.length
      for (const { obstacle } of songChecks) if (obstacle !== '') summary.obstacles[obstacle] = (summary.obstacles[obstacle] ?? 0) + 1
    } catch (error) {
      if (!(error instanceof InterruptedError)) throw error
      return { ...summary, stopped: error.message }
    }
  }
}

/**
 * Checks the videos of the songs that are due. The next sweep continues after the last checked song. Returns undefined if another sweep runs, in this
 * process or another, or if `mayStart`, which is called while no other sweep runs, resolves to false.
 */
export async function sweepVideos(deps: SweepDeps, mayStart = () => Promise.resolve(true)): Promise<SweepSummary | undefined> {
  const { sweep, nowMs } = deps
  let claimedUntilMs = nowMs() + RUN_CLAIM_MS
  if (!(await sweep.claimRun(claimedUntilMs, nowMs()))) return undefined
  const moveClaim = (untilMs: number) => {
    const heldUntilMs = claimedUntilMs
    claimedUntilMs = untilMs
    return sweep.moveRunClaim(heldUntilMs, untilMs)
  }
  try {
    return (await mayStart()) ? await checkDueVideos(deps, () => moveClaim(nowMs() + RUN_CLAIM_MS)) : undefined
  } finally {
    await moveClaim(0)
  }
}

/** Sweeps once a night, in one process of the site, if a key of the API is configured. Returns a function that stops further sweeps. */
export function startSweeps(
  { youtube }: Pick<Config, 'youtube'>,
  { sweep }: Pick<Storage, 'sweep'>,
  nowMs: () => number,
  log: Log,
): () => void {
  if (youtube.apiKey === undefined) return () => {}
  const sweepAtNight = async () => {
    const hour = new Date(nowMs()).getUTCHours()
    if (hour < FIRST_SWEEP_HOUR_UTC || hour > LAST_SWEEP_HOUR_UTC) return
    const summary = await sweepVideos({ sweep, api: createSweepApi(youtube, nowMs), nowMs }, () =>
      sweep.claimNight(nowMs(), nowMs() - NIGHT_CLAIM_MS),
    )
    if (summary !== undefined) log.info(summary, 'the videos of songs were checked')
  }
  const timer = setInterval(() => {
    sweepAtNight().catch((err: unknown) => log.error({ err }, 'the videos of songs could not be checked'))
  }, HOUR_MS / 2).unref()
  return () => clearInterval(timer)
}
