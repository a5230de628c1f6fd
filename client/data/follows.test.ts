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

  it('followed artists: the artists that were followed without an account are added once to the account that signs in', async () => {
    await openFollows().change(ANONYMOUS_UID, 'Aimer', true)
    await openFollows().change(ANONYMOUS_UID, 'Beyoncé', true)
    const followsRowsBefore = await database.read((tables) => tables.follows.all())
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
