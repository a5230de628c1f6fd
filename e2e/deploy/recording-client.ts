import { randomUUID } from 'node:crypto'
import { Agent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversionStatus } from '../../contract/conversion.ts'
import type { FavoriteSyncResult } from '../../contract/favorite.ts'
import type { FollowSyncResult } from '../../contract/follow.ts'
import type { OwnPlaylistSyncResult } from '../../contract/own-playlist.ts'
import type { MakerPreset } from '../../contract/presets.ts'
import type { Website } from '../../contract/website.ts'
import { createSignedEvent, createSubscription } from '../../server/payments/testing/signed-events.ts'
import { type FastClock, nowOf } from './fast-process.ts'
import { type ProxyAddress, requestOverHttps } from './proxy-requests.ts'
import { createSilentWav } from './silent-wav.ts'
import { credentials, HOST, identityPath } from './two-process-site.ts'

/** The time after which a write that no process has acknowledged counts as a problem. Faults are shorter. */
const UNACKNOWLEDGED_MAX_MS = 180_000
const RETRY_MS = 300
const REQUEST_MAX_MS = 60_000
/** The answer to an upload while the disk is full. */
const NO_ROOM = /has no room for another (?:file|song)/
const MULTIPART_BOUNDARY = 'b0undary'
const SONG_BYTES = 400_000
/** The number of calls of a client to endpoints with a limit per hour or day. */
const MESSAGES_MAX = 25
const PLAYS_MAX = 90
const ACCOUNTS_MAX = 10
const PRESET_NAME_COUNT = 20
/** The pause between two actions of a client. */
const PAUSE_MS = 100

interface Request {
  method: 'GET' | 'POST'
  path: string
  body?: string | Buffer
  headers?: Record<string, string>
}

interface SendOptions {
  isSigned?: boolean
  accepts?: number[]
  /** The text of an answer that ends the attempts, whatever its status. */
  refusal?: RegExp
}

/** The state that all clients of a run share. */
export interface LoadRun {
  proxy: ProxyAddress
  clock: FastClock
  /** The ids of the catalogue's songs, each of which is in the playlist. */
  songs: readonly string[]
  artists: readonly string[]
  playlist: string
  /** The number of responses with each status; status 0 means that no response was received. */
  statuses: Record<string, number>
  /** The failures of a run, such as a response with status 500. */
  problems: string[]
}

/** The writes of a client that were acknowledged, which the site must not lose. */
export interface Acknowledged {
  favorites: Map<string, boolean>
  playlists: Map<string, { title: string; deleted: boolean; entries: Map<string, string> }>
  follows: Map<string, boolean>
  presets: Map<string, number>
  messages: string[]
  plays: number
  conversions: { done: string[]; cancelled: string[] }
  websiteName: string | undefined
  accounts: Map<string, 'created' | 'deleted'>
  paymentEvents: string[]
}

/** A visitor with an account, who does one thing after the other and repeats each request until it is acknowledged. */
export interface RecordingClient {
  acknowledged: Acknowledged
  /** Creates the account. Returns its id. */
  signUp(): Promise<string>
  activateWebsite(): Promise<void>
  /** Acts until the signal aborts, and ends with an acknowledged action. */
  run(signal: AbortSignal): Promise<void>
  /** Compares the rows of the site with the writes that the site has acknowledged. Returns the differences. */
  compare(): Promise<string[]>
}

