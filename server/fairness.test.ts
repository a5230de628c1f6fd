import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSdkCalls } from './identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from './test-app.ts'

// Tests the limits on how much one anonymous visitor, or a few of them, can change what other visitors see.

const [FIRST_SONG_ID, SECOND_SONG_ID, OTHER_SONG_ID] = ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'BBBBBBBBBB1'] as const
const CLIENT_ADDRESSES = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const

let site: TestApp
let nowMs = 0
const openSite = async (environment: Record<string, string> = {}) => {
  site = await createTestApp(environment, { nowMs: () => nowMs })
}
beforeEach(() => {
  nowMs = Date.parse('2026-03-01T12:00:00Z')
})
afterEach(async () => {
  vi.useRealTimers()
  await site.close()
})

const getPage = (url: string, remoteAddress: string = CLIENT_ADDRESSES[0]) => site.app.inject({ url, remoteAddress })
const postJson = (path: string, payload: object, remoteAddress: string = CLIENT_ADDRESSES[0], headers: Record<string, string> = {}) =>
  site.app.inject({ method: 'POST', url: `/api${path}`, payload, remoteAddress, headers })
const reportSong = async (s: string, address: string) =>
  expect((await postJson('/song/unplayable', { s, reason: 'video error 150' }, address)).statusCode).toBe(200)
const readExcludedIds = async () => (await site.storage.songs.listUnplayable(nowMs)).map(({ youtube_id }) => youtube_id)

it('reports: only clients that have requested a song can report it as unplayable', async () => {
  await openSite()
  // The station gets other songs, because songs of a station can be reported by clients that have not requested them.
  await site.storage.settings.set('RADIO_MAIN', 'playlist:nothing', undefined)
  for (const address of CLIENT_ADDRESSES) await reportSong(SECOND_SONG_ID, address)
  expect(await readExcludedIds()).toEqual([])
  // The route answers the first request, and the cache answers the others.
  for (const address of CLIENT_ADDRESSES)
    expect((await getPage(`/api/song/get?p=night-drive&s=${SECOND_SONG_ID}`, address)).statusCode).toBe(200)
  for (const address of CLIENT_ADDRESSES) await reportSong(SECOND_SONG_ID, address)
  expect(await readExcludedIds()).toEqual([SECOND_SONG_ID])
  for (const address of CLIENT_ADDRESSES) {
    await getPage(`/song?s=${encodeURIComponent(`https://youtu.be/${FIRST_SONG_ID}`)}`, address)
    await reportSong(FIRST_SONG_ID, address)
  }
  expect((await readExcludedIds()).toSorted()).toEqual([FIRST_SONG_ID, SECOND_SONG_ID])
  for (const address of CLIENT_ADDRESSES) {
    await getPage('/api/song/random?p=rock', address)
    await reportSong(OTHER_SONG_ID, address)
  }
  expect((await readExcludedIds()).toSorted()).toEqual([FIRST_SONG_ID, SECOND_SONG_ID, OTHER_SONG_ID])
  expect((await postJson('/song/unplayable', { s: 'ZZZZZZZZZZZ', reason: 'video error 150' })).statusCode).toBe(404)
})

it('reports: listeners of the radio can report the song that the radio plays', async () => {
  await openSite()
  const { youtube_id } = (await getPage('/api/radio/get')).json().data
  for (const address of CLIENT_ADDRESSES) await reportSong(youtube_id, address)
  expect(await readExcludedIds()).toEqual([youtube_id])
})

it('reports: all clients of one IPv6 network of /56 count as one client', async () => {
  await openSite()
  const reportFrom = async (ipAddresses: readonly string[]) => {
    for (const address of ipAddresses) {
      await getPage(`/api/song/get?s=${SECOND_SONG_ID}`, address)
      await reportSong(SECOND_SONG_ID, address)
    }
  }
  await reportFrom(['2001:db8:0:100::1', '2001:db8:0:1ff::1', '2001:db8:0:17a:5::9'])
  expect(await readExcludedIds()).toEqual([])
  await reportFrom(['2001:db8:0:200::1', '2001:db8::1'])
  expect(await readExcludedIds()).toEqual([SECOND_SONG_ID])
})

it('clicks: the clicks of a client on one link count once an hour', async () => {
  await openSite()
  const annSession = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json()
  await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
  const headers = { authorization: `Bearer ${annSession.idToken}` }
  expect((await postJson('/website/activate', { domain_name: 'ann' }, CLIENT_ADDRESSES[0], headers)).statusCode).toBe(200)
  const sendClick = (address: string) => postJson('/subscriber/click', { domain_name: 'ann', target: 'visit' }, address)
  const countClicks = async () => (await site.storage.websites.listClicks(annSession.localId, 0))[0]?.count
  for (let n = 0; n < 5; n++) await sendClick(CLIENT_ADDRESSES[0])
  expect(await countClicks()).toBe(1)
  await sendClick(CLIENT_ADDRESSES[1])
  nowMs += 3_600_000
  await sendClick(CLIENT_ADDRESSES[0])
  expect(await countClicks()).toBe(3)
})

it('messages: in a day, one network can send at most twice its hourly limit of messages, so that it cannot use up the daily limit of all networks', async () => {
  // The test fakes the system clock, because the hourly limit uses it.
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs })
  await openSite()
  const sendReport = async (address: string) =>
    (await postJson('/contact/request', { topic: 'song-report', message: 'x' }, address)).statusCode
  const statusCodes: number[] = []
  for (let hourIndex = 0; hourIndex < 4; hourIndex++) {
    for (let n = 0; n < 30; n++) statusCodes.push(await sendReport(CLIENT_ADDRESSES[0]))
    nowMs += 3_601_000
    vi.setSystemTime(nowMs)
  }
  expect(statusCodes.filter((status) => status === 200)).toHaveLength(60)
  expect(statusCodes.at(-1)).toBe(429)
  expect(await sendReport(CLIENT_ADDRESSES[1])).toBe(200)
  nowMs += 24 * 3_600_000
  vi.setSystemTime(nowMs)
  expect(await sendReport(CLIENT_ADDRESSES[0])).toBe(200)
})

