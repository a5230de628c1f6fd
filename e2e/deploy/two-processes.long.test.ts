import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ConversionStatus } from '../../contract/conversion.ts'
import type { FavoriteSyncResult } from '../../contract/favorite.ts'
import type { RadioProgramme } from '../../contract/radio.ts'
import { createCheckout, createSignedEvent, createSubscription } from '../../server/payments/testing/signed-events.ts'
import { runAdminCommand } from '../server.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'
import { requestOverHttps } from './proxy-requests.ts'
import { createSilentWav } from './silent-wav.ts'
import { countBy, credentials, HOST, identityPath, PROCESSES, startTwoProcessSite, type TwoProcessSite } from './two-process-site.ts'

// Two built servers on one PostgreSQL, behind nginx with the repository's example, which sends requests to them alternately. Needs Debian's packages
// `postgresql`, `pgbouncer` and `nginx`.

const WRONG_PASSWORDS_MAX = 6

let workDir = ''
let cluster: PostgresCluster
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'varispeed-two-'))
  cluster = await startPostgresCluster(workDir)
})
afterAll(async () => {
  await cluster?.stop()
  await rm(workDir, { recursive: true, force: true })
})

async function deploy(name: string, databaseUrl: string): Promise<TwoProcessSite> {
  const folder = await mkdtemp(join(workDir, `${name}-`))
  return startTwoProcessSite(folder, {
    DATABASE_URL: databaseUrl,
    RATE_LIMIT_LOGIN: String(WRONG_PASSWORDS_MAX),
    RATE_LIMIT_WRITES: '1000000',
  })
}

