import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { runAdminCommand, startSite } from '../e2e/server.ts'
import { readProcessCpuMs } from '../server/testing/main-thread-cpu.ts'
import { startBareServer } from './bare-process.ts'
import { createBenchSongId, generateCatalogue } from './generate-catalogue.ts'
import { readNumberArgument } from './number-argument.ts'
import { computeMedian, reportFigure } from './report.ts'

// `npm run bench -- cold-reads [--songs N] [--rounds N]`: `/song/get` of songs that nobody has requested since the start, each requested once, compared with a
// bare Fastify server that sends the bytes of one of these answers. The songs are requested in slices; after each, the bare server gets as many
// requests, so that other load on the machine affects both. Needs a build.

const THROUGHPUT_RATIO_MIN = 0.4
const RESPONSE_P99_MAX_MS = 8
const CONNECTION_COUNT = 40
/**
 * The number of slices in a round. Each opens new connections, whose first requests wait for one another. With 100,000 songs they are 0.2 % of a slice, so that
 * they do not decide its p99.
 */
const SLICE_COUNT = 4
/** The number of requests that warm up a process, so that its code is compiled. Their songs are not requested again. */
const WARM_UP_REQUEST_COUNT = 10_000

const songCount = readNumberArgument('--songs', 100_000)
const roundCount = readNumberArgument('--rounds', 3)

interface RequestSlice {
  perSecond: number
  p99Ms: number
  cpuUs: number
  failureCount: number
}

/** Requests each path once over `CONNECTION_COUNT` connections. */
async function requestEachOnce({ port, pid }: { port: number; pid: number }, urlPaths: readonly string[]): Promise<RequestSlice> {
  const requestsPerConnection = Math.ceil(urlPaths.length / CONNECTION_COUNT)
  let connectionIndex = 0
  const startMs = performance.now()
  const startCpuMs = readProcessCpuMs(pid)
  // The time of the last response is recorded, because the load program ends up to a second later.
  let lastResponseMs = startMs
  const { latency, non2xx, errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const loadRun = autocannon(
      {
        url: `http://127.0.0.1:${port}`,
        connections: CONNECTION_COUNT,
        amount: urlPaths.length,
        setupClient: (client) => {
          const start = requestsPerConnection * connectionIndex++
          client.setRequests(urlPaths.slice(start, start + requestsPerConnection).map((path) => ({ path })))
        },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
    loadRun.on('response', () => {
      lastResponseMs = performance.now()
    })
  })
  return {
    perSecond: (1000 * urlPaths.length) / (lastResponseMs - startMs),
    p99Ms: latency.p99,
    cpuUs: ((readProcessCpuMs(pid) - startCpuMs) * 1000) / urlPaths.length,
    failureCount: non2xx + errors + timeouts,
  }
}

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-bench-'))
try {
  const cataloguePath = join(workDir, 'catalogue.json')
  const dataDir = join(workDir, 'data')
  await generateCatalogue(cataloguePath, { songs: songCount, playlists: 100 })
  await runAdminCommand(dataDir, ['catalog', 'import', cataloguePath])
  // The songs are requested in another order than the one in which the database stores them.
  const urlPaths = Array.from({ length: songCount }, (_, index) => `/api/song/get?s=${createBenchSongId((index * 7919) % songCount)}`)
  const siteSlices: RequestSlice[] = []
  const bareSlices: RequestSlice[] = []
  for (let round = 0; round < roundCount; round++) {
    const site = await startSite({ DATA_DIR: dataDir, DEMO: 'off' })
    const bareServer = await startBareServer(`http://127.0.0.1:${site.port}${urlPaths[0]}`)
    try {
      await requestEachOnce(site, urlPaths.slice(0, WARM_UP_REQUEST_COUNT))
      await requestEachOnce(bareServer, urlPaths.slice(0, WARM_UP_REQUEST_COUNT))
      const sliceRequestCount = Math.floor((songCount - WARM_UP_REQUEST_COUNT) / SLICE_COUNT)
      for (let start = WARM_UP_REQUEST_COUNT; start + sliceRequestCount <= songCount; start += sliceRequestCount) {
        siteSlices.push(await requestEachOnce(site, urlPaths.slice(start, start + sliceRequestCount)))
        bareSlices.push(await requestEachOnce(bareServer, urlPaths.slice(start, start + sliceRequestCount)))
      }
    } finally {
      await bareServer.stop()
      await site.stop()
    }
  }
  const computeMedianRatio = (key: 'perSecond' | 'cpuUs') =>
    computeMedian(siteSlices.map((slice, index) => slice[key] / (bareSlices[index]?.[key] ?? Number.NaN)))
  reportFigure('/song/get, each song once: processor time of an answer', computeMedian(siteSlices.map(({ cpuUs }) => cpuUs)), 'µs')
  reportFigure('bare handler: processor time of an answer', computeMedian(bareSlices.map(({ cpuUs }) => cpuUs)), 'µs')
  reportFigure('bare handler: p99', computeMedian(bareSlices.map(({ p99Ms }) => p99Ms)), 'ms')
  reportFigure('/song/get, each song once: processor time, of the bare handler', computeMedianRatio('cpuUs'), 'x')
  const areGoalsMet = [
    reportFigure('/song/get, each song once: answers a second, of the bare handler', computeMedianRatio('perSecond'), '', {
      atLeast: THROUGHPUT_RATIO_MIN,
    }),
    reportFigure('/song/get, each song once: p99, 40 connections', computeMedian(siteSlices.map(({ p99Ms }) => p99Ms)), 'ms', {
      atMost: RESPONSE_P99_MAX_MS,
    }),
    reportFigure(
      'failed answers',
      siteSlices.reduce((sum, { failureCount: failures }) => sum + failures, 0),
      '',
      { atMost: 0 },
    ),
  ]
  if (areGoalsMet.includes(false)) process.exitCode = 1
} finally {
  await rm(workDir, { recursive: true, force: true })
}
