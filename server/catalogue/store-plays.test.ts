import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { allRows, createPlaylistRow, createSongRows, formatSongId } from '../storage/testing/fixture.ts'

const MINUTE_MS = 60_000
const NOW_MS = Date.parse('2026-03-01T12:00:00Z')

describeStores('late plays', (fixture) => {
  const addPlay = (play: { n?: number; hoursAgo?: number; nowMs?: number; changeId?: string; clientId?: string }) => {
    const { n = 1, hoursAgo = 0, nowMs = NOW_MS, changeId, clientId = 'one' } = play
    return fixture.storage.songs.countPlay({
      songId: formatSongId(n),
      contextId: 'b',
      clientId,
      atMs: nowMs - hoursAgo * HOUR_MS,
      nowMs,
      changeId,
    })
  }
  /** Returns how many plays of the playlist `b` were counted. To measure this, adds plays to the playlist `a` until `a` is listed first. */
  const countPlaysOfB = async (nowMs = NOW_MS) => {
    for (let playCount = 0; ; playCount++) {
      const [firstPlaylist] = await fixture.storage.playlists.list({ ...allRows, homeOnly: false, order: undefined, nowMs })
      if (firstPlaylist?.id !== 'b') return playCount
      await fixture.storage.songs.countPlay({ songId: formatSongId(1), contextId: 'a', clientId: `${Math.random()}`, atMs: nowMs, nowMs })
    }
  }
  const importPlaylists = (songCount: number) => {
    const songNumbers = Array.from({ length: songCount }, (_, index) => index + 1)
    return fixture.importRows({
      songs: createSongRows(songCount),
      playlists: [createPlaylistRow('a', songNumbers), createPlaylistRow('b', songNumbers)],
    })
  }

  test('a play counts when it arrives; if it happened an hour or more ago, it counts once a day for each client and song', async () => {
    await importPlaylists(2)
    await addPlay({})
    for (let hoursAgo = 1; hoursAgo < 700; hoursAgo += 2) await addPlay({ hoursAgo })
    expect(await countPlaysOfB(), 'now, and late').toBe(2)
    await addPlay({ hoursAgo: 0.9, nowMs: NOW_MS + HOUR_MS })
    await addPlay({ hoursAgo: 40 * 24, clientId: 'two' })
    expect(await countPlaysOfB(), 'within the hour, and by another client').toBe(2)
    // A play that happened on the day before does not count for that day.
    expect(await countPlaysOfB(NOW_MS + 30 * DAY_MS)).toBe(0)
  })

  test('plays with the same change id are counted once; the change id of a play that does not count can be used again', async () => {
    await importPlaylists(2)
    await Promise.all([1, 2, 3].map(() => addPlay({ hoursAgo: 10, changeId: 'id' })))
    await addPlay({ hoursAgo: 10, changeId: 'id', nowMs: NOW_MS + DAY_MS })
    expect(await countPlaysOfB(NOW_MS + DAY_MS)).toBe(1)
    await addPlay({ hoursAgo: 10, changeId: 'other id' })
    await addPlay({ hoursAgo: 10, changeId: 'other id', nowMs: NOW_MS + 2 * DAY_MS })
    expect(await countPlaysOfB(NOW_MS + 2 * DAY_MS)).toBe(1)
  })

  test.runIf(fixture.kind === 'sqlite')(
    'at most 200 late plays of a client count in a day, and 100 others in an hour',
    { tags: ['long'] },
    async () => {
      await importPlaylists(205)
      for (let n = 1; n <= 205; n++) await addPlay({ n, hoursAgo: 5 })
      for (let n = 1; n <= 105; n++) await addPlay({ n })
      expect(await countPlaysOfB()).toBe(300)
    },
  )

  test.runIf(fixture.kind === 'sqlite')('whatever a client sends, at most 25 of its plays of a song count in a day', async () => {
    await importPlaylists(1)
    const anyPlay = fc.record({ laterMs: fc.nat(40 * MINUTE_MS), hoursAgo: fc.oneof(fc.constant(0), fc.nat(700)), changeId: fc.uuid() })
    const dayStartMs = Math.floor(NOW_MS / DAY_MS) * DAY_MS
    let runNumber = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyPlay, { minLength: 50, maxLength: 90 }), async (simulatedPlays) => {
        const startMs = dayStartMs + ++runNumber * 40 * DAY_MS
        let nowMs = startMs
        for (const { laterMs, hoursAgo, changeId } of simulatedPlays) {
          nowMs = Math.min(nowMs + laterMs, startMs + DAY_MS - 1)
          await addPlay({ hoursAgo, changeId, nowMs, clientId: `day ${runNumber}` })
        }
        expect(await countPlaysOfB(nowMs)).toBeLessThanOrEqual(25)
      }),
      { numRuns: 8 },
    )
  })
})
