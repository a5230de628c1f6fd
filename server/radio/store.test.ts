import { expect, test } from 'vitest'
import { findBrandOfHost } from '../../brands/registry.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createPlaylistRow, createSongRow, formatSongId } from '../storage/testing/fixture.ts'
import { countEventLoopTurns } from '../testing/count-turns.ts'
import { createRadio } from './radio.ts'

const testBrand = findBrandOfHost('localhost')
const START_MS = Date.parse('2026-03-01T12:00:00Z')

describeStores('radio', (fixture) => {
  test('radio: processes with one database agree on the song and its start, also while they advance the schedule at the same time', async () => {
    await fixture.importRows({ songs: Array.from({ length: 30 }, (_, index) => createSongRow(index, { duration: 60 + 7 * index })) })
    let nowMs = START_MS
    const radioProcesses = [1, 2, 3].map(() => createRadio({ ...fixture.storage, nowMs: () => nowMs }))
    const airedIds: string[] = []
    for (let stepIndex = 0; stepIndex < 60; stepIndex++) {
      const [firstAiring, ...otherAirings] = await Promise.all(radioProcesses.map((each) => each.onAir(testBrand, 'main')))
      for (const other of otherAirings) expect(other).toEqual(firstAiring)
      expect(firstAiring?.history[0]?.youtube_id).toBe(airedIds.at(-1))
      airedIds.push(firstAiring?.youtube_id ?? '')
      nowMs = Date.parse(firstAiring?.next.start_time ?? '')
    }
    expect(new Set(airedIds.slice(0, 30)).size).toBe(30)
    expect(await radioProcesses[0]?.onAir(testBrand, 'main')).toEqual(
      await createRadio({ ...fixture.storage, nowMs: () => nowMs }).onAir(testBrand, 'main'),
    )
  })

  test('radio: a song that is removed from the catalogue ends immediately', async () => {
    await fixture.importRows({ songs: [1, 2, 3, 4, 5].map((index) => createSongRow(index, { duration: 100 })) })
    const removedSongIds = new Set<string>()
    const { radio: radioStore } = fixture.storage
    const radio = createRadio({
      ...fixture.storage,
      radio: {
        ...radioStore,
        listSongs: async (source) => (await radioStore.listSongs(source)).filter(({ id }) => !removedSongIds.has(id)),
        readSongs: async (ids, view) => (await radioStore.readSongs(ids, view)).filter((song) => !removedSongIds.has(song.youtube_id)),
      },
      revision: () => removedSongIds.size,
      nowMs: () => START_MS + 10_000 * removedSongIds.size,
    })
    const firstAiring = await radio.onAir(testBrand, 'main')
    for (const lost of [firstAiring, firstAiring?.next]) removedSongIds.add(lost?.youtube_id ?? '')
    const secondAiring = await radio.onAir(testBrand, 'main')
    expect(removedSongIds).not.toContain(secondAiring?.youtube_id)
    expect(secondAiring).toMatchObject({ start_time: new Date(START_MS + 20_000).toISOString(), history: [] })
    for (const airing of secondAiring?.upcoming ?? []) expect(removedSongIds).not.toContain(airing.youtube_id)
  })

  test('radio: a source contains all songs of known length in a playlist, a category, the Academy or the whole catalogue', async () => {
    await fixture.importRows({
      songs: [
        createSongRow(1, { duration: 100 }),
        createSongRow(2, { duration: 100, author_channel_id: 'UC1', category_id: 'trap', category_name: 'Trap' }),
        createSongRow(3, { duration: 100, author_channel_id: 'UC2' }),
        createSongRow(4),
      ],
      playlists: [createPlaylistRow('house', [2, 4])],
      members: [
        { channel_id: 'UC1', channel_name: 'New', subs: 10, academy: true },
        { channel_id: 'UC2', channel_name: 'Old', subs: 1000 },
      ],
    })
    const readSongIds = async (source: Parameters<typeof fixture.storage.radio.listSongs>[0]) =>
      (await fixture.storage.radio.listSongs(source)).map(({ id }) => id).toSorted()
    expect(await readSongIds({ kind: 'all' })).toEqual([1, 2, 3].map(formatSongId))
    expect(await readSongIds({ kind: 'playlist', id: 'house' })).toEqual([formatSongId(2)])
    expect(await readSongIds({ kind: 'category', id: 'house' })).toEqual([1, 3].map(formatSongId))
    expect(await readSongIds({ kind: 'academy' })).toEqual([formatSongId(2)])
    expect(await readSongIds({ kind: 'playlist', id: 'trap' })).toEqual([])
  })

  test('radio: while the songs of a large station are read, other requests are answered, and every song is listed once', {
    tags: ['long'],
  }, async () => {
    const songIndexes = Array.from({ length: 20_000 }, (_, index) => index + 1)
    await fixture.importRows({
      songs: songIndexes.map((index) => createSongRow(index, { duration: 100, author_channel_id: 'UC1' })),
      playlists: [createPlaylistRow('all-of-them', songIndexes)],
      members: [{ channel_id: 'UC1', channel_name: 'New', subs: 10, academy: true }],
    })
    const sources = [
      { kind: 'all' },
      { kind: 'academy' },
      { kind: 'playlist', id: 'all-of-them' },
      { kind: 'category', id: 'house' },
    ] as const
    for (const source of sources) {
      const { result: songs, eventLoopTurnCount } = await countEventLoopTurns(() => fixture.storage.radio.listSongs(source))
      expect(songs.map(({ id }) => id).toSorted()).toEqual(songIndexes.map(formatSongId).toSorted())
      expect(eventLoopTurnCount).toBeGreaterThanOrEqual(2)
    }
  })
})
