import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DAILY_EXCLUDED_SHARE_MAX } from '../../server/catalogue/exclusion-limits.ts'
import { CLIENT_PLAYS_MAX_PER_HOUR } from '../../server/catalogue/store-plays.ts'
import { CLIENT_REPORTS_MAX_PER_DAY } from '../../server/catalogue/store-unplayable.ts'
import { CONTACTS_PER_DAY } from '../../server/contact/store.ts'
import { ACCOUNT_CHANGES_MAX } from '../../server/storage/applied-changes.ts'
import { SqliteFile } from '../../server/storage/sqlite-driver.ts'
import { runAdminCommand, type Site, startSite } from '../server.ts'

// The tests run the built server on a disk of 60 MB while visitors try to fill it. The disk is a tmpfs of Linux, which only root can mount.

const canMount = process.platform === 'linux' && process.getuid?.() === 0

const BYTES_PER_MIB = 1024 ** 2
const DISK_SIZE_MB = 60
/**
 * The free space of the disk in the test with a nearly full disk. It is less than the space that uploads must leave free for the database.
 */
const FULLER_DISK_SIZE_MB = 28
const UPLOAD_COUNT = 1000
/** The number of uploads that are sent at the same time. */
const PARALLEL_CALL_COUNT = 20
const TOTAL_CALL_COUNT = 10_000
const SONG_COUNT = 2000
/** The number of IP networks from which the visitors' requests come, and the number of their accounts. */
const CLIENT_NETWORK_COUNT = 20
const ACCOUNT_COUNT = 10
const REMOVALS_PER_SYNC = 20

const MULTIPART_BOUNDARY = 'b0undary'
const FILE_PART_BYTES = 300_000
const bodyCutInFile = `--${MULTIPART_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n${'x'.repeat(FILE_PART_BYTES)}`
const bodyCutBetweenParts = `${bodyCutInFile}\r\n--${MULTIPART_BOUNDARY}\r\n`
const bodyCutInField = `${bodyCutBetweenParts}Content-Disposition: form-data; name="x"\r\n\r\nabc`
const uploadBodies = [bodyCutInFile, bodyCutBetweenParts, bodyCutInField]

const createSongId = (number: number) => `song_${String(number).padStart(6, '0')}`
const createEmail = (accountIndex: number) => `person${accountIndex}@example.com`
/** An additional account with a website, which may upload banners. */
const OWNER_ACCOUNT_INDEX = ACCOUNT_COUNT

let diskPath = ''
let site: Site

/** Starts the server on the disk. Its clock is ahead by `daysAhead` days. */
async function startServer(daysAhead = 0): Promise<void> {
  const clockScript = `const RealDate = Date
    globalThis.Date = class extends RealDate {
      constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)) }
      static now() { return RealDate.now() + ${daysAhead * 86_400_000} }
    }`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(clockScript)}`
  site = await startSite({ DATA_DIR: diskPath, DEMO: 'off', TRUST_PROXY: '127.0.0.1', NODE_OPTIONS })
}

async function importSongs(): Promise<void> {
  const songs = Array.from({ length: SONG_COUNT }, (_, songNumber) => ({
    youtube_id: createSongId(songNumber),
    title: `Song ${songNumber}`,
    author_name: 'Somebody',
    category_id: 'a',
    category_name: 'A',
    date_added: '2026-01-01',
  }))
  const catalogueFile = join(diskPath, 'catalogue.json')
  await writeFile(catalogueFile, JSON.stringify({ songs }))
  await runAdminCommand(diskPath, ['catalog', 'import', catalogueFile])
  await rm(catalogueFile)
}

/** Calls the server. If the body of the response is not JSON, the result contains its text. */
async function callSite(
  urlPath: string,
  requestBody: object | undefined,
  { token, network = 0 }: { token?: string; network?: number } = {},
) {
  const response = await fetch(`http://127.0.0.1:${site.port}${urlPath}`, {
    method: requestBody === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `20.0.${network}.1`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(requestBody === undefined ? {} : { body: JSON.stringify(requestBody) }),
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, body: await (isJson ? response.json() : response.text()) }
}

