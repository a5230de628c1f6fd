import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { cleanEnvironment, freePort, runAdmin, type Site, startSite } from '../e2e/server.ts'
import { benchSongId, generateCatalogue } from './generate-catalogue.ts'
import { median, reportFigure } from './report.ts'

// `npm run bench -- server [--rounds N] [--seconds N] [--read PATH]`: compares frequent API reads with a bare Fastify server that sends the same bytes. Both
// are measured alternately, so that other load on the machine affects both. Both are started anew for each round: the same program answers
// up to a quarter more requests in one process than in the next, and keeps its pace for as long as it runs. Needs a build.

const CONNECTION_COUNT = 40
const P99_MAX_MS = 10
/** How long a process needs until its code is compiled. */
const WARM_UP_SECONDS = 2

const numberArgument = (name: string, fallback: number) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const rounds = numberArgument('--rounds', 7)
const seconds = numberArgument('--seconds', 3)

const apiReads = [
  { name: '/song/get', path: `/api/song/get?s=${benchSongId(1)}&p=bench-100`, floor: 0.5, goal: 0.6 },
  { name: '/playlist/get of 100 songs', path: '/api/playlist/get?p=bench-100', floor: 0.6, goal: 0.75 },
  { name: '/radio/get', path: '/api/radio/get', floor: 0.85, goal: 0.9 },
]

const readAt = process.argv.indexOf('--read')
const chosenReads = readAt < 0 ? apiReads : apiReads.filter(({ path }) => path.startsWith(`/api${process.argv[readAt + 1]}`))

async function loadServer(url: string, durationSeconds: number) {
  const loadTestResult = await autocannon({ url, connections: CONNECTION_COUNT, duration: durationSeconds })
  return {
    perSecond: loadTestResult.requests.average,
    p99Ms: loadTestResult.latency.p99,
    failures: loadTestResult.non2xx + loadTestResult.errors + loadTestResult.timeouts,
  }
}

/** Starts `bare-server.ts` in a child process; it sends the response of `source`. */
async function startBare(source: string) {
  const port = await freePort()
  const program = fileURLToPath(new URL('./bare-server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, String(port), source], {
    env: cleanEnvironment({}),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}/`
  for (;;) {
    if (child.exitCode !== null) throw new Error('The bare server did not start')
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const summarize = (slices: readonly Awaited<ReturnType<typeof loadServer>>[]) => ({
  perSecond: sum(slices.map(({ perSecond }) => perSecond)) / slices.length,
  p99Ms: median(slices.map(({ p99Ms }) => p99Ms)),
  failures: sum(slices.map(({ failures }) => failures)),
})

/** Measures a round: `read` at a site, and a bare server that sends the same bytes. */
async function measureRound(site: Site, path: string, isBareFirst: boolean) {
  const ownUrl = `http://127.0.0.1:${site.port}${path}`
  const bareServer = await startBare(ownUrl)
  try {
    const urls = isBareFirst ? [bareServer.url, ownUrl] : [ownUrl, bareServer.url]
    for (const url of urls) await loadServer(url, WARM_UP_SECONDS)
    // The two alternate each second, so that other load on the machine meets both.
    const slices = new Map<string, Awaited<ReturnType<typeof loadServer>>[]>(urls.map((url) => [url, []]))
    for (let second = 0; second < seconds; second++) for (const url of urls) slices.get(url)?.push(await loadServer(url, 1))
    const [own, bare] = [slices.get(ownUrl) ?? [], slices.get(bareServer.url) ?? []].map(summarize)
    if (!own || !bare) throw new Error('a server was not measured')
    return { own, bare }
  } finally {
    await bareServer.stop()
  }
}

async function compareServers(start: () => Promise<Site>, apiRead: (typeof apiReads)[number]): Promise<boolean> {
  const measured: Awaited<ReturnType<typeof measureRound>>[] = []
  for (let round = 0; round < rounds; round++) {
    const site = await start()
    // The order of the two servers alternates from round to round, so that neither always runs first.
    measured.push(await measureRound(site, apiRead.path, round % 2 === 0).finally(site.stop))
  }
  reportFigure(`${apiRead.name}: answers`, median(measured.map(({ own }) => own.perSecond)), '/s')
  // The figures of the bare server are printed too: a high value shows that the machine is busy with other work.
  reportFigure(`${apiRead.name}: p99 of the bare handler`, median(measured.map(({ bare }) => bare.p99Ms)), 'ms')
  const ratios = measured.map(({ own, bare }) => own.perSecond / bare.perSecond)
  process.stdout.write(`${apiRead.name}: of a bare handler, by round: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}\n`)
  const failures = sum(measured.map(({ own }) => own.failures))
  const results = [
    reportFigure(`${apiRead.name}: of a bare handler (goal ${apiRead.goal})`, median(ratios), '', { atLeast: apiRead.floor }),
    reportFigure(`${apiRead.name}: p99, ${CONNECTION_COUNT} connections`, median(measured.map(({ own }) => own.p99Ms)), 'ms', {
      atMost: P99_MAX_MS,
    }),
    reportFigure(`${apiRead.name}: failed answers`, failures, '', { atMost: 0 }),
  ]
  return results.every(Boolean)
}

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-bench-'))
try {
  const file = join(workDir, 'catalogue.json')
  const dataDir = join(workDir, 'data')
  await generateCatalogue(file, { songs: 10_000, playlists: 100 })
  await runAdmin(dataDir, ['catalog', 'import', file])
  const start = () => startSite({ DATA_DIR: dataDir, DEMO: 'off' })
  for (const apiRead of chosenReads) if (!(await compareServers(start, apiRead))) process.exitCode = 1
} finally {
  await rm(workDir, { recursive: true, force: true })
}
