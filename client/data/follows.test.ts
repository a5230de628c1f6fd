import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FollowSyncResult } from '../../contract/follow.ts'
import { FOLLOWS_MAX } from '../../contract/follow-rules.ts'
import type { Api } from '../platform/api.ts'
import { createChangeSync } from './change-sync.ts'
import { createFollowedSongs, markFollowedSongsSeen } from './followed-songs.ts'
import { createFollows, createSyncedFollows, FollowRefusal } from './follows.ts'
import { forgetAccount } from './forget-account.ts'
import { ANONYMOUS_UID, type LocalDatabase } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { readQuery } from './testing/own-playlists.ts'
import { createTestSong } from './testing/rows.ts'

let database: LocalDatabase
let nowMs: number
beforeEach(() => {
  database = createMemoryDatabase()
  nowMs = Date.parse('2026-03-01T12:00:00Z')
})

const openFollows = () => createFollows({ database, sendOutbox: () => {}, nowMs: () => nowMs })
const readArtistNames = async (uid: string) => (await readQuery(openFollows().list(uid))).map(({ name }) => name)
const readChanges = async () => (await database.read((tables) => tables.outbox.all())).filter(({ call }) => call === 'POST /follow/sync')

/** Synchronizes once. Returns the request. */
async function syncOnce(response: Partial<FollowSyncResult>, uid = 'ann') {
  const changeSync = createChangeSync(
    { database, getSignedInUid: () => uid },
    createSyncedFollows(database, () => nowMs),
  )
  let request: { since?: string; changes: { id: string; artist: string; follow: boolean; at: string }[] } | undefined
  const call = async (_: string, syncRequest: typeof request) => {
    request = syncRequest
    return { cursor: 'c1', refused: [], ...response }
  }
  // The cast is safe, because the sync calls only this method of the API.
  await (await changeSync.readBatch(uid)).send({ call } as unknown as Api)
  return request
}

describe.each([
  ['an account', 'ann'],
  ['a person who is not signed in', ANONYMOUS_UID],
])('followed artists of %s', (_, uid) => {
  it('followed artists: names that differ only in case and accents are one artist; the artist followed last comes first', async () => {
    const follows = openFollows()
    await follows.change(uid, 'Beyoncé', true)
    await follows.change(uid, 'Aimer', true)
    await follows.change(uid, 'BEYONCE', true)
    expect(await readArtistNames(uid)).toEqual(['Aimer', 'Beyoncé'])
    await follows.change(uid, 'beyonce', false)
    await follows.change(uid, 'Nobody', false)
    expect(await readArtistNames(uid)).toEqual(['Aimer'])
    expect(await readArtistNames('bob')).toEqual([])
  })

  it('followed artists: more than 500 artists are refused', async () => {
    const follows = openFollows()
    const artistNames = Array.from({ length: FOLLOWS_MAX }, (_, n) => `Artist ${n}`)
    await database.change((tables) => tables.follows.put([{ uid, cursor: '', names: artistNames, atMs: artistNames.map(() => 0) }]))
    await expect(follows.change(uid, 'One more', true)).rejects.toThrow(FollowRefusal)
    await follows.change(uid, 'Artist 7', false)
    await follows.change(uid, 'One more', true)
    expect(await readArtistNames(uid)).toHaveLength(FOLLOWS_MAX)
  })
})

