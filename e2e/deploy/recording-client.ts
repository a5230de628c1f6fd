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
import { type FastClock, readClock } from './fast-process.ts'
import { type ProxyAddress, requestOverHttps } from './proxy-requests.ts'
import { createSilentWav } from './silent-wav.ts'
import { createCredentials, createIdentityPath, HOST } from './two-process-site.ts'

/** The time after which a write that no process has acknowledged counts as a problem. Faults are shorter. */
const UNACKNOWLEDGED_MAX_MS = 180_000
const RETRY_DELAY_MS = 300
const REQUEST_TIMEOUT_MS = 60_000
/** The answer to an upload while the disk is full. */
const NO_ROOM_MESSAGE = /has no room for another (?:file|song)/
const MULTIPART_BOUNDARY = 'b0undary'
const SONG_BYTES = 400_000
/** The number of calls of a client to endpoints with a limit per hour or day. */
const MESSAGES_MAX = 25
const PLAYS_MAX = 90
const ACCOUNTS_MAX = 10
const PRESET_NAME_COUNT = 20
/** The pause between two actions of a client. */
const ACTION_PAUSE_MS = 100

interface ClientRequest {
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
  /** The ids of the catalogue's songs, all of which are in the playlist `playlistId`. */
  songIds: readonly string[]
  artists: readonly string[]
  playlistId: string
  /** The number of responses with each status; status 0 means that no response was received. */
  countByStatus: Record<string, number>
  /** The failures of a run, such as a response with status 500. */
  problems: string[]
}