/** Calls the API of each process directly, as the proxy does, for a client with the given address. */
const requestEachSite = ({ sites }: TwoProcessSite, urlPath: string, ipAddress = '192.0.2.1') =>
  Promise.all(
    sites.map(async ({ port }) => {
      const headers = { 'x-forwarded-for': ipAddress, 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https' }
      return (await (await fetch(`http://127.0.0.1:${port}/api${urlPath}`, { headers })).json()).data
    }),
  )

async function signUp({ call }: TwoProcessSite, name: string) {
  const { status, body } = await call<{ idToken: string; refreshToken: string; localId: string }>(identityPath('signUp'), credentials(name))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

describe.each(['PostgreSQL', 'PgBouncer in transaction mode'])('two processes on %s', (kind) => {
  const database = kind === 'PostgreSQL' ? 'direct' : 'pooled'
  let site: TwoProcessSite
  beforeAll(async () => {
    cluster.createDatabase(database)
    const urlOf = kind === 'PostgreSQL' ? cluster.urlOf : await cluster.startBouncer()
    site = await deploy(database, urlOf(database))
  }, 120_000)
  afterAll(() => site?.stop())

  test('a login through one process is valid in the other, and a sign-out through one takes effect in the other immediately', async () => {
    const { idToken, refreshToken } = await signUp(site, 'ann')
    const readStatuses = async () =>
      (await Promise.all(Array.from({ length: 10 }, () => site.call('/api/account/getinfo', undefined, idToken)))).map(
        ({ status }) => status,
      )
    expect(countBy(await readStatuses())).toEqual({ 200: 10 })
    expect((await site.call('/api/account/sign_out', { refresh_token: refreshToken }, idToken)).status).toBe(200)
    expect(countBy(await readStatuses())).toEqual({ 401: 10 })
  })

  test('wrong passwords are counted together', async () => {
    await signUp(site, 'bob')
    const guess = async () =>
      (await site.call<{ error: { message: string } }>(identityPath('signInWithPassword'), credentials('bob', 'a wrong guess'))).body
    const guesses = await Promise.all(Array.from({ length: 20 }, guess))
    expect(countBy(guesses.map(({ error }) => error.message.split(' ')[0] ?? ''))).toEqual({
      INVALID_LOGIN_CREDENTIALS: WRONG_PASSWORDS_MAX,
      TOO_MANY_ATTEMPTS_TRY_LATER: 20 - WRONG_PASSWORDS_MAX,
    })
  })

  test('both processes read a changed setting within a second', async () => {
    const namesOf = async () => (await requestEachSite(site, '/site')).map(({ settings }) => settings.NAME)
    for (const name of ['First name', 'Second name']) {
      await runAdminCommand(site.dataDir, ['settings', 'set', 'NAME', name], site.env)
      await sleep(1000)
      expect(await namesOf()).toEqual([name, name])
    }
  })

  test('simultaneous changes of favorites through both processes are all stored, and both return the same list', async () => {
    const { idToken } = await signUp(site, 'cid')
    const [songs]: { youtube_id: string }[][] = await requestEachSite(site, '/song/search?s=a')
    const favoriteChange = (s: string, index: number) => ({
      ...{ id: randomUUID(), s, favorite: true, at: new Date(Date.now() - 60_000 + index).toISOString(), device: randomUUID() },
    })
    const wantedIds = songs?.slice(0, 10).map(({ youtube_id }) => youtube_id) ?? []
    expect(wantedIds).toHaveLength(10)
    const changes = wantedIds.map(favoriteChange)
    const statuses = await Promise.all(
      [...changes, ...changes].map(async (each) => (await site.call('/api/favorite/sync', { changes: [each] }, idToken)).status),
    )
    expect(countBy(statuses)).toEqual({ 200: 2 * wantedIds.length })
    const readList = async () => {
      const { body } = await site.call<{ data: FavoriteSyncResult }>('/api/favorite/sync', {}, idToken)
      return body.data.favorites.map(({ s }) => s).sort()
    }
    const [first, second] = [await readList(), await readList()]
    expect(first).toEqual(wantedIds.sort())
    expect(second).toEqual(first)
  })

  test('both processes play the same song of the radio, also after a skip, and report the sum of their listeners', async () => {
    await runAdminCommand(site.dataDir, ['settings', 'set', 'SHOW_LISTENERS', 'true'], site.env)
    const readRadio = (address?: string): Promise<RadioProgramme[]> => requestEachSite(site, '/radio/get', address)
    const songsOf = (programmes: readonly RadioProgramme[]) =>
      programmes.map(({ youtube_id, start_time, upcoming }) => [youtube_id, start_time, ...upcoming.map((each) => each.youtube_id)])
    for (let round = 0; round < 3; round++) {
      await runAdminCommand(site.dataDir, ['radio', 'skip'], site.env)
      await sleep(1000)
      const [one, other] = songsOf(await readRadio())
      expect(one).toEqual(other)
    }
    const listenToSite = (index: number, ipAddress: string) =>
      fetch(`http://127.0.0.1:${site.sites[index]?.port}/api/radio/get`, {
        headers: { 'x-forwarded-for': ipAddress, 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https' },
      })
    let counts: (number | undefined)[] = []
    for (const endMs = Date.now() + 20_000; Date.now() < endMs && counts.join() !== '8,8'; await sleep(1000)) {
      for (let client = 0; client < 7; client++) await listenToSite(Number(client > 3), `192.0.2.${10 + client}`)
      counts = (await readRadio()).map(({ listeners }) => listeners)
    }
    // Seven clients of one process each, and one of both.
    expect(counts).toEqual([8, 8])
  })

  test('an event of Stripe that both processes receive counts once', async () => {
    const { localId } = await signUp(site, 'dan')
    const nowSeconds = Math.floor(Date.now() / 1000)
    const events = [
      {
        id: 'evt_1',
        created: nowSeconds,
        type: 'checkout.session.completed',
        object: createCheckout('cus_1', 'sub_1', { client_reference_id: localId }),
      },
      {
        id: 'evt_2',
        created: nowSeconds,
        type: 'customer.subscription.created',
        object: createSubscription('cus_1', 'sub_1', 'active', nowSeconds + 86_400),
      },
    ]
    const send = async (event: (typeof events)[number], index: number) => {
      const { payload, headers } = createSignedEvent(event)
      const url = `http://127.0.0.1:${site.sites[index % 2]?.port}/api/webhooks/stripe`
      return (await fetch(url, { method: 'POST', body: payload, headers })).status
    }
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, index) => events.map((event) => send(event, index))).flat())
    expect(countBy(statuses)).toEqual({ 200: 20 })
    expect(cluster.query(database, 'select count(*) from payment_events')).toBe('2')
    expect(cluster.query(database, `select purchase, role from paid_grants where uid = '${localId}'`)).toBe('sub_1|subscriber')
  })

  test('every message is mailed once', async () => {
    const outbox = join(site.dataDir, 'outbox')
    const countMails = async () => (await readdir(outbox).catch(() => [])).length
    const mailCountBefore = await countMails()
    const send = (index: number) => {
      const body = { topic: 'song-report', message: `Message ${index}`, change_id: randomUUID() }
      return Promise.all([site.call('/api/contact/request', body), site.call('/api/contact/request', body)])
    }
    const answers = (await Promise.all(Array.from({ length: 10 }, (_, index) => send(index)))).flat()
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 200: 20 })
    for (let waited = 0; (await countMails()) < mailCountBefore + 10 && waited < 50; waited++) await sleep(100)
    await sleep(1000)
    expect((await countMails()) - mailCountBefore).toBe(10)
    expect(cluster.query(database, 'select count(*) from mails where due is not null')).toBe('0')
  })

  test('of 100 simultaneous activations of one domain name, exactly one succeeds', async () => {
    const accounts = await Promise.all(Array.from({ length: 10 }, (_, index) => signUp(site, `owner${index}`)))
    for (const { localId } of accounts)
      cluster.query(
        database,
        `insert into roles (email, role, source, uid) select email, 'subscriber', 'admin', uid from accounts where uid = '${localId}'`,
      )
    const activate = (index: number) => site.call('/api/website/activate', { domain_name: 'wanted' }, accounts[index % 10]?.idToken)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => activate(index)))
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 99 })
    expect(cluster.query(database, 'select count(*), count(distinct uid) from websites')).toBe('1|1')
    expect((await requestEachSite(site, '/subscriber/getinfo?domain_name=wanted')).map(({ data }) => data.domain_name)).toEqual([
      'wanted',
      'wanted',
    ])
    const promotion = { youtube_channel: 'https://www.youtube.com/@somebody', youtube_share: 'https://www.youtube.com/watch?v=AAAAAAAAAA1' }
    const saved = await Promise.all(accounts.map(({ idToken }) => site.call('/api/promotion/save', promotion, idToken)))
    expect(countBy(saved.map(({ status }) => status))).toEqual({ 200: 10 })
    expect(cluster.query(database, 'select count(*) from promotion_days')).toBe('1')
  })

  test('of two simultaneous imports, one is completed and the other fails with the message that an import is running', async () => {
    const totalBefore = cluster.query(database, 'select songs from catalogue.totals')
    const file = join(workDir, `${database}.json`)
    const songs = Array.from({ length: 20_000 }, (_, index) => ({
      ...{
        youtube_id: `import${String(index).padStart(5, '0')}`,
        title: `Imported ${index}`,
        author_name: 'Somebody',
        category_id: 'imported',
      },
      ...{ category_name: 'Imported', date_added: '2026-01-01' },
    }))
    await writeFile(file, JSON.stringify({ songs }))
    const outcomes = await Promise.allSettled([0, 1].map(() => runAdminCommand(site.dataDir, ['catalog', 'import', file], site.env)))
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
    expect(reasons).toEqual([expect.stringContaining('Another import is under way')])
    expect(Number(cluster.query(database, 'select songs from catalogue.totals'))).toBe(Number(totalBefore) + 20_000)
    await runAdminCommand(site.dataDir, ['catalog', 'import', file], site.env)
    await sleep(1000)
    expect((await requestEachSite(site, '/song/get?s=import00007')).map(({ title }) => title)).toEqual(['Imported 7', 'Imported 7'])
  })
})

