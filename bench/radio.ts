import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAdminCommand, startSite } from '../e2e/server.ts'
import { generateCatalogue } from './generate-catalogue.ts'
import { readNumberArgument } from './number-argument.ts'
import { sendAtTimes } from './open-loop.ts'
import { computePercentile, reportFigure } from './report.ts'

// `npm run bench -- radio [--seconds N]`: 20,000 listeners ask the radio what it plays, each every 5 s from an address of its own, as the radio's page does. The
// server has one core, and the listeners another. Needs a build, and Linux' `taskset`.

const LISTENER_COUNT = 20_000
const POLL_INTERVAL_MS = 5000
const WARM_UP_MS = 5000
const RESPONSE_P99_MAX_MS = 20
const MAX_CONNECTIONS = 512

const measuredSeconds = readNumberArgument('--seconds', 20)

const pinToCore = (core: number, pid: number) => execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
const createListenerAddress = (listenerIndex: number) => `10.${listenerIndex >> 16}.${(listenerIndex >> 8) & 255}.${listenerIndex & 255}`

const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS })
const etagByListener = new Map<number, string>()
let failureCount = 0
let shownListenerCount = 0

/** Sends a listener's request. Resolves when the response has arrived. */
const pollRadio = (port: number, listenerIndex: number) =>
  new Promise<void>((resolve) => {
    const etag = etagByListener.get(listenerIndex)
    const headers = { 'x-forwarded-for': createListenerAddress(listenerIndex), ...(etag === undefined ? {} : { 'if-none-match': etag }) }
    const request = get({ agent, host: '127.0.0.1', port, path: '/api/radio/get', headers }, (response) => {
      if (response.statusCode !== 200 && response.statusCode !== 304) failureCount++
      if (response.headers.etag !== undefined) etagByListener.set(listenerIndex, response.headers.etag)
      shownListenerCount = Number(response.headers['x-listeners'])
      response.resume().once('close', resolve)
    })
    request.once('error', () => {
      failureCount++
      resolve()
    })
  })

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-bench-'))
try {
  const cataloguePath = join(workDir, 'catalogue.json')
  const dataDir = join(workDir, 'data')
  await generateCatalogue(cataloguePath, { songs: 10_000, playlists: 100 })
  await runAdminCommand(dataDir, ['catalog', 'import', cataloguePath])
  await runAdminCommand(dataDir, ['settings', 'set', 'SHOW_LISTENERS', 'true'])
  const site = await startSite({ DATA_DIR: dataDir, DEMO: 'off', TRUST_PROXY: '127.0.0.1' })
  try {
    pinToCore(0, site.pid)
    pinToCore(1, process.pid)
    const startMs = performance.now()
    const requestCount = ((WARM_UP_MS + 1000 * measuredSeconds) / POLL_INTERVAL_MS) * LISTENER_COUNT
    const responseMs = await sendAtTimes(
      { count: requestCount, stepMs: POLL_INTERVAL_MS / LISTENER_COUNT, warmUpMs: WARM_UP_MS },
      (index) => pollRadio(site.port, index % LISTENER_COUNT),
    )
    const responsesPerSecond = (1000 * responseMs.length) / (performance.now() - startMs - WARM_UP_MS)
    reportFigure('listeners that the radio shows', shownListenerCount, '')
    const goalResults = [
      reportFigure(`requests of ${LISTENER_COUNT} listeners`, responsesPerSecond, '/s', {
        atLeast: 0.99 * ((1000 * LISTENER_COUNT) / POLL_INTERVAL_MS),
      }),
      reportFigure('failed requests', failureCount, '', { atMost: 0 }),
      reportFigure('from the time a request was due: p99', computePercentile(responseMs, 0.99), 'ms', { atMost: RESPONSE_P99_MAX_MS }),
    ]
    reportFigure('from the time a request was due: median', computePercentile(responseMs, 0.5), 'ms')
    reportFigure('from the time a request was due: longest', computePercentile(responseMs, 1), 'ms')
    if (!goalResults.every(Boolean)) process.exitCode = 1
  } finally {
    agent.destroy()
    await site.stop()
  }
} finally {
  await rm(workDir, { recursive: true, force: true })
}