async function logIn(accountIndex: number, identityMethod = 'signInWithPassword'): Promise<string> {
  const credentials = { email: createEmail(accountIndex), password: 'tempo160-of-mine', returnSecureToken: true }
  const answer = await callSite(`/identitytoolkit.googleapis.com/v1/accounts:${identityMethod}?key=any`, credentials)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.idToken
}

/** Logs in, adds and reads a favorite, and sends a message. */
async function expectSiteWorks(accountIndex: number): Promise<void> {
  const idToken = await logIn(accountIndex)
  expect(await callSite('/api/favorite/add', { s: createSongId(1) }, { token: idToken })).toMatchObject({ status: 200 })
  expect(await callSite('/api/favorite/getall', undefined, { token: idToken })).toMatchObject({ status: 200, body: { data: [{}] } })
  const message = { topic: 'song-report', message: 'A title is wrong.' }
  expect(await callSite('/api/contact/request', message)).toMatchObject({ status: 200 })
}

type CountByStatus = Record<number, number>
const countByStatus = (countedNumbers: readonly number[]): CountByStatus => {
  const counts: CountByStatus = {}
  for (const number of countedNumbers) counts[number] = (counts[number] ?? 0) + 1
  return counts
}

/** Makes the calls of visitors, some of them at the same time. Returns the number of calls for each status. */
async function callMany(callEach: (index: number) => Promise<{ status: number }>): Promise<CountByStatus> {
  const limit = pLimit(20)
  const answers = await Promise.all(Array.from({ length: TOTAL_CALL_COUNT }, (_, index) => limit(() => callEach(index))))
  return countByStatus(answers.map(({ status }) => status))
}

const chooseNetworkIndex = (index: number) => index % CLIENT_NETWORK_COUNT
/** Returns the index of a call among the calls from the same IP network. */
const computeIndexInNetwork = (index: number) => Math.floor(index / CLIENT_NETWORK_COUNT)

/** Reports plays: each IP network plays 500 songs. */
const reportManyPlays = () =>
  callMany((index) =>
    callSite(
      '/api/song/play',
      { s: createSongId(computeIndexInNetwork(index)), change_id: randomUUID(), duration: 200 },
      { network: chooseNetworkIndex(index) },
    ),
  )

/** Each IP network requests songs, and then reports these and other songs as unplayable. */
async function reportManySongs(): Promise<CountByStatus> {
  for (let number = 0; number < 2 * CLIENT_REPORTS_MAX_PER_DAY; number++)
    for (let network = 0; network < CLIENT_NETWORK_COUNT; network++)
      await callSite(`/api/song/get?s=${createSongId(number)}`, undefined, { network })
  return callMany((index) =>
    callSite(
      '/api/song/unplayable',
      { s: createSongId(computeIndexInNetwork(index)), reason: '100' },
      { network: chooseNetworkIndex(index) },
    ),
  )
}

/** Each account removes favorites that it never had: some songs of the catalogue, and some unknown songs. */
function syncManyRemovals(idTokens: readonly string[]): Promise<CountByStatus> {
  const deviceId = randomUUID()
  return callMany((index) => {
    const firstSongNumber = Math.floor(index / idTokens.length) * REMOVALS_PER_SYNC
    const favoriteChanges = Array.from({ length: REMOVALS_PER_SYNC }, (_, songNumber) => ({
      id: randomUUID(),
      s:
        songNumber % 2 === 0
          ? createSongId((firstSongNumber + songNumber) % SONG_COUNT)
          : `gone_${String(index * REMOVALS_PER_SYNC + songNumber).padStart(6, '0')}`,
      favorite: false,
      at: new Date().toISOString(),
      device: deviceId,
    }))
    return callSite(
      '/api/favorite/sync',
      { changes: favoriteChanges },
      { token: idTokens[index % idTokens.length] ?? '', network: chooseNetworkIndex(index) },
    )
  })
}

