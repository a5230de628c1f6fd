import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startSite } from '../e2e/server.ts'
import { fetchApi } from '../e2e/steps.ts'
import { sendAtTimes } from './open-loop.ts'
import { computePercentile, reportFigure } from './report.ts'

// `npm run bench -- conversion`: the latency of `/song/get` while two songs are converted on the server, beside the latency without conversions. Both are measured
// alternately. Needs a build, ffmpeg and curl.

/** The maximum of the 99th percentile of the response times during conversions, divided by the one without conversions. */
const RESPONSE_P99_RATIO_MAX = 2
const ROUND_COUNT = 3
const ROUND_SECONDS = 10
/** Requests per second. This is the load of a busy site, not the maximum of the server. */
const REQUESTS_PER_SECOND = 200
const WARM_UP_MS = 1000
/** The rate of an upload in bytes per second, as on a fast line. Without a limit, uploads within one machine would occupy its processors. */
const UPLOAD_BYTES_PER_SECOND = '5M'

const runProgram = promisify(execFile)
const workDir = await mkdtemp(join(tmpdir(), 'varispeed-bench-'))
const songPath = join(workDir, 'noise.mp3')
execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'anoisesrc=d=600:a=0.3', '-c:a', 'libmp3lame', '-b:a', '96k', songPath])

const site = await startSite()
const agent = new Agent({ keepAlive: true })
try {
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: (await fetchApi(site, 'GET /playlist/all'))[0]?.id ?? '' })
  const urlPaths = songs.map(({ youtube_id }) => `/api/song/get?s=${youtube_id}`)
  const requestSong = (index: number) =>
    new Promise<void>((resolve, reject) => {
      get({ agent, host: '127.0.0.1', port: site.port, path: urlPaths[index % urlPaths.length] }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
        response.resume().once('close', resolve)
      }).once('error', reject)
    })
  const measureP99Ms = async () => {
    const stepMs = 1000 / REQUESTS_PER_SECOND
    return computePercentile(
      await sendAtTimes({ count: (WARM_UP_MS + 1000 * ROUND_SECONDS) / stepMs, stepMs, warmUpMs: WARM_UP_MS }, requestSong),
      0.99,
    )
  }

  let subscriberCount = 0
  /** Returns the token of a new subscriber, who may convert 20 songs. */
  async function createToken(): Promise<string> {
    const email = `bench${++subscriberCount}@example.com`
    await site.runAdmin('user', 'create', '--email', email, '--password', 'tempo160', '--role', 'subscriber')
    const response = await fetch(`${site.origin()}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'tempo160', returnSecureToken: true }),
    })
    const { idToken } = await response.json()
    return String(idToken)
  }
  let isConverting = false
  let conversionCount = 0
  /** Converts songs one after the other. A process of its own uploads them, so that the uploads do not delay the measurement. */
  async function convertSongs(token: string): Promise<void> {
    while (isConverting) {
      const authorizationHeader = `authorization: Bearer ${token}`
      await runProgram('curl', [
        '-sf',
        '--limit-rate',
        UPLOAD_BYTES_PER_SECOND,
        '-H',
        authorizationHeader,
        '-F',
        'speed=25',
        '-F',
        `file=@${songPath}`,
        `http://127.0.0.1:${site.port}/api/make/convert`,
      ])
      conversionCount++
    }
  }

  await measureP99Ms()
  const slowdownRatios: number[] = []
  for (let round = 0; round < ROUND_COUNT; round++) {
    const idTokens = [await createToken(), await createToken()]
    const withoutConversionMs = await measureP99Ms()
    isConverting = true
    const conversionPromises = idTokens.map(convertSongs)
    const duringConversionMs = await measureP99Ms()
    isConverting = false
    await Promise.all(conversionPromises)
    reportFigure('p99 of /song/get alone', withoutConversionMs, 'ms')
    reportFigure('p99 of /song/get beside two conversions', duringConversionMs, 'ms')
    slowdownRatios.push(duringConversionMs / withoutConversionMs)
  }
  reportFigure('songs of ten minutes that were converted', conversionCount, '')
  const isMet = reportFigure('p99 beside two conversions, of that alone', computePercentile(slowdownRatios, 0.5), '', {
    atMost: RESPONSE_P99_RATIO_MAX,
  })
  if (!isMet) process.exitCode = 1
} finally {
  agent.destroy()
  await site.stop()
  await rm(workDir, { recursive: true, force: true })
}