/** Returns numbers from 0 to 1 that follow from a seed (the generator mulberry32 of Tommy Ettinger, public domain). */
export function createRandom(seed: number): () => number {
  let randomState = seed | 0
  return () => {
    randomState = (randomState + 0x6d2b79f5) | 0
    let bits = Math.imul(randomState ^ (randomState >>> 15), 1 | randomState)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

const jsonBody = (body: object) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

export function createRecordingClient(run: LoadRun, index: number, seed: number): RecordingClient {
  const { proxy, clock, songs, statuses, problems } = run
  const random = createRandom(seed)
  const randomBelow = (limit: number) => Math.floor(random() * limit)
  const deviceId = randomUUID()
  const agent = new Agent({ keepAlive: true, ca: proxy.authority })
  const name = `person${index}`
  let session = { idToken: '', refreshToken: '' }
  let lastMs = 0
  const acknowledged: Acknowledged = {
    ...{ favorites: new Map(), playlists: new Map(), follows: new Map(), presets: new Map(), messages: [], plays: 0 },
    ...{ conversions: { done: [], cancelled: [] }, websiteName: undefined, accounts: new Map(), paymentEvents: [] },
  }

  async function sendOnce({ method, path, body, headers }: Request) {
    const signal = AbortSignal.timeout(REQUEST_MAX_MS)
    // Each client has an address of its own, because the site limits what one address may do.
    const options = { agent, method, headers: headers ?? {}, localAddress: `127.0.1.${index + 1}`, signal }
    const answer = await requestOverHttps(proxy, HOST, path, { ...options, ...(body !== undefined && { body }) }).catch(() => undefined)
    const status = answer?.status ?? 0
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 500 || (status === 503 && answer?.headers['retry-after'] === undefined))
      problems.push(`${status} ${method} ${path}: ${answer?.body.slice(0, 200)}`)
    return { status, body: answer?.body ?? '' }
  }

  /**
   * Repeats a request until the answer has one of the accepted statuses. Faults explain no answer, an answer of the proxy, 408 (a body held up by the network)
   * and 503; limits explain 429.
   * With `isSigned`, the account's token is sent, and renewed when it is refused.
   */
  async function send(request: Request, { isSigned = false, accepts = [200], refusal }: SendOptions = {}) {
    const endMs = Date.now() + UNACKNOWLEDGED_MAX_MS
    for (let attempt = 1; ; attempt++) {
      const headers = { ...request.headers, ...(isSigned && { authorization: `Bearer ${session.idToken}` }) }
      const answer = await sendOnce({ ...request, headers })
      if (accepts.includes(answer.status) || refusal?.test(answer.body) === true) return { ...answer, attempt }
      const isPassing = [0, 408, 429, 500, 502, 503, 504].includes(answer.status)
      if (answer.status === 401 && isSigned) await renewSession()
      else if (!isPassing || Date.now() > endMs) {
        problems.push(`${answer.status} at attempt ${attempt} of ${request.method} ${request.path}: ${answer.body.slice(0, 200)}`)
        return { ...answer, attempt }
      }
      await sleep(RETRY_MS)
    }
  }
  const post = (path: string, body: object, options?: SendOptions) => send({ method: 'POST', path, ...jsonBody(body) }, options)
  async function postSigned<T>(urlPath: string, body: object): Promise<T> {
    const answer = await post(`/api${urlPath}`, body, { isSigned: true })
    return JSON.parse(answer.body).data
  }
  async function getSigned<T>(path: string): Promise<T> {
    return JSON.parse((await send({ method: 'GET', path: `/api${path}` }, { isSigned: true })).body).data
  }

  function keepSession(body: string): void {
    const { idToken, id_token, refreshToken, refresh_token } = JSON.parse(body)
    session = { idToken: idToken ?? id_token, refreshToken: refreshToken ?? refresh_token }
  }
  const signIn = async (who = name) => (await post(identityPath('signInWithPassword'), credentials(who))).body
  async function renewSession(): Promise<void> {
    const body = { grant_type: 'refresh_token', refresh_token: session.refreshToken }
    const answer = await post('/securetoken.googleapis.com/v1/token?key=any', body, { accepts: [200, 400] })
    keepSession(answer.status === 200 ? answer.body : await signIn())
  }
  /** Creates an account. If a repeated request finds that it exists, an earlier answer was lost. */
  async function createAccount(accountName: string): Promise<string> {
    const answer = await post(identityPath('signUp'), credentials(accountName), { accepts: [200, 400] })
    if (answer.status === 200) return answer.body
    if (answer.attempt === 1) problems.push(`sign-up of ${accountName}: ${answer.body.slice(0, 200)}`)
    return signIn(accountName)
  }

  /** The time of the latest change. Each change gets a later time than the previous one. */
  function nextChange() {
    lastMs = Math.max(lastMs + 1, Math.trunc(nowOf(clock)))
    return { id: randomUUID(), device: deviceId, at: new Date(lastMs).toISOString() }
  }
  const requireAccepted = (path: string, { refused }: { refused: readonly unknown[] }) => {
    if (refused.length > 0) problems.push(`${path} has refused ${JSON.stringify(refused).slice(0, 200)}`)
  }

  async function changeFavorite(): Promise<void> {
    const s = songs[randomBelow(songs.length)] ?? ''
    const favorite = random() < 0.7
    const changes = [{ ...nextChange(), s, favorite }]
    requireAccepted('favorite/sync', await postSigned<FavoriteSyncResult>('/favorite/sync', { changes }))
    acknowledged.favorites.set(s, favorite)
  }

  async function changePlaylist(): Promise<void> {
    const knownPlaylists = [...acknowledged.playlists].filter(([, { deleted }]) => !deleted)
    const [l, playlistBefore] = knownPlaylists[randomBelow(knownPlaylists.length + 1)] ?? [randomUUID(), undefined]
    const title = playlistBefore === undefined || random() < 0.1 ? `List ${randomBelow(1000)}` : playlistBefore.title
    const isDeleted = playlistBefore !== undefined && random() < 0.02
    const entry = { e: randomUUID(), s: songs[randomBelow(songs.length)] ?? '', position: `a${randomBelow(1000)}b` }
    const changes = [{ ...nextChange(), l, title, deleted: isDeleted, entries: [entry] }]
    requireAccepted('list/sync', await postSigned<OwnPlaylistSyncResult>('/list/sync', { changes }))
    acknowledged.playlists.set(l, { title, deleted: isDeleted, entries: new Map([...(playlistBefore?.entries ?? []), [entry.e, entry.s]]) })
  }

  async function changeFollow(): Promise<void> {
    const artist = run.artists[randomBelow(run.artists.length)] ?? ''
    const follow = random() < 0.7
    requireAccepted('follow/sync', await postSigned<FollowSyncResult>('/follow/sync', { changes: [{ ...nextChange(), artist, follow }] }))
    acknowledged.follows.set(artist, follow)
  }

  async function changePreset(): Promise<void> {
    if (acknowledged.websiteName === undefined) return changeFollow()
    const preset = `Preset ${randomBelow(PRESET_NAME_COUNT)}`
    const speed = (10 + randomBelow(190)) / 100
    const settings = { speed, pitch: 0, reverb_size: 0, reverb_amount: 0, bass_db: 0 }
    await postSigned<MakerPreset[]>('/make/presets', { changes: [{ name: preset, settings, changed_at: nextChange().at }] })
    acknowledged.presets.set(preset, speed)
  }

  async function sendMessage(): Promise<void> {
    if (acknowledged.messages.length >= MESSAGES_MAX) return
    const message = `Message ${acknowledged.messages.length} of ${name}`
    await post('/api/contact/request', { topic: 'song-report', message, change_id: randomUUID() })
    acknowledged.messages.push(message)
  }

  async function play(): Promise<void> {
    // Each song is played once, because a second play within an hour does not count.
    if (acknowledged.plays >= Math.min(PLAYS_MAX, songs.length)) return
    await post('/api/song/play', { s: songs[acknowledged.plays], p: run.playlist, change_id: randomUUID() })
    acknowledged.plays++
  }

  async function saveWebsite(): Promise<void> {
    if (acknowledged.websiteName === undefined) return changeFavorite()
    const newName = `Site ${randomBelow(100_000)}`
    await postSigned('/website/save', { domain_name: name, name: newName, youtube: 'https://www.youtube.com/@somebody' })
    acknowledged.websiteName = newName
  }

  const statusOf = (id: string) => getSigned<ConversionStatus>(`/make/status?job_id=${id}`)
  async function convert(): Promise<void> {
    if (acknowledged.websiteName === undefined) return changePlaylist()
    const id = randomUUID()
    const encodeField = (key: string, value: string) =>
      `--${MULTIPART_BOUNDARY}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`
    const fileHead = `--${MULTIPART_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`
    const body = Buffer.concat([
      Buffer.from(encodeField('speed', '25') + encodeField('format', 'wav') + encodeField('job_id', id) + fileHead),
      createSilentWav(SONG_BYTES),
      Buffer.from(`\r\n--${MULTIPART_BOUNDARY}--\r\n`),
    ])
    const headers = { 'content-type': `multipart/form-data; boundary=${MULTIPART_BOUNDARY}` }
    const isCancelled = random() < 0.3
    const options = { isSigned: true, accepts: [200, 400], refusal: NO_ROOM }
    const conversion = send({ method: 'POST', path: '/api/make/convert', body, headers }, options)
    if (isCancelled) {
      await sleep(randomBelow(1500))
      const path = '/api/make/cancel'
      const answer = await post(path, { job_id: id }, { isSigned: true, accepts: [200, 404] })
      if (answer.status === 200) acknowledged.conversions.cancelled.push(id)
    }
    const { status, body: text } = await conversion
    if (status === 200) acknowledged.conversions.done.push(id)
    else if (!isCancelled && !NO_ROOM.test(text)) problems.push(`a conversion failed: ${text.slice(0, 200)}`)
  }

  async function logInAgain(): Promise<void> {
    const { idToken, refreshToken } = session
    await post('/api/account/sign_out', { refresh_token: refreshToken })
    const headers = { authorization: `Bearer ${idToken}` }
    const { status } = await send({ method: 'GET', path: '/api/account/getinfo', headers }, { accepts: [200, 401] })
    if (status === 200) problems.push('a token is valid although its login was ended')
    keepSession(await signIn())
  }

  async function addAccount(): Promise<void> {
    if (acknowledged.accounts.size >= ACCOUNTS_MAX) return
    const accountName = `${name}-${acknowledged.accounts.size}`
    const { idToken } = JSON.parse(await createAccount(accountName))
    acknowledged.accounts.set(accountName, 'created')
    if (random() < 0.7) return
    const headers = { ...jsonBody({}).headers, authorization: `Bearer ${idToken}` }
    // A repeated deletion finds the login ended.
    await send({ method: 'POST', path: '/api/account/delete', body: '{}', headers }, { accepts: [200, 401] })
    acknowledged.accounts.set(accountName, 'deleted')
  }

  async function receivePayment(): Promise<void> {
    const id = `evt_${randomUUID()}`
    const createdSeconds = Math.floor(nowOf(clock) / 1000)
    const object = createSubscription(`cus_${name}`, `sub_${name}`, 'active', createdSeconds + 86_400)
    const event = createSignedEvent({ id, created: createdSeconds, type: 'customer.subscription.updated', object }, { nowMs: nowOf(clock) })
    await send({ method: 'POST', path: '/api/webhooks/stripe', body: event.payload, headers: event.headers })
    acknowledged.paymentEvents.push(id)
  }

  const readPaths = ['/', '/playlists', '/api/song/random', '/api/radio/get', '/api/playlist/all', '/api/site']
  const readRandomPath = async () => void (await send({ method: 'GET', path: readPaths[randomBelow(readPaths.length)] ?? '/' }))

  /** The actions, and how often each is chosen in relation to the others. */
  const actions: readonly (readonly [weight: number, act: () => Promise<void>])[] = [
    ...([
      [30, readRandomPath],
      [20, changeFavorite],
      [14, changePlaylist],
      [10, changeFollow],
      [8, changePreset],
    ] as const),
    ...([
      [6, saveWebsite],
      [5, play],
      [3, sendMessage],
      [3, convert],
      [2, receivePayment],
      [1, logInAgain],
      [1, addAccount],
    ] as const),
  ]
  const weights = actions.reduce((sum, [weight]) => sum + weight, 0)
  function chooseAction(): () => Promise<void> {
    let remainingWeight = random() * weights
    for (const [weight, act] of actions) {
      remainingWeight -= weight
      if (remainingWeight < 0) return act
    }
    return readRandomPath
  }

  /** Reads all pages of a list of changes. */
  async function readAll<T extends { cursor: string; more: boolean }>(urlPath: string): Promise<T[]> {
    const pages: T[] = []
    for (let more = true; more; more = pages.at(-1)?.more === true)
      pages.push(await postSigned<T>(urlPath, pages.length === 0 ? {} : { since: pages.at(-1)?.cursor }))
    return pages
  }

  const sortAndJoin = (items: Iterable<string>) => [...items].sort().join()
  const chosenItems = (items: Iterable<[string, boolean]>) =>
    sortAndJoin([...items].flatMap(([item, isChosen]) => (isChosen ? [item] : [])))

  return {
    acknowledged,
    async signUp() {
      const body = await createAccount(name)
      keepSession(body)
      return JSON.parse(body).localId
    },
    async activateWebsite() {
      await postSigned('/website/activate', { domain_name: name })
      acknowledged.websiteName = ''
      await saveWebsite()
    },
    async run(signal) {
      while (!signal.aborted) {
        await chooseAction()()
        await sleep(PAUSE_MS)
      }
    },
    async compare() {
      const differences: string[] = []
      const expectSame = (what: string, stored: string, wanted: string) => {
        if (stored !== wanted) differences.push(`${name}: ${what}: ${stored.slice(0, 300)} instead of ${wanted.slice(0, 300)}`)
      }
      const favorites = (await readAll<FavoriteSyncResult>('/favorite/sync')).flatMap((page) => page.favorites)
      expectSame('favorites', chosenItems(favorites.map(({ s, favorite }) => [s, favorite])), chosenItems(acknowledged.favorites))

      const lists = await readAll<OwnPlaylistSyncResult>('/list/sync')
      const storedPlaylists = new Map(lists.flatMap((page) => page.playlists).map((playlist) => [playlist.l, playlist]))
      const entries = lists.flatMap((page) => page.entries)
      for (const [l, { title, deleted, entries: wantedEntries }] of acknowledged.playlists) {
        const playlist = storedPlaylists.get(l)
        if (deleted) expectSame('a deleted playlist', String(playlist?.deleted ?? true), 'true')
        else {
          expectSame('a title', String(playlist?.title), title)
          const own = entries.filter((entry) => entry.l === l && !entry.removed)
          expectSame(
            'entries',
            sortAndJoin(own.map(({ e, s }) => `${e} ${s}`)),
            sortAndJoin([...wantedEntries].map((pair) => pair.join(' '))),
          )
        }
      }
      const { artists = [] } = await postSigned<FollowSyncResult>('/follow/sync', {})
      expectSame('follows', sortAndJoin(artists.map(({ artist }) => artist)), chosenItems(acknowledged.follows))
      for (const [who, state] of acknowledged.accounts) {
        const { status } = await post(identityPath('signInWithPassword'), credentials(who), { accepts: [200, 400] })
        expectSame(`the account ${who}`, String(status), state === 'created' ? '200' : '400')
      }
      if (acknowledged.websiteName === undefined) return differences
      const presets = await postSigned<MakerPreset[]>('/make/presets', {})
      const sortPairs = (items: Iterable<readonly [string, number]>) => sortAndJoin([...items].map((pair) => pair.join(' ')))
      expectSame('presets', sortPairs(presets.map((preset) => [preset.name, preset.settings.speed])), sortPairs(acknowledged.presets))
      expectSame('the website', (await getSigned<Website>('/website/get')).name, acknowledged.websiteName)
      for (const id of acknowledged.conversions.done) {
        const { state, url = '' } = await statusOf(id)
        expectSame('a conversion', state, 'done')
        if (url !== '') await send({ method: 'GET', path: url })
      }
      for (const id of acknowledged.conversions.cancelled) {
        const { state } = await statusOf(id)
        if (state !== 'cancelled' && state !== 'done') differences.push(`${name}: a cancelled conversion is ${state}`)
      }
      return differences
    },
  }
}