/** The writes of a client that were acknowledged, which the site must not lose. */
export interface AcknowledgedChanges {
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
  acknowledged: AcknowledgedChanges
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

const createJsonRequest = (body: object) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

export function createRecordingClient(run: LoadRun, clientIndex: number, seed: number): RecordingClient {
  const { proxy, clock, songIds, countByStatus, problems } = run
  const drawRandomFraction = createRandom(seed)
  const drawRandomBelow = (limit: number) => Math.floor(drawRandomFraction() * limit)
  const deviceId = randomUUID()
  const agent = new Agent({ keepAlive: true, ca: proxy.authority })
  const personName = `person${clientIndex}`
  let tokenSession = { idToken: '', refreshToken: '' }
  let lastChangeMs = 0
  const acknowledged: AcknowledgedChanges = {
    ...{ favorites: new Map(), playlists: new Map(), follows: new Map(), presets: new Map(), messages: [], plays: 0 },
    ...{ conversions: { done: [], cancelled: [] }, websiteName: undefined, accounts: new Map(), paymentEvents: [] },
  }

  async function sendOnce({ method, path, body, headers }: ClientRequest) {
    const timeoutSignal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    // Each client has an address of its own, because the site limits what one address may do.
    const requestOptions = { agent, method, headers: headers ?? {}, localAddress: `127.0.1.${clientIndex + 1}`, signal: timeoutSignal }
    const httpAnswer = await requestOverHttps(proxy, HOST, path, { ...requestOptions, ...(body !== undefined && { body }) }).catch(
      () => undefined,
    )
    const statusCode = httpAnswer?.status ?? 0
    countByStatus[statusCode] = (countByStatus[statusCode] ?? 0) + 1
    if (statusCode === 500 || (statusCode === 503 && httpAnswer?.headers['retry-after'] === undefined))
      problems.push(`${statusCode} ${method} ${path}: ${httpAnswer?.body.slice(0, 200)}`)
    return { status: statusCode, body: httpAnswer?.body ?? '' }
  }

  /**
   * Repeats a request until the answer has one of the accepted statuses. A fault can cause a missing answer, an answer of the proxy,
   * 408 (a body held up by the network) and 503; a limit causes 429.
   * With `isSigned`, the account's token is sent, and renewed when it is refused.
   */
  async function sendRequest(request: ClientRequest, { isSigned = false, accepts = [200], refusal }: SendOptions = {}) {
    const endMs = Date.now() + UNACKNOWLEDGED_MAX_MS
    for (let attemptIndex = 1; ; attemptIndex++) {
      const headers = { ...request.headers, ...(isSigned && { authorization: `Bearer ${tokenSession.idToken}` }) }
      const httpAnswer = await sendOnce({ ...request, headers })
      if (accepts.includes(httpAnswer.status) || refusal?.test(httpAnswer.body) === true) return { ...httpAnswer, attempt: attemptIndex }
      const isTemporaryStatus = [0, 408, 429, 500, 502, 503, 504].includes(httpAnswer.status)
      if (httpAnswer.status === 401 && isSigned) await renewSession()
      else if (!isTemporaryStatus || Date.now() > endMs) {
        problems.push(
          `${httpAnswer.status} at attempt ${attemptIndex} of ${request.method} ${request.path}: ${httpAnswer.body.slice(0, 200)}`,
        )
        return { ...httpAnswer, attempt: attemptIndex }
      }
      await sleep(RETRY_DELAY_MS)
    }
  }
  const postBody = (path: string, body: object, options?: SendOptions) =>
    sendRequest({ method: 'POST', path, ...createJsonRequest(body) }, options)
  async function postSigned<T>(urlPath: string, requestBody: object): Promise<T> {
    const answer = await postBody(`/api${urlPath}`, requestBody, { isSigned: true })
    return JSON.parse(answer.body).data
  }
  async function getSigned<T>(path: string): Promise<T> {
    return JSON.parse((await sendRequest({ method: 'GET', path: `/api${path}` }, { isSigned: true })).body).data
  }

  function storeSession(responseBody: string): void {
    const { idToken, id_token, refreshToken, refresh_token } = JSON.parse(responseBody)
    tokenSession = { idToken: idToken ?? id_token, refreshToken: refreshToken ?? refresh_token }
  }
  const signIn = async (who = personName) => (await postBody(createIdentityPath('signInWithPassword'), createCredentials(who))).body
  async function renewSession(): Promise<void> {
    const body = { grant_type: 'refresh_token', refresh_token: tokenSession.refreshToken }
    const answer = await postBody('/securetoken.googleapis.com/v1/token?key=any', body, { accepts: [200, 400] })
    storeSession(answer.status === 200 ? answer.body : await signIn())
  }
  /** Creates an account. If a repeated request finds that it exists, an earlier answer was lost. */
  async function createAccount(accountName: string): Promise<string> {
    const httpAnswer = await postBody(createIdentityPath('signUp'), createCredentials(accountName), { accepts: [200, 400] })
    if (httpAnswer.status === 200) return httpAnswer.body
    if (httpAnswer.attempt === 1) problems.push(`sign-up of ${accountName}: ${httpAnswer.body.slice(0, 200)}`)
    return signIn(accountName)
  }

  /** Returns the fields that every change has. Each change gets a later time than the previous one. */
  function createChangeFields() {
    lastChangeMs = Math.max(lastChangeMs + 1, Math.trunc(readClock(clock)))
    return { id: randomUUID(), device: deviceId, at: new Date(lastChangeMs).toISOString() }
  }
  const requireAccepted = (path: string, { refused }: { refused: readonly unknown[] }) => {
    if (refused.length > 0) problems.push(`${path} has refused ${JSON.stringify(refused).slice(0, 200)}`)
  }

  async function changeFavorite(): Promise<void> {
    const songId = songIds[drawRandomBelow(songIds.length)] ?? ''
    const isFavorite = drawRandomFraction() < 0.7
    const changes = [{ ...createChangeFields(), s: songId, favorite: isFavorite }]
    requireAccepted('favorite/sync', await postSigned<FavoriteSyncResult>('/favorite/sync', { changes }))
    acknowledged.favorites.set(songId, isFavorite)
  }

  async function changePlaylist(): Promise<void> {
    const knownPlaylists = [...acknowledged.playlists].filter(([, { deleted }]) => !deleted)
    const [playlistId, playlistBefore] = knownPlaylists[drawRandomBelow(knownPlaylists.length + 1)] ?? [randomUUID(), undefined]
    const playlistTitle =
      playlistBefore === undefined || drawRandomFraction() < 0.1 ? `List ${drawRandomBelow(1000)}` : playlistBefore.title
    const isPlaylistDeleted = playlistBefore !== undefined && drawRandomFraction() < 0.02
    const playlistEntry = { e: randomUUID(), s: songIds[drawRandomBelow(songIds.length)] ?? '', position: `a${drawRandomBelow(1000)}b` }
    const playlistChanges = [
      { ...createChangeFields(), l: playlistId, title: playlistTitle, deleted: isPlaylistDeleted, entries: [playlistEntry] },
    ]
    requireAccepted('list/sync', await postSigned<OwnPlaylistSyncResult>('/list/sync', { changes: playlistChanges }))
    acknowledged.playlists.set(playlistId, {
      title: playlistTitle,
      deleted: isPlaylistDeleted,
      entries: new Map([...(playlistBefore?.entries ?? []), [playlistEntry.e, playlistEntry.s]]),
    })
  }

  async function changeFollow(): Promise<void> {
    const artistName = run.artists[drawRandomBelow(run.artists.length)] ?? ''
    const isFollowed = drawRandomFraction() < 0.7
    requireAccepted(
      'follow/sync',
      await postSigned<FollowSyncResult>('/follow/sync', {
        changes: [{ ...createChangeFields(), artist: artistName, follow: isFollowed }],
      }),
    )
    acknowledged.follows.set(artistName, isFollowed)
  }

  async function changePreset(): Promise<void> {
    if (acknowledged.websiteName === undefined) return changeFollow()
    const presetName = `Preset ${drawRandomBelow(PRESET_NAME_COUNT)}`
    const speed = (10 + drawRandomBelow(190)) / 100
    const settings = { speed, pitch: 0, reverb_size: 0, reverb_amount: 0, bass_db: 0 }
    await postSigned<MakerPreset[]>('/make/presets', { changes: [{ name: presetName, settings, changed_at: createChangeFields().at }] })
    acknowledged.presets.set(presetName, speed)
  }

  async function sendMessage(): Promise<void> {
    if (acknowledged.messages.length >= MESSAGES_MAX) return
    const message = `Message ${acknowledged.messages.length} of ${personName}`
    await postBody('/api/contact/request', { topic: 'song-report', message, change_id: randomUUID() })
    acknowledged.messages.push(message)
  }

  async function playSong(): Promise<void> {
    // Each song is played once, because a second play within an hour does not count.
    if (acknowledged.plays >= Math.min(PLAYS_MAX, songIds.length)) return
    await postBody('/api/song/play', { s: songIds[acknowledged.plays], p: run.playlistId, change_id: randomUUID() })
    acknowledged.plays++
  }

  async function saveWebsite(): Promise<void> {
    if (acknowledged.websiteName === undefined) return changeFavorite()
    const newName = `Site ${drawRandomBelow(100_000)}`
    await postSigned('/website/save', { domain_name: personName, name: newName, youtube: 'https://www.youtube.com/@somebody' })
    acknowledged.websiteName = newName
  }

  const readStatus = (id: string) => getSigned<ConversionStatus>(`/make/status?job_id=${id}`)
  async function convertSong(): Promise<void> {
    if (acknowledged.websiteName === undefined) return changePlaylist()
    const jobId = randomUUID()
    const encodeField = (key: string, value: string) =>
      `--${MULTIPART_BOUNDARY}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`
    const fileHead = `--${MULTIPART_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`
    const body = Buffer.concat([
      Buffer.from(encodeField('speed', '25') + encodeField('format', 'wav') + encodeField('job_id', jobId) + fileHead),
      createSilentWav(SONG_BYTES),
      Buffer.from(`\r\n--${MULTIPART_BOUNDARY}--\r\n`),
    ])
    const headers = { 'content-type': `multipart/form-data; boundary=${MULTIPART_BOUNDARY}` }
    const isConversionCancelled = drawRandomFraction() < 0.3
    const sendOptions = { isSigned: true, accepts: [200, 400], refusal: NO_ROOM_MESSAGE }
    const conversionResponse = sendRequest({ method: 'POST', path: '/api/make/convert', body, headers }, sendOptions)
    if (isConversionCancelled) {
      await sleep(drawRandomBelow(1500))
      const path = '/api/make/cancel'
      const answer = await postBody(path, { job_id: jobId }, { isSigned: true, accepts: [200, 404] })
      if (answer.status === 200) acknowledged.conversions.cancelled.push(jobId)
    }
    const { status, body: text } = await conversionResponse
    if (status === 200) acknowledged.conversions.done.push(jobId)
    else if (!isConversionCancelled && !NO_ROOM_MESSAGE.test(text)) problems.push(`a conversion failed: ${text.slice(0, 200)}`)
  }

  async function logInAgain(): Promise<void> {
    const { idToken, refreshToken } = tokenSession
    await postBody('/api/account/sign_out', { refresh_token: refreshToken })
    const headers = { authorization: `Bearer ${idToken}` }
    const { status } = await sendRequest({ method: 'GET', path: '/api/account/getinfo', headers }, { accepts: [200, 401] })
    if (status === 200) problems.push('a token is valid although its login was ended')
    storeSession(await signIn())
  }

  async function addAccount(): Promise<void> {
    if (acknowledged.accounts.size >= ACCOUNTS_MAX) return
    const accountName = `${personName}-${acknowledged.accounts.size}`
    const { idToken } = JSON.parse(await createAccount(accountName))
    acknowledged.accounts.set(accountName, 'created')
    if (drawRandomFraction() < 0.7) return
    const headers = { ...createJsonRequest({}).headers, authorization: `Bearer ${idToken}` }
    // A repeated deletion finds the login ended.
    await sendRequest({ method: 'POST', path: '/api/account/delete', body: '{}', headers }, { accepts: [200, 401] })
    acknowledged.accounts.set(accountName, 'deleted')
  }

  async function receivePayment(): Promise<void> {
    const eventId = `evt_${randomUUID()}`
    const createdSeconds = Math.floor(readClock(clock) / 1000)
    const subscriptionObject = createSubscription(`cus_${personName}`, `sub_${personName}`, 'active', createdSeconds + 86_400)
    const event = createSignedEvent(
      { id: eventId, created: createdSeconds, type: 'customer.subscription.updated', object: subscriptionObject },
      { nowMs: readClock(clock) },
    )
    await sendRequest({ method: 'POST', path: '/api/webhooks/stripe', body: event.payload, headers: event.headers })
    acknowledged.paymentEvents.push(eventId)
  }

  const readRequestPaths = ['/', '/playlists', '/api/song/random', '/api/radio/get', '/api/playlist/all', '/api/site']
  const readRandomPath = async () =>
    void (await sendRequest({ method: 'GET', path: readRequestPaths[drawRandomBelow(readRequestPaths.length)] ?? '/' }))

  /** The actions, and how often each is chosen in relation to the others. */
  const weightedActions: readonly (readonly [weight: number, act: () => Promise<void>])[] = [
    ...([
      [30, readRandomPath],
      [20, changeFavorite],
      [14, changePlaylist],
      [10, changeFollow],
      [8, changePreset],
    ] as const),
    ...([
      [6, saveWebsite],
      [5, playSong],
      [3, sendMessage],
      [3, convertSong],
      [2, receivePayment],
      [1, logInAgain],
      [1, addAccount],
    ] as const),
  ]
  const weightSum = weightedActions.reduce((sum, [weight]) => sum + weight, 0)
  function chooseAction(): () => Promise<void> {
    let remainingWeight = drawRandomFraction() * weightSum
    for (const [weight, act] of weightedActions) {
      remainingWeight -= weight
      if (remainingWeight < 0) return act
    }
    return readRandomPath
  }

  /** Reads all pages of a list of changes. */
  async function readAllPages<T extends { cursor: string; more: boolean }>(urlPath: string): Promise<T[]> {
    const listPages: T[] = []
    for (let more = true; more; more = listPages.at(-1)?.more === true)
      listPages.push(await postSigned<T>(urlPath, listPages.length === 0 ? {} : { since: listPages.at(-1)?.cursor }))
    return listPages
  }

  const sortAndJoin = (items: Iterable<string>) => [...items].sort().join()
  const joinChosenItems = (items: Iterable<[string, boolean]>) =>
    sortAndJoin([...items].flatMap(([item, isChosen]) => (isChosen ? [item] : [])))

  return {
    acknowledged,
    async signUp() {
      const body = await createAccount(personName)
      storeSession(body)
      return JSON.parse(body).localId
    },
    async activateWebsite() {
      await postSigned('/website/activate', { domain_name: personName })
      acknowledged.websiteName = ''
      await saveWebsite()
    },
    async run(signal) {
      while (!signal.aborted) {
        await chooseAction()()
        await sleep(ACTION_PAUSE_MS)
      }
    },
    async compare() {
      const differenceTexts: string[] = []
      const expectSame = (what: string, stored: string, wanted: string) => {
        if (stored !== wanted) differenceTexts.push(`${personName}: ${what}: ${stored.slice(0, 300)} instead of ${wanted.slice(0, 300)}`)
      }
      const favoriteStates = (await readAllPages<FavoriteSyncResult>('/favorite/sync')).flatMap((page) => page.favorites)
      expectSame(
        'favorites',
        joinChosenItems(favoriteStates.map(({ s, favorite }) => [s, favorite])),
        joinChosenItems(acknowledged.favorites),
      )

      const listPages = await readAllPages<OwnPlaylistSyncResult>('/list/sync')
      const storedPlaylistById = new Map(listPages.flatMap((page) => page.playlists).map((playlist) => [playlist.l, playlist]))
      const listEntries = listPages.flatMap((page) => page.entries)
      for (const [playlistId, { title, deleted, entries: wantedEntries }] of acknowledged.playlists) {
        const playlist = storedPlaylistById.get(playlistId)
        if (deleted) expectSame('a deleted playlist', String(playlist?.deleted ?? true), 'true')
        else {
          expectSame('a title', String(playlist?.title), title)
          const ownEntries = listEntries.filter((entry) => entry.l === playlistId && !entry.removed)
          expectSame(
            'entries',
            sortAndJoin(ownEntries.map(({ e, s }) => `${e} ${s}`)),
            sortAndJoin([...wantedEntries].map((pair) => pair.join(' '))),
          )
        }
      }
      const { artists = [] } = await postSigned<FollowSyncResult>('/follow/sync', {})
      expectSame('follows', sortAndJoin(artists.map(({ artist }) => artist)), joinChosenItems(acknowledged.follows))
      for (const [who, state] of acknowledged.accounts) {
        const { status } = await postBody(createIdentityPath('signInWithPassword'), createCredentials(who), { accepts: [200, 400] })
        expectSame(`the account ${who}`, String(status), state === 'created' ? '200' : '400')
      }
      if (acknowledged.websiteName === undefined) return differenceTexts
      const storedPresets = await postSigned<MakerPreset[]>('/make/presets', {})
      const sortPairs = (items: Iterable<readonly [string, number]>) => sortAndJoin([...items].map((pair) => pair.join(' ')))
      expectSame('presets', sortPairs(storedPresets.map((preset) => [preset.name, preset.settings.speed])), sortPairs(acknowledged.presets))
      expectSame('the website', (await getSigned<Website>('/website/get')).name, acknowledged.websiteName)
      for (const jobId of acknowledged.conversions.done) {
        const { state, url = '' } = await readStatus(jobId)
        expectSame('a conversion', state, 'done')
        if (url !== '') await sendRequest({ method: 'GET', path: url })
      }
      for (const id of acknowledged.conversions.cancelled) {
        const { state, message = '' } = await readStatus(id)
        // A conversion may have ended before it was cancelled: it was done, or its disk was full.
        const mayHaveEndedBefore = state === 'done' || (state === 'failed' && NO_ROOM_MESSAGE.test(message))
        if (state !== 'cancelled' && !mayHaveEndedBefore)
          differenceTexts.push(`${personName}: a cancelled conversion is ${state}: ${message}`)
      }
      return differenceTexts
    },
  }
}