interface LoadCall {
  path: string
  body?: object
  token?: string
}

/** Sends `perSecond` requests through the proxy until `signal` aborts: the calls that `callAt` returns for their numbers. Returns the answers. */
async function sendLoad({ proxy }: TwoProcessSite, callAt: (index: number) => LoadCall, perSecond: number, signal: AbortSignal) {
  const agent = new Agent({ keepAlive: true, maxSockets: 50, ca: proxy.authority })
  const answers: { path: string; atMs: number; status: number; retryAfter: string | undefined }[] = []
  const running: Promise<void>[] = []
  const send = async ({ path, body, token }: LoadCall) => {
    const atMs = Date.now()
    const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const options = body === undefined ? { agent } : { agent, method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await requestOverHttps(proxy, HOST, path, options).catch(() => undefined)
    answers.push({ path, atMs, status: answer?.status ?? 0, retryAfter: answer?.headers['retry-after'] })
  }
  const startMs = performance.now()
  for (let count = 0; !signal.aborted; count++) {
    running.push(send(callAt(count)))
    await sleep(Math.max(0, startMs + ((count + 1) * 1000) / perSecond - performance.now()))
  }
  await Promise.all(running)
  agent.destroy()
  return answers
}

/** Returns the calls of listeners, half of which write: of 100 calls, 15 each change favorites, change own playlists and report plays. */
function listenerCalls(tokens: readonly string[], songs: readonly string[]): (index: number) => LoadCall {
  const deviceId = randomUUID()
  const reads = ['/api/song/random', '/api/playlist/all', '/', '/api/radio/get', '/playlists']
  return (index) => {
    const [turnInRound, round] = [index % 100, Math.floor(index / 100)]
    const [token = '', s = ''] = [tokens[index % tokens.length], songs[index % songs.length]]
    const change = { id: randomUUID(), at: new Date().toISOString(), device: deviceId }
    if (turnInRound % 2 === 0) return { path: reads[(turnInRound / 2) % reads.length] ?? '/' }
    if (turnInRound < 30) return { path: '/api/favorite/sync', token, body: { changes: [{ ...change, s, favorite: round % 2 === 0 }] } }
    if (turnInRound < 60)
      return { path: '/api/list/sync', token, body: { changes: [{ ...change, l: randomUUID(), title: `List ${index}` }] } }
    if (turnInRound < 96) return { path: '/api/song/play', body: { s, change_id: change.id } }
    if (turnInRound < 98)
      return { path: '/api/contact/request', body: { topic: 'song-report', message: `Message ${index}`, change_id: change.id } }
    return { path: identityPath('signInWithPassword'), body: credentials('listener0') }
  }
}

/** Converts a silent song of an account. Resolves with the status of the response after the conversion has ended. */
async function convert({ proxy }: TwoProcessSite, token: string, jobId: string, bytes: number) {
  const encodeField = (name: string, value: string) => `--b0undary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = `--b0undary\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(encodeField('speed', '25') + encodeField('format', 'mp3') + encodeField('job_id', jobId) + head),
    createSilentWav(bytes),
    Buffer.from('\r\n--b0undary--\r\n'),
  ])
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b0undary' }
  return requestOverHttps(proxy, HOST, '/api/make/convert', { method: 'POST', headers, body })
}

