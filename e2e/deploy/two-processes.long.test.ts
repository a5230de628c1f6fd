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
import {
  countOccurrences,
  createCredentials,
  createIdentityPath,
  HOST,
  PROCESS_INDEXES,
  startTwoProcessSite,
  type TwoProcessSite,
} from './two-process-site.ts'

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

async function deploySite(siteName: string, databaseUrl: string): Promise<TwoProcessSite> {
  const workFolder = await mkdtemp(join(workDir, `${siteName}-`))
  return startTwoProcessSite(workFolder, {
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

async function signUp({ call }: TwoProcessSite, personName: string) {
  const { status, body } = await call<{ idToken: string; refreshToken: string; localId: string }>(
    createIdentityPath('signUp'),
    createCredentials(personName),
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

describe.each(['PostgreSQL', 'PgBouncer in transaction mode'])('two processes on %s', (databaseKind) => {
  const databaseName = databaseKind === 'PostgreSQL' ? 'direct' : 'pooled'
  let site: TwoProcessSite
  beforeAll(async () => {
    cluster.createDatabase(databaseName)
    const urlOf = databaseKind === 'PostgreSQL' ? cluster.getUrl : await cluster.startBouncer()
    site = await deploySite(databaseName, urlOf(databaseName))
  }, 120_000)
  afterAll(() => site?.stop())

  test('a login through one process is valid in the other, and a sign-out through one takes effect in the other immediately', async () => {
    const { idToken, refreshToken } = await signUp(site, 'ann')
    const readStatuses = async () =>
      (await Promise.all(Array.from({ length: 10 }, () => site.call('/api/account/getinfo', undefined, idToken)))).map(
        ({ status }) => status,
      )
    expect(countOccurrences(await readStatuses())).toEqual({ 200: 10 })
    expect((await site.call('/api/account/sign_out', { refresh_token: refreshToken }, idToken)).status).toBe(200)
    expect(countOccurrences(await readStatuses())).toEqual({ 401: 10 })
  })

  test('wrong passwords are counted together', async () => {
    await signUp(site, 'bob')
    const guessPassword = async () =>
      (await site.call<{ error: { message: string } }>(createIdentityPath('signInWithPassword'), createCredentials('bob', 'a wrong guess')))
        .body
    const guessResponses = await Promise.all(Array.from({ length: 20 }, guessPassword))
    expect(countOccurrences(guessResponses.map(({ error }) => error.message.split(' ')[0] ?? ''))).toEqual({
      INVALID_LOGIN_CREDENTIALS: WRONG_PASSWORDS_MAX,
      TOO_MANY_ATTEMPTS_TRY_LATER: 20 - WRONG_PASSWORDS_MAX,
    })
  })

  test('both processes read a changed setting within a second', async () => {
    const readNames = async () => (await requestEachSite(site, '/site')).map(({ settings }) => settings.NAME)
    for (const displayName of ['First name', 'Second name']) {
      await runAdminCommand(site.dataDir, ['settings', 'set', 'NAME', displayName], site.env)
      await sleep(1000)
      expect(await readNames()).toEqual([displayName, displayName])
    }
  })

  test('simultaneous changes of favorites through both processes are all stored, and both return the same list', async () => {
    const { idToken } = await signUp(site, 'cid')
    const [songs]: { youtube_id: string }[][] = await requestEachSite(site, '/song/search?s=a')
    const createFavoriteChange = (s: string, index: number) => ({
      ...{ id: randomUUID(), s, favorite: true, at: new Date(Date.now() - 60_000 + index).toISOString(), device: randomUUID() },
    })
    const wantedIds = songs?.slice(0, 10).map(({ youtube_id }) => youtube_id) ?? []
    expect(wantedIds).toHaveLength(10)
    const favoriteChanges = wantedIds.map(createFavoriteChange)
    const statusCodes = await Promise.all(
      [...favoriteChanges, ...favoriteChanges].map(
        async (each) => (await site.call('/api/favorite/sync', { changes: [each] }, idToken)).status,
      ),
    )
    expect(countOccurrences(statusCodes)).toEqual({ 200: 2 * wantedIds.length })
    const readFavoriteIds = async () => {
      const { body } = await site.call<{ data: FavoriteSyncResult }>('/api/favorite/sync', {}, idToken)
      return body.data.favorites.map(({ s }) => s).sort()
    }
    const [first, second] = [await readFavoriteIds(), await readFavoriteIds()]
    expect(first).toEqual(wantedIds.sort())
    expect(second).toEqual(first)
  })

  test('both processes play the same song of the radio, also after a skip, and report the sum of their listeners', async () => {
    await runAdminCommand(site.dataDir, ['settings', 'set', 'SHOW_LISTENERS', 'true'], site.env)
    const readRadio = (address?: string): Promise<RadioProgramme[]> => requestEachSite(site, '/radio/get', address)
    const listSongIds = (programmes: readonly RadioProgramme[]) =>
      programmes.map(({ youtube_id, start_time, upcoming }) => [youtube_id, start_time, ...upcoming.map((each) => each.youtube_id)])
    for (let round = 0; round < 3; round++) {
      await runAdminCommand(site.dataDir, ['radio', 'skip'], site.env)
      await sleep(1000)
      const [one, other] = listSongIds(await readRadio())
      expect(one).toEqual(other)
    }
    const listenToSite = (index: number, ipAddress: string) =>
      fetch(`http://127.0.0.1:${site.sites[index]?.port}/api/radio/get`, {
        headers: { 'x-forwarded-for': ipAddress, 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https' },
      })
    let receivedCounts: (number | undefined)[] = []
    for (const endMs = Date.now() + 20_000; Date.now() < endMs && receivedCounts.join() !== '8,8'; await sleep(1000)) {
      for (let client = 0; client < 7; client++) await listenToSite(Number(client > 3), `192.0.2.${10 + client}`)
      receivedCounts = (await readRadio()).map(({ listeners }) => listeners)
    }
    // Seven clients call one of the processes each, and an eighth client calls both.
    expect(receivedCounts).toEqual([8, 8])
  })

  test('an event of Stripe that both processes receive counts once', async () => {
    const { localId } = await signUp(site, 'dan')
    const nowSeconds = Math.floor(Date.now() / 1000)
    const paymentEvents = [
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
    const sendEvent = async (event: (typeof paymentEvents)[number], index: number) => {
      const { payload, headers } = createSignedEvent(event)
      const url = `http://127.0.0.1:${site.sites[index % 2]?.port}/api/webhooks/stripe`
      return (await fetch(url, { method: 'POST', body: payload, headers })).status
    }
    const statusCodes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => paymentEvents.map((event) => sendEvent(event, index))).flat(),
    )
    expect(countOccurrences(statusCodes)).toEqual({ 200: 20 })
    expect(cluster.query(databaseName, 'select count(*) from payment_events')).toBe('2')
    expect(cluster.query(databaseName, `select purchase, role from paid_grants where uid = '${localId}'`)).toBe('sub_1|subscriber')
  })

  test('every message is mailed once', async () => {
    const outboxPath = join(site.dataDir, 'outbox')
    const countMails = async () => (await readdir(outboxPath).catch(() => [])).length
    const mailCountBefore = await countMails()
    const sendContactMessage = (index: number) => {
      const body = { topic: 'song-report', message: `Message ${index}`, change_id: randomUUID() }
      return Promise.all([site.call('/api/contact/request', body), site.call('/api/contact/request', body)])
    }
    const sendResponses = (await Promise.all(Array.from({ length: 10 }, (_, index) => sendContactMessage(index)))).flat()
    expect(countOccurrences(sendResponses.map(({ status }) => status))).toEqual({ 200: 20 })
    for (let waited = 0; (await countMails()) < mailCountBefore + 10 && waited < 50; waited++) await sleep(100)
    await sleep(1000)
    expect((await countMails()) - mailCountBefore).toBe(10)
    expect(cluster.query(databaseName, 'select count(*) from mails where due is not null')).toBe('0')
  })

  test('of 100 simultaneous activations of one domain name, exactly one succeeds', async () => {
    const ownerAccounts = await Promise.all(Array.from({ length: 10 }, (_, index) => signUp(site, `owner${index}`)))
    for (const { localId } of ownerAccounts)
      cluster.query(
        databaseName,
        `insert into roles (email, role, source, uid) select email, 'subscriber', 'admin', uid from accounts where uid = '${localId}'`,
      )
    const activateWebsite = (index: number) =>
      site.call('/api/website/activate', { domain_name: 'wanted' }, ownerAccounts[index % 10]?.idToken)
    const activateResponses = await Promise.all(Array.from({ length: 100 }, (_, index) => activateWebsite(index)))
    expect(countOccurrences(activateResponses.map(({ status }) => status))).toEqual({ 200: 1, 409: 99 })
    expect(cluster.query(databaseName, 'select count(*), count(distinct uid) from websites')).toBe('1|1')
    expect((await requestEachSite(site, '/subscriber/getinfo?domain_name=wanted')).map(({ data }) => data.domain_name)).toEqual([
      'wanted',
      'wanted',
    ])
    const promotionLinks = {
      youtube_channel: 'https://www.youtube.com/@somebody',
      youtube_share: 'https://www.youtube.com/watch?v=AAAAAAAAAA1',
    }
    const saved = await Promise.all(ownerAccounts.map(({ idToken }) => site.call('/api/promotion/save', promotionLinks, idToken)))
    expect(countOccurrences(saved.map(({ status }) => status))).toEqual({ 200: 10 })
    expect(cluster.query(databaseName, 'select count(*) from promotion_days')).toBe('1')
  })

  test('of two simultaneous imports, one is completed and the other fails with the message that an import is running', async () => {
    const totalBefore = cluster.query(databaseName, 'select songs from catalogue.totals')
    const catalogueFile = join(workDir, `${databaseName}.json`)
    const songs = Array.from({ length: 20_000 }, (_, index) => ({
      ...{
        youtube_id: `import${String(index).padStart(5, '0')}`,
        title: `Imported ${index}`,
        author_name: 'Somebody',
        category_id: 'imported',
      },
      ...{ category_name: 'Imported', date_added: '2026-01-01' },
    }))
    await writeFile(catalogueFile, JSON.stringify({ songs }))
    const importOutcomes = await Promise.allSettled(
      [0, 1].map(() => runAdminCommand(site.dataDir, ['catalog', 'import', catalogueFile], site.env)),
    )
    const rejectionReasons = importOutcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
    expect(rejectionReasons).toEqual([expect.stringContaining('Another import is under way')])
    expect(Number(cluster.query(databaseName, 'select songs from catalogue.totals'))).toBe(Number(totalBefore) + 20_000)
    await runAdminCommand(site.dataDir, ['catalog', 'import', catalogueFile], site.env)
    await sleep(1000)
    expect((await requestEachSite(site, '/song/get?s=import00007')).map(({ title }) => title)).toEqual(['Imported 7', 'Imported 7'])
  })
})

interface LoadCall {
  path: string
  body?: object
  token?: string
}

/** Sends `callsPerSecond` requests through the proxy until `signal` aborts: the calls that `callAt` returns for their numbers. Returns the answers. */
async function sendLoad({ proxy }: TwoProcessSite, callAt: (index: number) => LoadCall, callsPerSecond: number, signal: AbortSignal) {
  const agent = new Agent({ keepAlive: true, maxSockets: 50, ca: proxy.authority })
  const loadAnswers: { path: string; atMs: number; status: number; retryAfter: string | undefined }[] = []
  const runningCalls: Promise<void>[] = []
  const sendCall = async ({ path, body, token }: LoadCall) => {
    const atMs = Date.now()
    const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const options = body === undefined ? { agent } : { agent, method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await requestOverHttps(proxy, HOST, path, options).catch(() => undefined)
    loadAnswers.push({ path, atMs, status: answer?.status ?? 0, retryAfter: answer?.headers['retry-after'] })
  }
  const startMs = performance.now()
  for (let count = 0; !signal.aborted; count++) {
    runningCalls.push(sendCall(callAt(count)))
    await sleep(Math.max(0, startMs + ((count + 1) * 1000) / callsPerSecond - performance.now()))
  }
  await Promise.all(runningCalls)
  agent.destroy()
  return loadAnswers
}

/** Returns the calls of listeners, half of which write: of 100 calls, 15 each change favorites, change own playlists and report plays. */
function createListenerCalls(idTokens: readonly string[], songIds: readonly string[]): (index: number) => LoadCall {
  const deviceId = randomUUID()
  const readRequestPaths = ['/api/song/random', '/api/playlist/all', '/', '/api/radio/get', '/playlists']
  return (index) => {
    const [turnInRound, round] = [index % 100, Math.floor(index / 100)]
    const [idToken = '', songId = ''] = [idTokens[index % idTokens.length], songIds[index % songIds.length]]
    const changeFields = { id: randomUUID(), at: new Date().toISOString(), device: deviceId }
    if (turnInRound % 2 === 0) return { path: readRequestPaths[(turnInRound / 2) % readRequestPaths.length] ?? '/' }
    if (turnInRound < 30)
      return { path: '/api/favorite/sync', token: idToken, body: { changes: [{ ...changeFields, s: songId, favorite: round % 2 === 0 }] } }
    if (turnInRound < 60)
      return { path: '/api/list/sync', token: idToken, body: { changes: [{ ...changeFields, l: randomUUID(), title: `List ${index}` }] } }
    if (turnInRound < 96) return { path: '/api/song/play', body: { s: songId, change_id: changeFields.id } }
    if (turnInRound < 98)
      return { path: '/api/contact/request', body: { topic: 'song-report', message: `Message ${index}`, change_id: changeFields.id } }
    return { path: createIdentityPath('signInWithPassword'), body: createCredentials('listener0') }
  }
}

/** Converts a silent song of an account. Resolves with the status of the response after the conversion has ended. */
async function convertBytes({ proxy }: TwoProcessSite, token: string, jobId: string, byteCount: number) {
  const encodeField = (name: string, value: string) => `--b0undary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const headText = `--b0undary\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(encodeField('speed', '25') + encodeField('format', 'mp3') + encodeField('job_id', jobId) + headText),
    createSilentWav(byteCount),
    Buffer.from('\r\n--b0undary--\r\n'),
  ])
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b0undary' }
  return requestOverHttps(proxy, HOST, '/api/make/convert', { method: 'POST', headers, body })
}

describe('two processes in operation', () => {
  let site: TwoProcessSite
  beforeAll(async () => {
    cluster.createDatabase('operated')
    site = await deploySite('operated', cluster.getUrl('operated'))
  }, 120_000)
  afterAll(() => site?.stop())

  test('a rolling restart at 200 requests a second, half of which write, fails none', async () => {
    const listenerAccounts = await Promise.all(Array.from({ length: 10 }, (_, index) => signUp(site, `listener${index}`)))
    const [songs]: { youtube_id: string }[][] = await requestEachSite(site, '/song/search?s=a')
    const idTokens = listenerAccounts.map(({ idToken }) => idToken)
    const callAt = createListenerCalls(idTokens, songs?.map(({ youtube_id }) => youtube_id) ?? [])
    const endController = new AbortController()
    const loadPromise = sendLoad(site, callAt, 200, endController.signal)
    await sleep(1000)
    for (const index of [0, 1, 0, 1]) await site.restart(index)
    await sleep(1000)
    endController.abort()
    const loadAnswers = await loadPromise
    process.stdout.write(
      `rolling restart: ${JSON.stringify(countOccurrences(loadAnswers.map(({ path, status }) => `${status} ${path}`)))}\n`,
    )
    expect(loadAnswers.length).toBeGreaterThan(1000)
    expect(countOccurrences(loadAnswers.map(({ status }) => status))).toEqual({ 200: loadAnswers.length })
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
    const readStates = async (jobId: string): Promise<ConversionStatus[]> =>
      Promise.all((await requestEach(`/api/make/status?job_id=${jobId}`)).map(async (answer) => (await answer.json()).data))
    // Conversions have the lowest priority, and wait while others use the machine.
    const longTimeout = { timeout: 300_000 }
    const jobId = randomUUID()
    const conversionPromise = convertBytes(site, idToken, jobId, 10_000_000)
    await vi.waitFor(async () => expect((await readStates(jobId)).map(({ progress }) => progress > 0)).toEqual([true, true]), longTimeout)
    expect((await conversionPromise).status).toBe(200)
    const fileUrls = (await readStates(jobId)).map(({ url }) => url ?? '')
    const fileResponses = (await Promise.all(fileUrls.map((url) => requestEach(url)))).flat()
    const fileSizes = await Promise.all(fileResponses.map(async (file) => (await file.arrayBuffer()).byteLength))
    expect([countOccurrences(fileResponses.map(({ status }) => status)), new Set(fileSizes).size]).toEqual([{ 200: 4 }, 1])

    for (const index of PROCESS_INDEXES) {
      const cancelledJobId = randomUUID()
      const cancelledConversionPromise = convertBytes(site, idToken, cancelledJobId, 10_000_000)
      await vi.waitFor(
        async () => expect((await readStates(cancelledJobId)).map(({ state }) => state)).toEqual(['running', 'running']),
        longTimeout,
      )
      const response = await fetch(`http://127.0.0.1:${site.sites[index]?.port}/api/make/cancel`, {
        method: 'POST',
        headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ job_id: cancelledJobId }),
      })
      expect(response.status).toBe(200)
      expect([(await cancelledConversionPromise).status, (await readStates(cancelledJobId)).map(({ state }) => state)]).toEqual([
        400,
        ['cancelled', 'cancelled'],
      ])
    }
    await vi.waitFor(async () =>
      expect((await readdir(join(site.dataDir, 'conversions'))).filter((name) => !name.endsWith('.out'))).toEqual([]),
    )
  })

  test('while PostgreSQL is stopped, cached responses are still sent and all others fail with Retry-After; afterwards all requests succeed', async () => {
    const randomSongId = (await requestEachSite(site, '/song/random'))[0].youtube_id
    const pathsInMemory = [`/api/song/get?s=${randomSongId}`, '/api/playlist/all']
    const endController = new AbortController()
    const urlPaths = [...pathsInMemory, '/api/song/random', '/playlists', '/healthz', '/api/playlist/get?p=new']
    const loadPromise = sendLoad(site, (index) => ({ path: urlPaths[index % urlPaths.length] ?? '/' }), 100, endController.signal)
    await sleep(2000)
    const stoppedAtMs = Date.now()
    await cluster.stop('immediate')
    await sleep(5000)
    const startedAtMs = Date.now()
    await cluster.start()
    await sleep(1000)
    const readyAtMs = Date.now()
    await sleep(4000)
    endController.abort()
    const loadAnswers = await loadPromise
    const answersDuringRestart = loadAnswers.filter(({ atMs }) => atMs > stoppedAtMs && atMs < startedAtMs)
    process.stdout.write(
      `PostgreSQL stopped: ${JSON.stringify(countOccurrences(answersDuringRestart.map(({ path, status }) => `${status} ${path}`)))}\n`,
    )
    expect(loadAnswers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(loadAnswers.filter(({ status, retryAfter }) => status === 503 && retryAfter === undefined)).toEqual([])
    expect(countOccurrences(answersDuringRestart.filter(({ path }) => pathsInMemory.includes(path)).map(({ status }) => status))).toEqual({
      200: expect.any(Number),
    })
    expect(answersDuringRestart.filter(({ path, status }) => path === '/healthz' && status === 503).length).toBeGreaterThan(0)
    expect(countOccurrences(loadAnswers.filter(({ atMs }) => atMs > readyAtMs).map(({ status }) => status))).toEqual({
      200: expect.any(Number),
    })
    await runAdminCommand(site.dataDir, ['settings', 'set', 'NAME', 'Afterwards'], site.env)
    await sleep(1000)
    expect((await requestEachSite(site, '/site')).map(({ settings }) => settings.NAME)).toEqual(['Afterwards', 'Afterwards'])
  })
})
