import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow } from '../storage/testing/fixture.ts'
import { createNewSongPushes, PUSH_TRIES_MAX } from './new-song-pushes.ts'
import { PUSH_SUBSCRIPTIONS_MAX } from './store.ts'
import { startPushService } from './testing/push-service.ts'
import { createVapidPrivateKey, readVapidKey } from './web-push.ts'

vi.setConfig({ testTimeout: 60_000 })

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-03-01T12:00:00Z')
const vapidKey = readVapidKey(createVapidPrivateKey())
const log = createLog('silent')

describeStores('pushes of new songs', { isLongOnPostgres: true }, (fixture) => {
  let pushService: Awaited<ReturnType<typeof startPushService>>
  let nowMs: number
  let sendNewSongPushes: () => Promise<number>
  const createProcess = () =>
    createNewSongPushes({ pushes: fixture.storage.pushes, vapidKey, contact: 'https://example.org', nowMs: () => nowMs, log })
  beforeEach(async () => {
    nowMs = START_MS
    pushService = await startPushService(vapidKey.publicKey)
    sendNewSongPushes = createProcess()
    await fixture.importRows({ songs: [createSongRow(1, { author_name: 'Aimer' }), createSongRow(2, { author_name: 'Beyoncé' })] })
  })
  afterEach(() => pushService.close())

  const followArtist = (uid: string, artistName: string) =>
    fixture.storage.follows.sync(
      uid,
      { changes: [{ id: randomUUID(), artist: artistName, follow: true, at: new Date(nowMs).toISOString(), device: randomUUID() }] },
      nowMs,
    )
  const sendPushes = (send = sendNewSongPushes) => {
    pushService.setTime(nowMs)
    return send()
  }
  /** Imports songs that were added at the current time, after an hour has passed. */
  const importNewSongs = async (author_name: string, ...songNumbers: number[]) => {
    nowMs += HOUR_MS
    await fixture.importRows({
      songs: songNumbers.map((n) => createSongRow(n, { author_name, date_added: new Date(nowMs).toISOString() })),
    })
    nowMs += 1000
  }
  const listEndpoints = async (uid: string) => (await fixture.storage.pushes.listOf(uid)).map(({ endpoint }) => new URL(endpoint).pathname)

  test('after an import, each browser of the accounts that follow the imported artists gets one push, which contains only the number of songs', async () => {
    await followArtist('ann', 'Aimer')
    await followArtist('bob', 'Beyoncé')
    for (const path of ['/phone', '/laptop']) await fixture.storage.pushes.subscribe('ann', pushService.subscribe(path), nowMs)
    await fixture.storage.pushes.subscribe('bob', pushService.subscribe('/bob'), nowMs)
    expect(await sendPushes()).toBe(0)
    await importNewSongs('AIMER', 11, 12)
    expect(await sendPushes()).toBe(2)
    expect(pushService.refusals).toEqual([])
    expect(pushService.received.map(({ path, payload }) => [path, payload]).sort()).toEqual([
      ['/laptop', { songs: 2 }],
      ['/phone', { songs: 2 }],
    ])
    expect(pushService.received[0]).toMatchObject({
      ...{ ttl: '172800', topic: 'new-songs' },
      claims: { aud: pushService.origin, sub: 'https://example.org' },
    })
    expect(await sendPushes()).toBe(0)
  })

  test('an account gets at most one push a day, whose number includes all new songs since the previous push', async () => {
    await followArtist('ann', 'Aimer')
    await fixture.storage.pushes.subscribe('ann', pushService.subscribe('/phone'), nowMs)
    await importNewSongs('Aimer', 11)
    await sendPushes()
    await importNewSongs('Aimer', 12)
    await sendPushes()
    await importNewSongs('Aimer', 13, 14)
    await sendPushes()
    nowMs += 24 * HOUR_MS
    await sendPushes()
    expect(pushService.received.map(({ payload }) => payload)).toEqual([{ songs: 1 }, { songs: 3 }])
  })

  test('a song that an import adds after a check, but dates before it, is counted', async () => {
    await followArtist('ann', 'Aimer')
    await fixture.storage.pushes.subscribe('ann', pushService.subscribe('/phone'), nowMs)
    const addedAtMs = nowMs + HOUR_MS / 2
    await importNewSongs('Beyoncé', 11)
    expect(await sendPushes()).toBe(0)
    nowMs += 6 * HOUR_MS
    await fixture.importRows({ songs: [createSongRow(12, { author_name: 'Aimer', date_added: new Date(addedAtMs).toISOString() })] })
    expect(await sendPushes()).toBe(1)
  })

  test('songs of which a browser was notified, and older ones, are not counted again when they are imported', async () => {
    await followArtist('ann', 'Aimer')
    await fixture.storage.pushes.subscribe('ann', pushService.subscribe('/phone'), nowMs)
    await importNewSongs('Aimer', 11, 12)
    expect(await sendPushes()).toBe(1)
    const dates = [START_MS - HOUR_MS, START_MS + HOUR_MS / 2, START_MS + HOUR_MS]
    nowMs += 24 * HOUR_MS
    await fixture.importRows({
      songs: dates.map((atMs, n) => createSongRow(10 + n, { author_name: 'Aimer', date_added: new Date(atMs).toISOString() })),
    })
    expect(await sendPushes()).toBe(0)
  })

  test('songs that were added before the account followed the artist are not counted', async () => {
    await fixture.storage.pushes.subscribe('ann', pushService.subscribe('/phone'), nowMs)
    await importNewSongs('Aimer', 11)
    await followArtist('ann', 'Aimer')
    expect(await sendPushes()).toBe(0)
  })

  test.each([404, 410])('the subscription of a browser whose push service answers %d is deleted', async (statusCode) => {
    await followArtist('ann', 'Aimer')
    await fixture.storage.pushes.subscribe('ann', pushService.subscribe('/gone', statusCode), nowMs)
    await fixture.storage.pushes.subscribe('ann', pushService.subscribe('/busy', 503), nowMs)
    await importNewSongs('Aimer', 11)
    expect(await sendPushes()).toBe(0)
    expect(await listEndpoints('ann')).toEqual(['/busy'])
  })

  test.each([429, 503])('a push whose push service answers %d is sent once the push service accepts it', async (statusCode) => {
    await followArtist('ann', 'Aimer')
    await fixture.storage.pushes.subscribe('ann', pushService.subscribe('/phone', statusCode), nowMs)
    await importNewSongs('Aimer', 11, 12)
    expect(await sendPushes()).toBe(0)
    expect(await sendPushes()).toBe(0)
    pushService.setStatus('/phone', 201)
    expect(await sendPushes()).toBe(1)
    expect(await sendPushes()).toBe(0)
    expect(pushService.received.map(({ payload }) => payload)).toEqual([{ songs: 2 }])
  })

  test.each([
    ['is unavailable for long', 503, PUSH_TRIES_MAX],
    ['refuses it', 400, 1],
  ])('a push whose push service %s is given up, and its songs are counted in the next push', async (_reason, statusCode, triesMax) => {
    await followArtist('ann', 'Aimer')
    await fixture.storage.pushes.subscribe('ann', pushService.subscribe('/phone', statusCode), nowMs)
    await importNewSongs('Aimer', 11)
    for (let n = 0; n < triesMax; n += 1) expect(await sendPushes()).toBe(0)
    pushService.setStatus('/phone', 201)
    expect(await sendPushes()).toBe(0)
    nowMs += 24 * HOUR_MS
    await importNewSongs('Aimer', 12)
    expect(await sendPushes()).toBe(1)
    expect(pushService.received.map(({ payload }) => payload)).toEqual([{ songs: 2 }])
  })

  test('two processes of a site send only one push for the same songs', async () => {
    await followArtist('ann', 'Aimer')
    await fixture.storage.pushes.subscribe('ann', pushService.subscribe('/phone'), nowMs)
    await importNewSongs('Aimer', 11)
    const processes = [createProcess(), createProcess(), createProcess()]
    expect((await Promise.all(processes.map((send) => sendPushes(send)))).sort()).toEqual([0, 0, 1])
  })

  test('an account has at most 10 browsers; a browser belongs to the account that subscribed last, and a deleted account has none', async () => {
    for (let n = 0; n <= PUSH_SUBSCRIPTIONS_MAX; n += 1)
      await fixture.storage.pushes.subscribe('ann', pushService.subscribe(`/${n}`), nowMs + n)
    expect(await listEndpoints('ann')).toHaveLength(PUSH_SUBSCRIPTIONS_MAX)
    expect(await listEndpoints('ann')).not.toContain('/0')
    await fixture.storage.pushes.subscribe('bob', pushService.subscribe('/5'), nowMs)
    expect([await listEndpoints('bob'), (await listEndpoints('ann')).includes('/5')]).toEqual([['/5'], false])
    await fixture.storage.deleteBelongings({ uid: 'ann', verifiedEmail: undefined }, nowMs)
    expect([await listEndpoints('ann'), await listEndpoints('bob')]).toEqual([[], ['/5']])
  })
})