describe('two processes in operation', () => {
  let site: TwoProcessSite
  beforeAll(async () => {
    cluster.createDatabase('operated')
    site = await deploy('operated', cluster.urlOf('operated'))
  }, 120_000)
  afterAll(() => site?.stop())

  test('a rolling restart at 200 requests a second, half of which write, fails none', async () => {
    const accounts = await Promise.all(Array.from({ length: 10 }, (_, index) => signUp(site, `listener${index}`)))
    const [songs]: { youtube_id: string }[][] = await requestEachSite(site, '/song/search?s=a')
    const tokens = accounts.map(({ idToken }) => idToken)
    const calls = listenerCalls(tokens, songs?.map(({ youtube_id }) => youtube_id) ?? [])
    const end = new AbortController()
    const load = sendLoad(site, calls, 200, end.signal)
    await sleep(1000)
    for (const index of [0, 1, 0, 1]) await site.restart(index)
    await sleep(1000)
    end.abort()
    const answers = await load
    process.stdout.write(`rolling restart: ${JSON.stringify(countBy(answers.map(({ path, status }) => `${status} ${path}`)))}\n`)
    expect(answers.length).toBeGreaterThan(1000)
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 200: answers.length })
  })

  test('a conversion that one process runs can be followed and cancelled through the other, and its file downloaded through both', async () => {
    const { idToken, localId } = await signUp(site, 'maker')
    cluster.query(
      'operated',
      `insert into roles (email, role, source, uid) select email, 'subscriber', 'admin', uid from accounts where uid = '${localId}'`,
    )
    const requestEach = (urlPath: string, options: RequestInit = {}) =>
      Promise.all(
        site.sites.map(({ port }) =>
          fetch(`http://127.0.0.1:${port}${urlPath}`, { ...options, headers: { authorization: `Bearer ${idToken}` } }),
        ),
      )
    const statesOf = async (jobId: string): Promise<ConversionStatus[]> =>
      Promise.all((await requestEach(`/api/make/status?job_id=${jobId}`)).map(async (answer) => (await answer.json()).data))
    // Conversions have the lowest priority, and wait while others use the machine.
    const patience = { timeout: 300_000 }
    const jobId = randomUUID()
    const conversionPromise = convert(site, idToken, jobId, 10_000_000)
    await vi.waitFor(async () => expect((await statesOf(jobId)).map(({ progress }) => progress > 0)).toEqual([true, true]), patience)
    expect((await conversionPromise).status).toBe(200)
    const urls = (await statesOf(jobId)).map(({ url }) => url ?? '')
    const files = (await Promise.all(urls.map((url) => requestEach(url)))).flat()
    const sizes = await Promise.all(files.map(async (file) => (await file.arrayBuffer()).byteLength))
    expect([countBy(files.map(({ status }) => status)), new Set(sizes).size]).toEqual([{ 200: 4 }, 1])

    for (const index of PROCESSES) {
      const cancelledId = randomUUID()
      const cancelled = convert(site, idToken, cancelledId, 10_000_000)
      await vi.waitFor(
        async () => expect((await statesOf(cancelledId)).map(({ state }) => state)).toEqual(['running', 'running']),
        patience,
      )
      const response = await fetch(`http://127.0.0.1:${site.sites[index]?.port}/api/make/cancel`, {
        method: 'POST',
        headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ job_id: cancelledId }),
      })
      expect(response.status).toBe(200)
      expect([(await cancelled).status, (await statesOf(cancelledId)).map(({ state }) => state)]).toEqual([400, ['cancelled', 'cancelled']])
    }
    await vi.waitFor(async () =>
      expect((await readdir(join(site.dataDir, 'conversions'))).filter((name) => !name.endsWith('.out'))).toEqual([]),
    )
  })

  test('while PostgreSQL is stopped, cached responses are still sent and all others fail with Retry-After; afterwards all requests succeed', async () => {
    const song = (await requestEachSite(site, '/song/random'))[0].youtube_id
    const inMemory = [`/api/song/get?s=${song}`, '/api/playlist/all']
    const end = new AbortController()
    const paths = [...inMemory, '/api/song/random', '/playlists', '/healthz', '/api/playlist/get?p=new']
    const load = sendLoad(site, (index) => ({ path: paths[index % paths.length] ?? '/' }), 100, end.signal)
    await sleep(2000)
    const stoppedMs = Date.now()
    await cluster.stop('immediate')
    await sleep(5000)
    const startedMs = Date.now()
    await cluster.start()
    await sleep(1000)
    const readyMs = Date.now()
    await sleep(4000)
    end.abort()
    const answers = await load
    const answersDuring = answers.filter(({ atMs }) => atMs > stoppedMs && atMs < startedMs)
    process.stdout.write(`PostgreSQL stopped: ${JSON.stringify(countBy(answersDuring.map(({ path, status }) => `${status} ${path}`)))}\n`)
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(answers.filter(({ status, retryAfter }) => status === 503 && retryAfter === undefined)).toEqual([])
    expect(countBy(answersDuring.filter(({ path }) => inMemory.includes(path)).map(({ status }) => status))).toEqual({
      200: expect.any(Number),
    })
    expect(answersDuring.filter(({ path, status }) => path === '/healthz' && status === 503).length).toBeGreaterThan(0)
    expect(countBy(answers.filter(({ atMs }) => atMs > readyMs).map(({ status }) => status))).toEqual({ 200: expect.any(Number) })
    await runAdminCommand(site.dataDir, ['settings', 'set', 'NAME', 'Afterwards'], site.env)
    await sleep(1000)
    expect((await requestEachSite(site, '/site')).map(({ settings }) => settings.NAME)).toEqual(['Afterwards', 'Afterwards'])
  })
})
