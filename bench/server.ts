import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { cleanEnvironment, freePort, runAdmin, type Site, startSite } from '../e2e/server.ts'
import { benchSongId, generateCatalogue } from './generate-catalogue.ts'
import { median, report } from './report.ts'

// The server's hot reads against a bare Fastify handler that sends the same bytes, one after the other in the same run, so
// that whatever else the machine does hits both alike. `npm run bench -- server [--rounds N] [--seconds N]`; needs a build.

const CONNECTIONS = 40
const P99_MAX_MS = 10

const argument = (name: string, fallback: number) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const rounds = argument('--rounds', 5)
const seconds = argument('--seconds', 3)

const reads = [
  { name: '/song/get', path: `/api/song/get?s=${benchSongId(1)}&p=bench-100`, floor: 0.5, goal: 0.6 },
  { name: '/playlist/get of 100 songs', path: '/api/playlist/get?p=bench-100', floor: 0.6, goal: 0.75 },
]

async function load(url: string, duration: number) {
  const result = await autocannon({ url, connections: CONNECTIONS, duration })
  return { perSecond: result.requests.average, p99Ms: result.latency.p99, failures: result.non2xx + result.errors + result.timeouts }
}

/** A bare handler of the answer at `source`, in a process of its own. */
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
        (answer) => answer.ok,
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

async function compare(site: Site, read: (typeof reads)[number]): Promise<boolean> {
  const url = `http://127.0.0.1:${site.port}${read.path}`
  const bare = await startBare(url)
  try {
    await load(bare.url, 1)
    await load(url, 1)
    const ratios: number[] = []
    const p99s: number[] = []
    const bareP99s: number[] = []
    const perSecond: number[] = []
    let failures = 0
    for (let round = 0; round < rounds; round++) {
      // The order turns each round: neither always runs on the warmer machine.
      const bareFirst = round % 2 === 0
      const before = bareFirst ? await load(bare.url, seconds) : undefined
      const own = await load(url, seconds)
      const reference = before ?? (await load(bare.url, seconds))
      ratios.push(own.perSecond / reference.perSecond)
      p99s.push(own.p99Ms)
      bareP99s.push(reference.p99Ms)
      perSecond.push(own.perSecond)
      failures += own.failures
    }
    report(`${read.name}: answers`, median(perSecond), '/s')
    // Where this one is high too, the machine has other work to do.
    report(`${read.name}: p99 of the bare handler`, median(bareP99s), 'ms')
    const ratio = median(ratios)
    const kept = [
      report(`${read.name}: of a bare handler (goal ${read.goal})`, ratio, '', { atLeast: read.floor }),
      report(`${read.name}: p99, ${CONNECTIONS} connections`, median(p99s), 'ms', { atMost: P99_MAX_MS }),
      report(`${read.name}: failed answers`, failures, '', { atMost: 0 }),
    ]
    return kept.every(Boolean)
  } finally {
    await bare.stop()
  }
}

const work = await mkdtemp(join(tmpdir(), 'varispeed-bench-'))
try {
  const file = join(work, 'catalogue.json')
  const dataDir = join(work, 'data')
  await generateCatalogue(file, { songs: 10_000, playlists: 100 })
  await runAdmin(dataDir, ['catalog', 'import', file])
  const site = await startSite({ DATA_DIR: dataDir, DEMO: 'off' })
  try {
    for (const read of reads) if (!(await compare(site, read))) process.exitCode = 1
  } finally {
    await site.stop()
  }
} finally {
  await rm(work, { recursive: true, force: true })
}
