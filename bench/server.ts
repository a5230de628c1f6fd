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

// `npm run bench -- server [--rounds N] [--seconds N]`: compares frequent API reads with a bare Fastify server that sends the same bytes. Both
// are measured alternately, so that other load on the machine affects both. Needs a build.

const CONNECTION_COUNT = 40
const P99_MAX_MS = 10

const numberArgument = (name: string, fallback: number) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const rounds = numberArgument('--rounds', 5)
const seconds = numberArgument('--seconds', 3)

const apiReads = [
  { name: '/song/get', path: `/api/song/get?s=${benchSongId(1)}&p=bench-100`, floor: 0.5, goal: 0.6 },
  { name: '/playlist/get of 100 songs', path: '/api/playlist/get?p=bench-100', floor: 0.6, goal: 0.75 },
  { name: '/radio/get', path: '/api/radio/get', floor: 0.85, goal: 0.9 },
]

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

async function compareServers(site: Site, apiRead: (typeof apiReads)[number]): Promise<boolean> {
  const url = `http://127.0.0.1:${site.port}${apiRead.path}`
  const bareServer = await startBare(url)
  try {
    await loadServer(bareServer.url, 1)
    await loadServer(url, 1)
    const ratios: number[] = []
    const p99s: number[] = []
    const bareP99s: number[] = []
    const perSecond: number[] = []
    let failures = 0
    for (let round = 0; round < rounds; round++) {
      // The order of the two servers alternates from round to round, so that neither always runs first.
      const bareFirst = round % 2 === 0
      const bareFiguresBefore = bareFirst ? await loadServer(bareServer.url, seconds) : undefined
      const ownFigures = await loadServer(url, seconds)
      const bareFigures = bareFiguresBefore ?? (await loadServer(bareServer.url, seconds))
      ratios.push(ownFigures.perSecond / bareFigures.perSecond)
      p99s.push(ownFigures.p99Ms)
      bareP99s.push(bareFigures.p99Ms)
      perSecond.push(ownFigures.perSecond)
      failures += ownFigures.failures
    }
    reportFigure(`${apiRead.name}: answers`, median(perSecond), '/s')
    // The figures of the bare server are printed too: a high value shows that the machine is busy with other work.
    reportFigure(`${apiRead.name}: p99 of the bare handler`, median(bareP99s), 'ms')
    const ratio = median(ratios)
    const results = [
      reportFigure(`${apiRead.name}: of a bare handler (goal ${apiRead.goal})`, ratio, '', { atLeast: apiRead.floor }),
      reportFigure(`${apiRead.name}: p99, ${CONNECTION_COUNT} connections`, median(p99s), 'ms', { atMost: P99_MAX_MS }),
      reportFigure(`${apiRead.name}: failed answers`, failures, '', { atMost: 0 }),
    ]
    return results.every(Boolean)
  } finally {
    await bareServer.stop()
  }
}

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-bench-'))
try {
  const file = join(workDir, 'catalogue.json')
  const dataDir = join(workDir, 'data')
  await generateCatalogue(file, { songs: 10_000, playlists: 100 })
  await runAdmin(dataDir, ['catalog', 'import', file])
  const site = await startSite({ DATA_DIR: dataDir, DEMO: 'off' })
  try {
    for (const apiRead of apiReads) if (!(await compareServers(site, apiRead))) process.exitCode = 1
  } finally {
    await site.stop()
  }
} finally {
  await rm(workDir, { recursive: true, force: true })
}
