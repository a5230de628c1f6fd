import { spawnSync } from 'node:child_process'
import autocannon from 'autocannon'
import { startSite } from '../e2e/server.ts'
import { fetchApi } from '../e2e/steps.ts'

// `npm run bench -- conversion`: the latency of `/song/get` while two songs are converted on the server, beside the latency without conversions.

/** How often the 99th percentile may be that without conversions. */
const P99_RATIO_MAX = 2
const SECONDS = 10
/** Requests per second: what a busy site gets, not what the server can do. */
const REQUESTS_PER_SECOND = 200

const site = await startSite({ RATE_LIMIT_SIGNUP: '1000' })
try {
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: (await fetchApi(site, 'GET /playlist/all'))[0]?.id ?? '' })
  const paths = songs.map(({ youtube_id }) => `/api/song/get?s=${youtube_id}`)
  const measure = async () => {
    const { latency, non2xx, errors } = await autocannon({
      url: `http://127.0.0.1:${site.port}`,
      connections: 10,
      overallRate: REQUESTS_PER_SECOND,
      duration: SECONDS,
      // A thread of its own, because the uploads of this one would delay what is measured.
      workers: 1,
      requests: paths.map((path) => ({ method: 'GET' as const, path })),
    })
    if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`)
    return latency.p99
  }
  const song = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-f', 'lavfi', '-i', 'anoisesrc=d=600:a=0.3', '-c:a', 'libmp3lame', '-b:a', '96k', '-f', 'mp3', '-'],
    { maxBuffer: 2 ** 26 },
  ).stdout
  let personCount = 0
  /** Returns the token of a new subscriber, who may convert 20 songs. */
  const createToken = async () => {
    const email = `bench${++personCount}@example.com`
    await site.admin('user', 'create', '--email', email, '--password', 'tempo160', '--role', 'subscriber')
    const response = await fetch(`${site.origin()}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'tempo160', returnSecureToken: true }),
    })
    const { idToken } = await response.json()
    return String(idToken)
  }
  let isConverting = true
  let conversionCount = 0
  const convertForever = async (token: string) => {
    while (isConverting) {
      const form = new FormData()
      form.append('speed', '25')
      form.append('file', new Blob([new Uint8Array(song)]), 'noise.mp3')
      const response = await fetch(`${site.origin()}/api/make/convert`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      })
      if (response.status !== 200) throw new Error(`conversion: ${await response.text()}`)
      conversionCount++
    }
  }
  const tokens = [await createToken(), await createToken()]
  await measure()
  const aloneMs = await measure()
  const conversions = tokens.map(convertForever)
  const besideMs = await measure()
  isConverting = false
  await Promise.all(conversions)
  const ratio = besideMs / Math.max(1, aloneMs)
  process.stdout.write(
    `p99 of /song/get at ${REQUESTS_PER_SECOND} requests per second: ${aloneMs} ms alone, ${besideMs} ms beside two conversions (${conversionCount} songs of 10 minutes), ratio ${ratio.toFixed(2)} <= ${P99_RATIO_MAX} ${ratio <= P99_RATIO_MAX ? 'ok' : 'MISSED'}\n`,
  )
  if (ratio > P99_RATIO_MAX) process.exitCode = 1
} finally {
  await site.stop()
}
