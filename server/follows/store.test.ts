import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { FollowChange } from '../../contract/follow.ts'
import { FOLLOWS_MAX, followMessages } from '../../contract/follow-rules.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow, songReadOptions } from '../storage/testing/fixture.ts'
import { UNFOLLOWED_ARTISTS_MAX } from './store.ts'

vi.setConfig({ testTimeout: 60_000 })

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const [DEVICE_A, DEVICE_B] = ['aaaaaaaa-0000-4000-8000-000000000000', 'bbbbbbbb-0000-4000-8000-000000000000'] as const
const formatIsoTime = (ms: number) => new Date(ms).toISOString()
const createFollowChange = (artistName: string, changeFields: Partial<FollowChange> = {}): FollowChange => ({
  ...{ id: randomUUID(), artist: artistName, follow: true, at: formatIsoTime(NOW_MS), device: DEVICE_A },
  ...changeFields,
})
const createArtistName = (n: number) => `Artist ${n}`
const createSongs = (...names: string[]) => names.map((author_name, n) => createSongRow(n + 1, { author_name }))

describeStores('followed artists', { isLongOnPostgres: true }, (fixture) => {
  const sync = (changes: FollowChange[], { since, nowMs = NOW_MS, uid = 'ann' }: { since?: string; nowMs?: number; uid?: string } = {}) =>
    fixture.storage.follows.sync(uid, { changes, ...(since !== undefined && { since }) }, nowMs)
  const listFollowed = async (uid = 'ann') => (await fixture.storage.follows.list(uid)).map(({ artist }) => artist)

  test('sync returns all followed artists once, and again after each change', async () => {
    await fixture.importRows({ songs: createSongs('Aimer', 'Beyoncé') })
    expect(await sync([])).toEqual({ cursor: 'none', artists: [], refused: [] })
    const firstSync = await sync([createFollowChange('beyonce', { at: formatIsoTime(NOW_MS - 1) }), createFollowChange('Aimer')], {
      since: 'none',
    })
    expect(firstSync).toEqual({
      cursor: expect.stringMatching(/^[0-9a-f]{16}$/),
      latest: formatIsoTime(NOW_MS),
      artists: [
        { artist: 'Aimer', at: formatIsoTime(NOW_MS) },
        { artist: 'beyonce', at: formatIsoTime(NOW_MS - 1) },
      ],
      refused: [],
    })
    expect(await sync([], { since: firstSync.cursor })).toEqual({ cursor: firstSync.cursor, refused: [] })
    const secondSync = await sync([createFollowChange('BEYONCÉ', { follow: false, device: DEVICE_B, at: formatIsoTime(NOW_MS) })], {
      since: firstSync.cursor,
    })
    expect(secondSync.artists?.map(({ artist }) => artist)).toEqual(['Aimer'])
    expect(secondSync.cursor).not.toBe(firstSync.cursor)
    await fixture.reopen()
    expect(await listFollowed()).toEqual(['Aimer'])
    expect(await listFollowed('bob')).toEqual([])
  })

  test('an unknown artist is refused; one that left the catalogue can still be unfollowed', async () => {
    await fixture.importRows({ songs: createSongs('Aimer') })
    const unknownArtistChange = createFollowChange('Nobody')
    expect(
      (await sync([unknownArtistChange, createFollowChange('Nobody', { follow: false }), createFollowChange('Aimer')])).refused,
    ).toEqual([{ id: unknownArtistChange.id, message: followMessages.noArtist }])
    await fixture.importRows({ songs: createSongs('Other') })
    await sync([createFollowChange('aimer', { follow: false, at: formatIsoTime(NOW_MS + 1) })], { nowMs: NOW_MS + 1 })
    expect(await listFollowed()).toEqual([])
  })

  test('a change that arrives again has no further effect, even if the clock of its device is ahead', async () => {
    await fixture.importRows({ songs: createSongs('Aimer') })
    const futureChange = createFollowChange('Aimer', { at: formatIsoTime(NOW_MS + 3_600_000) })
    await sync([futureChange])
    await sync([createFollowChange('Aimer', { follow: false, device: DEVICE_B, at: formatIsoTime(NOW_MS + 1000) })], {
      nowMs: NOW_MS + 1000,
    })
    await sync([{ ...futureChange, id: futureChange.id.toUpperCase() }], { nowMs: NOW_MS + 2000 })
    expect(await listFollowed()).toEqual([])
  })

  test(
    'an account follows at most 500 artists, and stores a bounded number of artists that it no longer follows',
    fixture.longOnPostgres,
    async () => {
      const artistCount = FOLLOWS_MAX + UNFOLLOWED_ARTISTS_MAX + 2
      await fixture.importRows({ songs: createSongs(...Array.from({ length: artistCount }, (_, n) => createArtistName(n))) })
      const changeTimes = { at: formatIsoTime(NOW_MS - 1000) }
      for (let startIndex = 0; startIndex < UNFOLLOWED_ARTISTS_MAX + 1; startIndex += FOLLOWS_MAX) {
        const names = Array.from({ length: FOLLOWS_MAX }, (_, n) => createArtistName(startIndex + n))
        await sync(names.map((name) => createFollowChange(name, changeTimes)))
        await sync(names.map((name) => createFollowChange(name, { follow: false, at: formatIsoTime(NOW_MS - 900 + startIndex / 10) })))
      }
      const lastChange = createFollowChange(createArtistName(artistCount - 1))
      const { refused } = await sync([
        ...Array.from({ length: FOLLOWS_MAX }, (_, n) => createFollowChange(createArtistName(n + UNFOLLOWED_ARTISTS_MAX))),
        lastChange,
      ])
      expect(refused).toEqual([{ id: lastChange.id, message: followMessages.full }])
      expect(await listFollowed()).toHaveLength(FOLLOWS_MAX)
      // The row of the artist that was unfollowed first is deleted, so that an older change of another device has an effect.
      const olderChange = { device: DEVICE_B, at: formatIsoTime(NOW_MS - 950), follow: true }
      await sync([
        createFollowChange(createArtistName(UNFOLLOWED_ARTISTS_MAX), { follow: false }),
        createFollowChange(createArtistName(UNFOLLOWED_ARTISTS_MAX + 1), { follow: false }),
      ])
      await sync([
        createFollowChange(createArtistName(0), olderChange),
        createFollowChange(createArtistName(UNFOLLOWED_ARTISTS_MAX - 1), olderChange),
      ])
      expect(
        (await listFollowed()).filter((name) => [createArtistName(0), createArtistName(UNFOLLOWED_ARTISTS_MAX - 1)].includes(name)),
      ).toEqual([createArtistName(0)])
      // Following an artist again that is followed already is not refused.
      expect(
        (await sync([createFollowChange(createArtistName(UNFOLLOWED_ARTISTS_MAX + 2), { at: formatIsoTime(NOW_MS + 1) })])).refused,
      ).toEqual([])
    },
  )

  test('two devices agree after their changes arrive in any order', async () => {
    await fixture.importRows({ songs: createSongs('Aimer', 'Beyoncé') })
    const anyChange = fc.record({
      artist: fc.constantFrom('Aimer', 'Beyoncé'),
      follow: fc.boolean(),
      device: fc.constantFrom(DEVICE_A, DEVICE_B),
      minute: fc.integer({ min: 1, max: 5 }),
    })
    let runNumber = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyChange, { maxLength: 6 }), async (generatedChanges) => {
        runNumber += 1
        // A device gives each of its changes a later time than its previous change.
        const followChanges = generatedChanges.map(({ minute, ...fields }, n) =>
          createFollowChange(fields.artist, { ...fields, at: formatIsoTime(NOW_MS + minute * 1000 + n) }),
        )
        const laterOptions = { nowMs: NOW_MS + 60_000 }
        await sync(followChanges, { ...laterOptions, uid: `a${runNumber}` })
        for (const each of followChanges.toReversed()) await sync([each], { ...laterOptions, uid: `b${runNumber}` })
        expect((await listFollowed(`b${runNumber}`)).sort()).toEqual((await listFollowed(`a${runNumber}`)).sort())
      }),
      { numRuns: 15 },
    )
  })

  test('the data of a deleted account are deleted', async () => {
    await fixture.importRows({ songs: createSongs('Aimer') })
    await sync([createFollowChange('Aimer')])
    await sync([createFollowChange('Aimer')], { uid: 'bob' })
    await fixture.storage.deleteBelongings({ uid: 'ann', verifiedEmail: undefined }, NOW_MS)
    expect([await listFollowed(), await listFollowed('bob')]).toEqual([[], ['Aimer']])
    expect((await sync([])).cursor).toBe('none')
  })

  test('the newest songs of several artists are listed together, without songs of the future', async () => {
    await fixture.importRows({
      songs: [
        createSongRow(1, { author_name: 'Aimer', date_added: '2026-02-01T00:00:00.000Z' }),
        createSongRow(2, { author_name: 'Beyoncé', date_added: '2026-02-02T00:00:00.000Z' }),
        createSongRow(3, { author_name: 'Somebody else' }),
        createSongRow(4, { author_name: 'AIMER', date_added: '2999-01-01T00:00:00.000Z' }),
        createSongRow(5, { author_name: 'Aimer', date_added: '2026-02-03T00:00:00.000Z' }),
      ],
    })
    const listTitles = async (names: string[], limit: number) =>
      (await fixture.storage.newestSongs.listOfArtists(names, { limit, untilMs: NOW_MS }, songReadOptions)).map(({ title }) => title)
    expect(await listTitles(['aimer', 'beyonce', 'nobody'], 10)).toEqual(['Song 5', 'Song 2', 'Song 1'])
    expect(await listTitles(['aimer', 'beyonce'], 2)).toEqual(['Song 5', 'Song 2'])
    expect(await listTitles([], 10)).toEqual([])
  })
})
