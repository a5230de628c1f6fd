import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText } from '../../contract/fold-text.ts'
import type { Song } from '../../contract/song.ts'
import { searchCases } from '../../testing/search-cases.ts'
import { expectFasterThan } from '../../testing/timing.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createSongIndex } from './song-index.ts'
import { type SearchQuery, SongTextIndex } from './song-text-index.ts'
import { testSong } from './testing/rows.ts'

/** Searches as the server does. The results are the reference with which those of the index are compared. */
function searchReference(songs: readonly Song[], { text, artist: isArtistSearch, sort }: SearchQuery): string[] {
  const foldedText = foldText(text)
  if (foldedText === '') return []
  const matchesWord = (word: string, searchedText: string) =>
    searchedText.split(' ').some((each) => each.startsWith(word)) || (Array.from(word).length >= 3 && searchedText.includes(word))
  const foundSongs = songs.filter((song) =>
    foldedText
      .split(' ')
      .every((word) => matchesWord(word, foldText(song.author_name)) || (!isArtistSearch && matchesWord(word, foldText(song.title)))),
  )
  const inTitleOrder = (a: Song, b: Song) => {
    for (const keyOf of [(song: Song) => foldText(song.title), (song: Song) => song.title, (song: Song) => song.youtube_id])
      if (keyOf(a) !== keyOf(b)) return keyOf(a) < keyOf(b) ? -1 : 1
    return 0
  }
  const byDate = (a: Song, b: Song) => a.date_added.localeCompare(b.date_added) || inTitleOrder(a, b)
  const comparatorBySort = {
    az: inTitleOrder,
    za: (a: Song, b: Song) => inTitleOrder(b, a),
    oldest: byDate,
    newest: (a: Song, b: Song) => byDate(b, a),
  }
  foundSongs.sort(comparatorBySort[sort])
  if (!isArtistSearch) return foundSongs.map((song) => song.youtube_id)
  const isExactAuthor = (song: Song) => foldText(song.author_name) === foldedText
  return [...foundSongs.filter(isExactAuthor), ...foundSongs.filter((song) => !isExactAuthor(song))].map((song) => song.youtube_id)
}

const anyWord = fc.constantFrom(
  'Neon',
  'neo',
  'Café',
  'cafe',
  'Señorita',
  'ör',
  'Ø',
  'Straße',
  'in',
  'the',
  'Rain',
  '夜の',
  '東京',
  '2024',
  'a',
  '-',
  '%',
  '_',
)
const anyWords = fc.array(anyWord, { maxLength: 4 }).map((parts) => parts.join(' '))
const anySongs = fc
  .uniqueArray(fc.tuple(fc.nat(60), anyWords, anyWords, fc.nat(6)), { selector: ([id]) => id, maxLength: 90 })
  .map((rows) =>
    rows.map(([id, title, author_name, day]) => testSong(id, { title, author_name, date_added: `2026-01-0${day + 1}T00:00:00.000Z` })),
  )
const anyQuery: fc.Arbitrary<SearchQuery> = fc.record({
  text: fc.oneof(anyWords, fc.constantFrom('eno', 'n r', 'caf', 'ain', 'e', 'strasse', 'o', '東', "'; --", '"neon"')),
  artist: fc.boolean(),
  sort: fc.constantFrom('az', 'za', 'newest', 'oldest'),
})

