import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAdminCommand, type Site, startSite } from '../e2e/server.ts'
import { startBareServer } from './bare-process.ts'
import { createBenchSongId, generateCatalogue } from './generate-catalogue.ts'
import { loadAlternately } from './load-server.ts'
import { readNumberArgument } from './number-argument.ts'
import { computeMedian, reportFigure } from './report.ts'

// `npm run bench -- server [--rounds N] [--seconds N] [--read PATH]`: compares frequent API reads with a bare Fastify server that sends the same bytes. Both
// are measured alternately, so that other load on the machine affects both. Both are started anew for each round: the same program answers
// up to a quarter more requests in one process than in the next, and keeps its pace for as long as it runs. Needs a build.

const RESPONSE_P99_MAX_MS = 10
const THROUGHPUT_RATIO_MIN = 0.9

const roundCount = readNumberArgument('--rounds', 7)
const measuredSeconds = readNumberArgument('--seconds', 3)

const apiReads = [
  { name: '/song/get', path: `/api/song/get?s=${createBenchSongId(1)}&p=bench-100` },
  { name: '/playlist/get of 100 songs', path: '/api/playlist/get?p=bench-100' },
  { name: '/radio/get', path: '/api/radio/get' },
]

const readOptionIndex = process.argv.indexOf('--read')
const chosenReads =
  readOptionIndex < 0 ? apiReads : apiReads.filter(({ path }) => path.startsWith(`/api${process.argv[readOptionIndex + 1]}`))

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Measures a round: requests of `urlPath` to a site, and to a bare server that sends the same bytes. */
async function measureRound(site: Site, urlPath: string, isBareServerFirst: boolean) {
  const bareServer = await startBareServer(`http://127.0.0.1:${site.port}${urlPath}`)
  const servers = [
    { port: site.port, load: { path: urlPath } },
    { port: bareServer.port, load: { path: '/' } },
  ]
  try {
    const requestRates = await loadAlternately(isBareServerFirst ? servers.reverse() : servers, measuredSeconds)
    const [own, bare] = isBareServerFirst ? requestRates.reverse() : requestRates
    if (!own || !bare) throw new Error('a server was not measured')
    return { own, bare }
  } finally {
    await bareServer.stop()
  }
}

async function compareServers(startSite: () => Promise<Site>, apiRead: (typeof apiReads)[number]): Promise<boolean> {
  const measuredRounds: Awaited<ReturnType<typeof measureRound>>[] = []
  for (let round = 0; round < roundCount; round++) {
    const site = await startSite()
    // The order of the two servers alternates from round to round, so that neither always runs first.
    measuredRounds.push(await measureRound(site, apiRead.path, round % 2 === 0).finally(site.stop))
  }
  reportFigure(`${apiRead.name}: answers`, computeMedian(measuredRounds.map(({ own }) => own.requestsPerSecond)), '/s')
  // The figures of the bare server are printed too: a high value shows that the machine is busy with other work.
  reportFigure(`${apiRead.name}: p99 of the bare handler`, computeMedian(measuredRounds.map(({ bare }) => bare.p99Ms)), 'ms')
  const throughputRatios = measuredRounds.map(({ own, bare }) => own.requestsPerSecond / bare.requestsPerSecond)
  process.stdout.write(`${apiRead.name}: of a bare handler, by round: ${throughputRatios.map((ratio) => ratio.toFixed(2)).join(' ')}\n`)
  const failureCount = sum(measuredRounds.map(({ own }) => own.failureCount))
  const goalResults = [
    reportFigure(`${apiRead.name}: of a bare handler`, computeMedian(throughputRatios), '', { atLeast: THROUGHPUT_RATIO_MIN }),
    reportFigure(`${apiRead.name}: p99, 40 connections`, computeMedian(measuredRounds.map(({ own }) => own.p99Ms)), 'ms', {
      atMost: RESPONSE_P99_MAX_MS,
    }),
    reportFigure(`${apiRead.name}: failed answers`, failureCount, '', { atMost: 0 }),
  ]
  return goalResults.every(Boolean)
}

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-bench-'))
try {
  const cataloguePath = join(workDir, 'catalogue.json')
  const dataDir = join(workDir, 'data')
  await generateCatalogue(cataloguePath, { songs: 10_000, playlists: 100 })
  await runAdminCommand(dataDir, ['catalog', 'import', cataloguePath])
  const startBenchSite = () => startSite({ DATA_DIR: dataDir, DEMO: 'off' })
  for (const apiRead of chosenReads) if (!(await compareServers(startBenchSite, apiRead))) process.exitCode = 1
} finally {
  await rm(workDir, { recursive: true, force: true })
}