it('writes: calls above the limit are answered with 429 and Retry-After, for each account or network; reads are not limited', async () => {
  await openSite({ RATE_LIMIT_WRITES: '2', RATE_LIMIT_SIGNUP: '100' })
  const playSong = (address: string) => postJson('/song/play', { s: FIRST_SONG_ID }, address)
  const listStatuses = async (callCount: number, callOnce: () => ReturnType<typeof playSong>) => {
    const codes: number[] = []
    for (let n = 0; n < callCount; n++) codes.push((await callOnce()).statusCode)
    return codes
  }
  expect(await listStatuses(3, () => playSong(CLIENT_ADDRESSES[0]))).toEqual([200, 200, 429])
  const refusedAnswer = await playSong(CLIENT_ADDRESSES[0])
  expect(Number(refusedAnswer.headers['retry-after'])).toBeGreaterThan(3500)
  expect(refusedAnswer.json()).toMatchObject({ code: 429, data: null })
  expect((await playSong(CLIENT_ADDRESSES[1])).statusCode).toBe(200)
  const idTokens = await Promise.all(
    Array.from(
      { length: 7 },
      async (_, n) => (await createSdkCalls(site).signUp(`user${n}@example.com`, 'secret-1')).json().idToken as string,
    ),
  )
  const syncAs = (token: string | undefined, changes: object[]) =>
    postJson('/favorite/sync', { changes }, CLIENT_ADDRESSES[0], { authorization: `Bearer ${token}` })
  const createChanges = () => [
    { id: randomUUID(), s: FIRST_SONG_ID, favorite: true, at: new Date(nowMs).toISOString(), device: randomUUID() },
  ]
  expect(await listStatuses(3, () => syncAs(idTokens[0], createChanges()))).toEqual([200, 200, 429])
  expect(await listStatuses(5, () => syncAs(idTokens[0], []))).toEqual([200, 200, 200, 200, 200])
  // All accounts in one network together have five times the limit of one account.
  const codes: number[] = []
  for (const token of idTokens.slice(1)) codes.push(...(await listStatuses(2, () => syncAs(token, createChanges()))))
  expect(codes.filter((code) => code === 200)).toHaveLength(8)
})

it('writes: 20,000 favorites that were added offline can be synced without a pause', async () => {
  await openSite()
  const idToken = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json().idToken as string
  for (let callIndex = 0; callIndex < 40; callIndex++) {
    const favoriteChanges = Array.from({ length: 500 }, () => ({
      id: randomUUID(),
      s: 'ZZZZZZZZZZZ',
      favorite: true,
      at: new Date(nowMs).toISOString(),
      device: '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c',
    }))
    expect(
      (await postJson('/favorite/sync', { changes: favoriteChanges }, CLIENT_ADDRESSES[0], { authorization: `Bearer ${idToken}` }))
        .statusCode,
    ).toBe(200)
  }
})