describe('offline search', () => {
  it("offline search: results equal the server's after any sequence of added and removed songs", () => {
    fc.assert(
      fc.property(
        anySongs,
        anySongs,
        fc.array(fc.nat(60), { maxLength: 10 }),
        anyQuery,
        (initialSongs, addedSongs, removedIndexes, query) => {
          const texts = new SongTextIndex()
          const expectedSongs = new Map<string, Song>()
          for (const song of [...initialSongs, ...addedSongs]) expectedSongs.set(song.youtube_id, song)
          texts.put(initialSongs)
          texts.put(addedSongs)
          const removedIds = removedIndexes.map((index) => testSong(index).youtube_id)
          texts.remove(removedIds)
          for (const id of removedIds) expectedSongs.delete(id)
          expect(texts.size).toBe(expectedSongs.size)
          expect(texts.search(query)).toEqual(searchReference([...expectedSongs.values()], query))
        },
      ),
      { numRuns: 600 },
    )
  })

  it('offline search: 200 searches, in twelve scripts and for punctuation and symbols, find exactly the expected songs', () => {
    const texts = new SongTextIndex()
    const songs = Object.values(searchCases).flatMap((script) => Object.entries(script.songs))
    const keys = new Map(songs.map(([key], index) => [testSong(index).youtube_id, key]))
    texts.put(songs.map(([, [title, author_name]], index) => testSong(index, { title, author_name })))
    const searches = Object.entries(searchCases).flatMap(([script, cases]) => cases.searches.map((search) => [script, ...search] as const))
    expect(searches.length).toBeGreaterThanOrEqual(200)
    for (const [script, text, expectedIdText, unexpectedIdText = ''] of searches) {
      const expectedIds = expectedIdText.split(' ').filter(Boolean).sort()
      for (const key of unexpectedIdText.split(' ').filter(Boolean)) expect([...keys.values()], `'${text}'`).toContain(key)
      for (const key of unexpectedIdText.split(' ')) expect(expectedIds, `'${text}'`).not.toContain(key)
      const keysOf = (ids: readonly string[]) => ids.map((id) => keys.get(id)).sort()
      expect(keysOf(texts.search({ text, artist: false, sort: 'newest' })), `${script}: '${text}'`).toEqual(expectedIds)
      expect(keysOf(texts.suggest(text, 20).songs.map((song) => song.youtube_id)), `${script}: suggestions for '${text}'`).toEqual(
        expectedIds,
      )
    }
  })

  it('offline search: the link or id of a song finds this song, in results and suggestions', () => {
    const texts = new SongTextIndex()
    texts.put([testSong(1, { title: 'Radioactive' }), testSong(2)])
    const id = testSong(2).youtube_id
    for (const text of [id, `youtu.be/${id}`, `https://www.youtube.com/watch?v=${id}&t=1`]) {
      expect(texts.search({ text, artist: false, sort: 'az' }), text).toEqual([id])
      expect(texts.suggest(text, 4).songs, text).toEqual([expect.objectContaining({ youtube_id: id })])
    }
    expect(texts.search({ text: 'Radioactive', artist: false, sort: 'az' })).toEqual([testSong(1).youtube_id])
    expect(texts.search({ text: 'https://youtu.be/AAAAAAAAAAA', artist: false, sort: 'az' })).toEqual([])
  })

  it('offline suggestions: the suggestions are the results of the search, with titles that begin with the text first, and count the songs of each artist', () => {
    fc.assert(
      fc.property(anySongs, anySongs, fc.array(fc.nat(60), { maxLength: 10 }), anyQuery, fc.integer({ min: 1, max: 6 }), (...samples) => {
        const [initialSongs, addedSongs, removedIndexes, { text }, limit] = samples
        const texts = new SongTextIndex()
        texts.put(initialSongs)
        texts.put(addedSongs)
        texts.remove(removedIndexes.map((index) => testSong(index).youtube_id))
        const removedIds = new Set(removedIndexes.map((index) => testSong(index).youtube_id))
        const indexedSongs = new Map([...initialSongs, ...addedSongs].map((song) => [song.youtube_id, song]))
        for (const id of removedIds) indexedSongs.delete(id)
        const foldedText = foldText(text)

        const { songs, artists } = texts.suggest(text, limit)
        const foundIds = texts.search({ text, artist: false, sort: 'az' })
        for (const song of songs) expect(indexedSongs.get(song.youtube_id)).toMatchObject(song)
        const beginsWithText = (id: string) => foldText(indexedSongs.get(id)?.title ?? '').startsWith(foldedText)
        const expectedIds = [...foundIds.filter(beginsWithText), ...foundIds.filter((id) => !beginsWithText(id))]
        expect(songs.map((song) => song.youtube_id)).toEqual(expectedIds.slice(0, limit))

        const artistSongs = texts.search({ text, artist: true, sort: 'az' }).map((id) => foldText(indexedSongs.get(id)?.author_name ?? ''))
        expect(artists).toHaveLength(Math.min(limit, new Set(artistSongs).size))
        for (const { name, song_count } of artists)
          expect(song_count).toBe(artistSongs.filter((author) => author === foldText(name)).length)
      }),
      { numRuns: 600 },
    )
  })

  it('offline related songs: songs of the same artist by title come first, then songs of the same category, newest first; each group starts after the given song and wraps around', () => {
    const texts = new SongTextIndex()
    const dayOf = (day: number) => `2026-01-0${day}T00:00:00.000Z`
    const rows = [
      testSong(1, { title: 'A', author_name: 'Ada', date_added: dayOf(1) }),
      testSong(2, { title: 'B', author_name: 'Ada', date_added: dayOf(2) }),
      testSong(3, { title: 'C', author_name: 'ÁDA', date_added: dayOf(3), category_id: 'trap' }),
      testSong(4, { title: 'D', author_name: 'Zed', date_added: dayOf(4) }),
      testSong(5, { title: 'E', author_name: '!!!', date_added: dayOf(5) }),
    ]
    texts.put(rows)
    const relatedTo = (index: number, limit = 6) => texts.related(rows[index - 1] ?? testSong(index), { limit })
    const idsOf = (...indexes: number[]) => indexes.map((index) => testSong(index).youtube_id)
    expect(relatedTo(2)).toEqual(idsOf(3, 1, 5, 4))
    expect(relatedTo(3)).toEqual(idsOf(1, 2))
    expect(relatedTo(4)).toEqual(idsOf(2, 1, 5))
    expect(relatedTo(5, 2)).toEqual(idsOf(4, 2))
    const song = rows[1] ?? testSong(2)
    expect(texts.related(song, { limit: 3, artistLimit: 1, excludedIds: idsOf(5) })).toEqual(idsOf(3, 1, 4))
    expect(relatedTo(9), 'a song that is not on this device').toEqual(idsOf(5, 4, 2, 1))
  })

  it('offline search: songs that are stored after the index was loaded are found, and removed songs are not', async () => {
    const baseDatabase = createMemoryDatabase()
    const index = createSongIndex(baseDatabase)
    const findSongs = (text: string) => index.search({ text, artist: false, sort: 'az' })
    await baseDatabase.change((tables) => tables.songs.put([testSong(1, { title: 'Neon' })]))
    expect(await findSongs('neon')).toEqual([testSong(1).youtube_id])
    await baseDatabase.change((tables) => tables.songs.put([testSong(2, { title: 'Neon too' }), testSong(1, { title: 'Rain' })]))
    expect(await findSongs('neon')).toEqual([testSong(2).youtube_id])
    await baseDatabase.change((tables) => tables.songs.remove([testSong(2).youtube_id]))
    expect(await findSongs('neon')).toEqual([])
  })

  it('offline search: all songs are read again after a change that does not name the changed songs', async () => {
    const database = createMemoryDatabase()
    const songsChanged = createEmitter<undefined>()
    const index = createSongIndex({ ...database, onSongsChanged: songsChanged.subscribe })
    const findSongs = () => index.search({ text: 'neon', artist: false, sort: 'az' })
    await database.change((tables) => tables.songs.put([testSong(1, { title: 'Rain' })]))
    expect(await findSongs()).toEqual([])
    await database.change((tables) => tables.songs.put([testSong(1, { title: 'Neon' })]))
    expect(await findSongs(), 'a write that is not announced').toEqual([])
    songsChanged.emit(undefined)
    expect(await findSongs()).toEqual([testSong(1).youtube_id])
  })

  it('offline search: searches of 50,000 songs take less than 3 seconds', () => {
    const texts = new SongTextIndex()
    const manySongs = Array.from({ length: 50_000 }, (_, n) =>
      testSong(n, { title: `Track ${n} of the night`, author_name: `Artist ${n % 900}` }),
    )
    texts.put(manySongs)
    const startMs = performance.now()
    expect(texts.search({ text: 'night art', artist: false, sort: 'newest' })).toHaveLength(50_000)
    expect(texts.search({ text: 'rack 4999', artist: false, sort: 'az' }).length).toBe(15)
    expectFasterThan(performance.now() - startMs, 3_000)
  })
})