describe('followed artists: sync', () => {
  it('followed artists: waiting changes are sent with a later date than the states of the server, and override these states until the server has stored the changes', async () => {
    await syncOnce({ artists: [{ artist: 'Aimer', at: '2026-02-01T00:00:00.000Z' }], latest: '2026-03-05T00:00:00.000Z' })
    await openFollows().change('ann', 'aimer', false)
    await openFollows().change('ann', 'Beyoncé', true)
    expect(await readArtistNames('ann')).toEqual(['Beyoncé'])
    const syncRequest = await syncOnce({ cursor: 'c2', artists: [{ artist: 'Beyoncé', at: '2026-03-05T00:00:00.002Z' }] })
    expect(syncRequest).toMatchObject({
      since: 'c1',
      changes: [
        { artist: 'aimer', follow: false, at: '2026-03-05T00:00:00.001Z' },
        { artist: 'Beyoncé', follow: true, at: '2026-03-05T00:00:00.002Z' },
      ],
    })
    expect([await readChanges(), await readArtistNames('ann')]).toEqual([[], ['Beyoncé']])
    await syncOnce({ cursor: 'c2' })
    expect(await readArtistNames('ann')).toEqual(['Beyoncé'])
  })

  it('followed artists: the artists that were followed without an account are added once to the account that signs in, after its own are known', async () => {
    await openFollows().change(ANONYMOUS_UID, 'Aimer', true)
    await openFollows().change(ANONYMOUS_UID, 'Beyoncé', true)
    const followsRowsBefore = await database.read((tables) => tables.follows.all())
    expect((await syncOnce({ artists: [] }))?.changes).toEqual([])
    expect(await readArtistNames(ANONYMOUS_UID)).toEqual(['Beyoncé', 'Aimer'])
    const firstRequest = await syncOnce({ artists: [] })
    expect(firstRequest?.changes.map(({ artist, follow }) => [artist, follow])).toEqual([
      ['Aimer', true],
      ['Beyoncé', true],
    ])
    expect(await readArtistNames(ANONYMOUS_UID)).toEqual([])
    // Simulates a browser that lost the transaction: the artists are added to the account again, by changes with the same ids.
    await database.change((tables) => tables.follows.put(followsRowsBefore))
    const second = await syncOnce({ artists: [] })
    expect(second?.changes.map(({ id }) => id)).toEqual(firstRequest?.changes.map(({ id }) => id))
  })

  it('followed artists: at sign-in, an artist that the account follows already stays followed since then, and a new one since it was followed without an account', async () => {
    for (const [name, time] of [
      ['BEYONCE', '2026-01-10'],
      ['Aimer', '2026-01-20'],
    ] as const) {
      nowMs = Date.parse(`${time}T00:00:00Z`)
      await openFollows().change(ANONYMOUS_UID, name, true)
    }
    nowMs = Date.parse('2026-03-01T12:00:00Z')
    await syncOnce({ artists: [{ artist: 'Beyoncé', at: '2025-12-01T00:00:00.000Z' }], latest: '2026-01-05T00:00:00.000Z' })
    const syncRequest = await syncOnce({ cursor: 'c1' })
    expect(syncRequest?.changes.map(({ artist, at }) => [artist, at])).toEqual([['Aimer', '2026-01-20T00:00:00.000Z']])
    expect(await readQuery(openFollows().list('ann'))).toEqual([{ name: 'Beyoncé', atMs: Date.parse('2025-12-01T00:00:00Z') }])
  })

  it('followed artists: at sign-in, a new artist is followed since a time after the account’s latest change', async () => {
    nowMs = Date.parse('2026-01-20T00:00:00Z')
    await openFollows().change(ANONYMOUS_UID, 'Aimer', true)
    nowMs = Date.parse('2026-03-01T12:00:00Z')
    // The account unfollowed the artist on another device.
    await syncOnce({ artists: [], latest: '2026-02-01T00:00:00.000Z' })
    expect((await syncOnce({ cursor: 'c1' }))?.changes.map(({ at }) => at)).toEqual(['2026-02-01T00:00:00.001Z'])
  })

  it('followed artists: songs that were seen before the sign-in count as seen afterwards', async () => {
    nowMs = Date.parse('2026-01-01T00:00:00Z')
    await openFollows().change(ANONYMOUS_UID, 'Aimer', true)
    await openFollows().change(ANONYMOUS_UID, 'Beyoncé', true)
    nowMs = Date.parse('2026-03-01T12:00:00Z')
    const songs = [
      { ...createTestSong(1), author_name: 'Aimer', date_added: '2026-02-01T00:00:00.000Z' },
      { ...createTestSong(2), author_name: 'Beyoncé', date_added: '2026-02-01T00:00:00.000Z' },
    ]
    await database.change((tables) => tables.followedSongs.put([{ uid: ANONYMOUS_UID, songs, seenIds: [] }]))
    await markFollowedSongsSeen(database, ANONYMOUS_UID)
    await syncOnce({ artists: [{ artist: 'Beyoncé', at: '2025-12-01T00:00:00.000Z' }], latest: '2025-12-01T00:00:00.000Z' })
    await syncOnce({
      cursor: 'c2',
      artists: [
        { artist: 'Aimer', at: '2026-01-01T00:00:00.000Z' },
        { artist: 'Beyoncé', at: '2025-12-01T00:00:00.000Z' },
      ],
    })
    // The casts are safe, because only this method of the API is called.
    const api = { call: async () => songs } as unknown as Api
    const resource = createFollowedSongs({ api, database, connection: { offline: false, subscribe: () => () => {} } })('ann')
    await resource.refresh({ force: true })
    await expect.poll(() => resource.getSnapshot().data).toEqual({ songs, unseenCount: 0 })
    expect(await database.read((tables) => tables.followedSongs.get(ANONYMOUS_UID))).toBeUndefined()
  })

  it('followed artists: whoever follows what and when, a sign-in loses no artist and moves no time of the account, and no change is dated in the future', async () => {
    const anyArtists = fc.uniqueArray(fc.record({ n: fc.nat(9), day: fc.integer({ min: 1, max: 90 }) }), {
      selector: ({ n }) => n,
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(anyArtists, anyArtists, fc.integer({ min: 1, max: 59 }), async (anonymousArtists, accountArtists, latestDay) => {
        database = createMemoryDatabase()
        const toMs = (day: number) => Date.UTC(2026, 0, day)
        for (const { n, day } of anonymousArtists) {
          nowMs = toMs(day)
          await openFollows().change(ANONYMOUS_UID, `Artist ${n}`, true)
        }
        nowMs = toMs(60)
        const artists = accountArtists.map(({ n, day }) => ({
          artist: `ARTIST ${n}`,
          at: new Date(Math.min(toMs(day), nowMs)).toISOString(),
        }))
        const latestMs = Math.max(toMs(latestDay), ...artists.map(({ at }) => Date.parse(at)))
        await syncOnce({ artists, latest: new Date(latestMs).toISOString() })
        const changes = (await syncOnce({ cursor: 'c1' }))?.changes ?? []
        const accountNames = new Set(accountArtists.map(({ n }) => `artist ${n}`))
        const newNames = anonymousArtists.map(({ n }) => `Artist ${n}`).filter((name) => !accountNames.has(name.toLowerCase()))
        expect(changes.map(({ artist }) => artist).sort()).toEqual(newNames.sort())
        for (const { at } of changes) {
          expect(Date.parse(at)).toBeGreaterThan(latestMs)
          expect(Date.parse(at)).toBeLessThanOrEqual(Math.max(nowMs, latestMs) + changes.length)
        }
        expect((await readQuery(openFollows().list('ann'))).map(({ name }) => name)).toEqual(artists.map(({ artist }) => artist))
      }),
    )
  })

  it.each([
    { artists: [{ artist: 1, at: '2026-02-01T00:00:00.000Z' }] },
    { artists: [{ artist: 'A', at: 'yesterday' }] },
    { latest: 'yesterday' },
    { refused: undefined },
  ])('followed artists: a response that does not come from the site’s server is not stored: %j', async (response) => {
    await openFollows().change('ann', 'Aimer', true)
    // The cast is safe, because the answer is checked before it is used.
    await expect(syncOnce(response as unknown as Partial<FollowSyncResult>)).rejects.toThrow('The answer is not the site’s.')
    expect(await readChanges()).toHaveLength(1)
  })

  it('followed artists: a sign-out removes the followed artists of the account, and the songs of these artists, from the device', async () => {
    await syncOnce({ artists: [{ artist: 'Aimer', at: '2026-02-01T00:00:00.000Z' }] })
    await database.change((tables) => tables.followedSongs.put([{ uid: 'ann', songs: [createTestSong(1)], seenIds: [] }]))
    await forgetAccount(database, 'ann')
    expect(await database.read(async (tables) => [await tables.follows.all(), await tables.followedSongs.all()])).toEqual([[], []])
  })
})

describe('songs of followed artists', () => {
  const createSong = (n: number, author_name: string, date_added: string) => ({ ...createTestSong(n), author_name, date_added })
  const connection = { offline: false, subscribe: () => () => {} }
  const openSongs = (answer: () => Promise<unknown>) =>
    // The cast is safe, because only this method of the API is called.
    createFollowedSongs({ api: { call: answer } as unknown as Api, database, connection })(ANONYMOUS_UID)

  it('songs of followed artists: songs that were added since the artist was followed are unseen until they are marked as seen', async () => {
    await openFollows().change(ANONYMOUS_UID, 'Aimer', true)
    let songs = [createSong(1, 'AIMER', '2026-02-01T00:00:00.000Z')]
    const resource = openSongs(async () => songs)
    await resource.refresh()
    expect(resource.getSnapshot().data).toEqual({ songs, unseenCount: 0 })
    songs = [createSong(2, 'Aimer', '2026-03-02T00:00:00.000Z'), ...songs]
    await resource.refresh({ force: true })
    await expect.poll(() => resource.getSnapshot().data?.unseenCount).toBe(1)
    await markFollowedSongsSeen(database, ANONYMOUS_UID)
    await expect.poll(() => resource.getSnapshot().data?.unseenCount).toBe(0)
    await resource.refresh({ force: true })
    expect(resource.getSnapshot().data).toEqual({ songs, unseenCount: 0 })
  })

  it('songs of followed artists: without a network, and after a reload, the fetched songs are shown, without those of an unfollowed artist', async () => {
    for (const name of ['Aimer', 'Beyoncé']) await openFollows().change(ANONYMOUS_UID, name, true)
    const songs = [createSong(1, 'Aimer', '2026-02-01T00:00:00.000Z'), createSong(2, 'Beyoncé', '2026-01-01T00:00:00.000Z')]
    await openSongs(async () => songs).refresh()
    const laterSongs = openSongs(() => Promise.reject(new TypeError('no network')))
    await laterSongs.refresh()
    expect(laterSongs.getSnapshot()).toMatchObject({ data: { songs }, stale: true })
    await openFollows().change(ANONYMOUS_UID, 'Aimer', false)
    await expect.poll(() => laterSongs.getSnapshot().data?.songs).toEqual(songs.slice(1))
  })

  it('songs of followed artists: nothing is requested or stored for a person who follows nobody', async () => {
    const resource = openSongs(() => Promise.reject(new Error('unexpected request')))
    await resource.refresh()
    expect(resource.getSnapshot()).toMatchObject({ status: 'ready', data: { songs: [], unseenCount: 0 } })
    expect(await database.read((tables) => tables.followedSongs.all())).toEqual([])
  })
})
