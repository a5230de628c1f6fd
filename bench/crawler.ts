import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAdminCommand, startSite } from '../e2e/server.ts'
import { readMainThreadCpuMs } from '../server/testing/main-thread-cpu.ts'
import { createBenchSongId, generateCatalogue } from './generate-catalogue.ts'
import { readNumberArgument } from './number-argument.ts'
import { sendAtTimes } from './open-loop.ts'
import { computeMedian, computePercentile, reportFigure } from './report.ts'

// `npm run bench -- crawler [--seconds N] [--rounds N]`: the 99th percentile of the response times of listeners, alone and beside a crawler that
// requests the page of each song once, over CRAWLER_CONNECTIONS connections without a pause. Needs a build.

const RESPONSE_P99_RATIO_MAX = 2
const SONG_COUNT = 100_000
const CRAWLER_CONNECTIONS = 4
const LISTENER_REQUESTS_PER_SECOND = 200
const WARM_UP_MS = 1000

const measuredSeconds = readNumberArgument('--seconds', 10)
const roundCount = readNumberArgument('--rounds', 5)

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-bench-'))
try {
  const cataloguePath = join(workDir, 'catalogue.json')
  const dataDir = join(workDir, 'data')
  await generateCatalogue(cataloguePath, { songs: SONG_COUNT, playlists: 100 })
  await runAdminCommand(dataDir, ['catalog', 'import', cataloguePath])
  const site = await startSite({ DATA_DIR: dataDir, DEMO: 'off' })
  const agent = new Agent({ keepAlive: true })
  let failureCount = 0
  const sendRequest = (urlPath: string) =>
    new Promise<void>((resolve) => {
      const countFailure = () => {
        failureCount++
        resolve()
      }
      get({ agent, host: '127.0.0.1', port: site.port, path: urlPath, headers: { 'accept-encoding': 'gzip' } }, (response) => {
        if (response.statusCode !== 200) failureCount++
        response.resume().once('close', resolve)
      }).once('error', countFailure)
    })
  /** The requests of a listener's page: the schedule of the radio, a song, and its playlist. */
  const listenerPaths = [
    '/api/radio/get',
    ...Array.from({ length: 50 }, (_, index) => `/api/song/get?s=${createBenchSongId(index)}&p=bench-100`),
  ]
  const measureListenerRequestsMs = async () => {
    const stepMs = 1000 / LISTENER_REQUESTS_PER_SECOND
    const count = (WARM_UP_MS + 1000 * measuredSeconds) / stepMs
    return sendAtTimes({ count, stepMs, warmUpMs: WARM_UP_MS }, (index) => sendRequest(listenerPaths[index % listenerPaths.length] ?? '/'))
  }
  let crawledCount = 0
  let isCrawling = false
  /** Runs `work` and returns its result with the processor time that the server's main thread took meanwhile. */
  async function measureCpuMs<T>(work: () => Promise<T>): Promise<[T, number]> {
    const startMs = readMainThreadCpuMs(site.pid)
    return [await work(), readMainThreadCpuMs(site.pid) - startMs]
  }
  async function crawl(): Promise<void> {
    while (isCrawling && crawledCount < SONG_COUNT) await sendRequest(`/song?s=${createBenchSongId((crawledCount++ * 7919) % SONG_COUNT)}`)
  }
  try {
    await measureListenerRequestsMs()
    const slowdownRatios: number[] = []
    const withoutCrawlP99Ms: number[] = []
    const duringCrawlP99Ms: number[] = []
    const pageCpuUs: number[] = []
    for (let round = 0; round < roundCount; round++) {
      const [withoutCrawlWallMs, withoutCrawlCpuMs] = await measureCpuMs(measureListenerRequestsMs)
      const crawledCountBefore = crawledCount
      const [duringCrawlWallMs, duringCrawlCpuMs] = await measureCpuMs(async () => {
        isCrawling = true
        const crawlerPromises = Array.from({ length: CRAWLER_CONNECTIONS }, crawl)
        const responseMs = await measureListenerRequestsMs()
        isCrawling = false
        await Promise.all(crawlerPromises)
        return responseMs
      })
      withoutCrawlP99Ms.push(computePercentile(withoutCrawlWallMs, 0.99))
      duringCrawlP99Ms.push(computePercentile(duringCrawlWallMs, 0.99))
      pageCpuUs.push((1000 * (duringCrawlCpuMs - withoutCrawlCpuMs)) / (crawledCount - crawledCountBefore))
      slowdownRatios.push((duringCrawlP99Ms.at(-1) ?? Number.NaN) / (withoutCrawlP99Ms.at(-1) ?? Number.NaN))
    }
    reportFigure('p99 of listeners alone', computeMedian(withoutCrawlP99Ms), 'ms')
    reportFigure('p99 of listeners beside the crawler', computeMedian(duringCrawlP99Ms), 'ms')
    reportFigure(
      'pages that the crawler got in a second',
      crawledCount / ((roundCount * (WARM_UP_MS + 1000 * measuredSeconds)) / 1000),
      '/s',
    )
    reportFigure("the main thread's processor time of a page", computeMedian(pageCpuUs), 'µs')
    const areGoalsMet = [
      reportFigure('p99 beside the crawler, of that alone', computeMedian(slowdownRatios), '', { atMost: RESPONSE_P99_RATIO_MAX }),
      reportFigure('failed requests', failureCount, '', { atMost: 0 }),
    ]
    if (areGoalsMet.includes(false)) process.exitCode = 1
  } finally {
    agent.destroy()
    await site.stop()
  }
} finally {
  await rm(workDir, { recursive: true, force: true })
}