/** Begins an upload from one of the IP networks, with a token or anonymously. */
function beginUpload(index: number, token?: string) {
  const socket = connect({ port: site.port, host: '127.0.0.1' }).on('error', () => undefined)
  const headBytes = [
    `POST ${token === undefined && index % 2 === 0 ? '/api/make/convert' : '/api/website/banner'} HTTP/1.1`,
    `Host: localhost\r\nX-Forwarded-For: 20.0.${chooseNetworkIndex(index)}.1`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    `Content-Type: multipart/form-data; boundary=${MULTIPART_BOUNDARY}\r\nContent-Length: 9000000`,
  ]
  socket.write(`${headBytes.join('\r\n')}\r\n\r\n${uploadBodies[index % uploadBodies.length]}`)
  const statusLine = once(socket, 'data').then(
    ([data]) => Number(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1]),
    () => undefined,
  )
  return { socket, status: statusLine }
}

const listUploads = async () => (await readdir(join(diskPath, 'conversions'))).filter((name) => name.endsWith('.upload'))

/**
 * Begins uploads that are never completed, waits until each is answered or its file is stored, and then closes the connections. Returns the
 * status codes of the answers.
 */
async function breakOffUploads(firstIndex: number, idTokens: readonly (string | undefined)[]): Promise<number[]> {
  const filesBefore = new Set(await listUploads())
  const countStoredUploads = async () => {
    const newFiles = (await listUploads()).filter((name) => !filesBefore.has(name))
    const fileSizes = await Promise.all(
      newFiles.map((fileName) =>
        stat(join(diskPath, 'conversions', fileName)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    )
    return fileSizes.filter((size) => size === FILE_PART_BYTES).length
  }
  const statusCodes: number[] = []
  const openUploads = idTokens.map((token, index) => beginUpload(firstIndex + index, token))
  for (const { status } of openUploads) void status.then((answered) => answered !== undefined && statusCodes.push(answered))
  await vi.waitFor(async () => expect(statusCodes.length + (await countStoredUploads())).toBeGreaterThanOrEqual(idTokens.length))
  for (const [index, { socket }] of openUploads.entries()) {
    if (index % 2 === 0) socket.destroy()
    else socket.resetAndDestroy()
  }
  return statusCodes
}

const countRows = () => {
  const database = new SqliteFile(join(diskPath, 'varispeed.sqlite'), { readonly: true })
  const countTableRows = (table: string) => Number(database.prepare(`select count(*) from ${table}`).pluck().get())
  const catalogueRows = {
    playMarks: countTableRows('play_marks'),
    durationReports: countTableRows('duration_reports'),
    learnedDurations: countTableRows('learned_durations'),
    reports: countTableRows('unplayable_reports'),
    excludedSongs: countTableRows('unplayable_songs'),
    changes: countTableRows('applied_changes'),
    favorites: countTableRows('favorites'),
    messages: countTableRows('contacts'),
  }
  database.close()
  return catalogueRows
}

async function readFreeMegabytes(): Promise<number> {
  const { bavail, bsize } = await statfs(diskPath)
  return (bavail * bsize) / BYTES_PER_MIB
}

describe.skipIf(!canMount)('a small disk (needs Linux and root)', () => {
  beforeAll(async () => {
    diskPath = await mkdtemp(join(tmpdir(), 'varispeed-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE_MB}m`, 'tmpfs', diskPath])
    await importSongs()
    await startServer()
    for (let account = 0; account <= OWNER_ACCOUNT_INDEX; account++) await logIn(account, 'signUp')
    await site.runAdmin('user', 'grant', '--email', createEmail(OWNER_ACCOUNT_INDEX), '--role', 'subscriber')
    expect(
      await callSite('/api/website/activate', { domain_name: 'smalldisk' }, { token: await logIn(OWNER_ACCOUNT_INDEX) }),
    ).toMatchObject({
      status: 200,
    })
  })
  afterAll(async () => {
    await site?.stop()
    execFileSync('umount', [diskPath])
    await rm(diskPath, { recursive: true })
  })

  it('1,000 uploads whose connections are closed leave no files, and anonymous uploads are refused before their first byte is stored', async () => {
    const ownerToken = await logIn(OWNER_ACCOUNT_INDEX)
    const freeMegabytesBefore = await readFreeMegabytes()
    const statusCodes: number[] = []
    for (let sentCount = 0; sentCount < UPLOAD_COUNT; sentCount += PARALLEL_CALL_COUNT)
      statusCodes.push(
        ...(await breakOffUploads(
          sentCount,
          Array.from({ length: PARALLEL_CALL_COUNT }, (_, index) => (index % 10 === 9 ? ownerToken : undefined)),
        )),
      )
    await vi.waitFor(async () => expect(await listUploads()).toHaveLength(0))
    await expectSiteWorks(0)
    const countsByStatus = countByStatus(statusCodes)
    console.info(JSON.stringify({ answers: countsByStatus, freeBefore: freeMegabytesBefore, freeAfter: await readFreeMegabytes() }))
    expect(countsByStatus[401]).toBe(0.9 * UPLOAD_COUNT)
    expect(statusCodes.length).toBeLessThan(UPLOAD_COUNT)
    expect(await readFreeMegabytes()).toBeGreaterThan(freeMegabytesBefore - 5)
  })

  it('the file of an upload that a killed server left behind is deleted at the next start', async () => {
    const { socket } = beginUpload(0, await logIn(OWNER_ACCOUNT_INDEX))
    await vi.waitFor(async () => expect(await listUploads()).toHaveLength(1))
    process.kill(site.pid, 'SIGKILL')
    socket.destroy()
    await site.stop()
    expect(await listUploads()).toHaveLength(1)
    await startServer(1)
    await vi.waitFor(async () => expect(await listUploads()).toHaveLength(0))
    await expectSiteWorks(1)
  })

  it('on a nearly full disk, login, favorites and contact still work while visitors play, report and sync 10,000 times each, and these calls take limited disk space', async () => {
    const idTokens = await Promise.all(Array.from({ length: ACCOUNT_COUNT }, (_, account) => logIn(account)))
    const fillerPath = join(diskPath, 'filler')
    await writeFile(fillerPath, Buffer.alloc(Math.floor(((await readFreeMegabytes()) - FULLER_DISK_SIZE_MB) * BYTES_PER_MIB)))
    const { status } = beginUpload(0, await logIn(OWNER_ACCOUNT_INDEX))
    expect(await status).toBe(503)
    const [playCounts] = await Promise.all([reportManyPlays(), expectSiteWorks(2)])
    const [reportCounts] = await Promise.all([reportManySongs(), expectSiteWorks(3)])
    const [syncCounts] = await Promise.all([syncManyRemovals(idTokens), expectSiteWorks(4)])
    await expectSiteWorks(5)
    const countsByEndpoint = { plays: playCounts, reports: reportCounts, syncs: syncCounts }
    const rowCounts = countRows()
    console.info(JSON.stringify({ ...countsByEndpoint, rows: rowCounts, free: await readFreeMegabytes() }))
    for (const counts of Object.values(countsByEndpoint))
      expect(Object.keys(counts).filter((each) => !['200', '429'].includes(each))).toEqual([])
    expect(rowCounts.playMarks).toBeLessThanOrEqual(CLIENT_NETWORK_COUNT * CLIENT_PLAYS_MAX_PER_HOUR)
    expect(rowCounts.learnedDurations).toBeLessThanOrEqual(SONG_COUNT)
    expect(rowCounts.reports).toBeLessThanOrEqual(CLIENT_NETWORK_COUNT * CLIENT_REPORTS_MAX_PER_DAY)
    expect(rowCounts.excludedSongs).toBeLessThanOrEqual(DAILY_EXCLUDED_SHARE_MAX * SONG_COUNT)
    expect(rowCounts.favorites).toBeLessThanOrEqual(ACCOUNT_COUNT * SONG_COUNT)
    expect(rowCounts.changes).toBeLessThanOrEqual(
      CLIENT_NETWORK_COUNT * CLIENT_PLAYS_MAX_PER_HOUR + ACCOUNT_COUNT * ACCOUNT_CHANGES_MAX + CONTACTS_PER_DAY,
    )
    expect(await readFreeMegabytes()).toBeGreaterThan(FULLER_DISK_SIZE_MB / 4)
    await rm(fillerPath)
  })

  it('expired rows that visitors caused are deleted at the next start', async () => {
    await site.stop()
    await startServer(800)
    await vi.waitFor(() =>
      expect(countRows()).toMatchObject({ playMarks: 0, durationReports: 0, reports: 0, excludedSongs: 0, changes: 0, messages: 0 }),
    )
    await expectSiteWorks(6)
  })
})
