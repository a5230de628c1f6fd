import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText } from '../../contract/fold-text.ts'
import type { Song } from '../../contract/song.ts'
import { NO_CATEGORY_ID } from '../../contract/song-rules.ts'
import { searchCases } from '../../testing/search-cases.ts'
import { expectFasterThan } from '../../testing/timing.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createSongIndex } from './song-index.ts'
import { type SearchQuery, SongTextIndex } from './song-text-index.ts'
import { createTestSong } from './testing/rows.ts'

/** Searches as the server does. The results are the reference with which those of the index are compared. */
function searchLikeServer(songs: readonly Song[], { text, artist: isArtistSearch, sort }: SearchQuery): string[] {
  const foldedText = foldText(text)
  if (foldedText === '') return []
  const hasWord = (word: string, searchedText: string) =>
    searchedText.split(' ').some((each) => each.startsWith(word)) || (Array.from(word).length >= 3 && searchedText.includes(word))
  const foundSongs = songs.filter((song) =>
    foldedText
      .split(' ')
      .every((word) => hasWord(word, foldText(song.author_name)) || (!isArtistSearch && hasWord(word, foldText(song.title)))),
  )
  const compareTitles = (firstSong: Song, secondSong: Song) => {
    for (const keyOf of [(song: Song) => foldText(song.title), (song: Song) => song.title, (song: Song) => song.youtube_id])
      if (keyOf(firstSong) !== keyOf(secondSong)) return keyOf(firstSong) < keyOf(secondSong) ? -1 : 1
    return 0
  }
  const compareDates = (a: Song, b: Song) => a.date_added.localeCompare(b.date_added) || compareTitles(a, b)
  const comparatorBySort = {
    az: compareTitles,
    za: (a: Song, b: Song) => compareTitles(b, a),
    oldest: compareDates,
    newest: (a: Song, b: Song) => compareDates(b, a),
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
    rows.map(([id, title, author_name, day]) =>
      createTestSong(id, { title, author_name, date_added: `2026-01-0${day + 1}T00:00:00.000Z` }),
    ),
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
        (initialSongs, addedSongs, removedIndexes, queryText) => {
          const textIndex = new SongTextIndex()
          const expectedSongById = new Map<string, Song>()
          for (const song of [...initialSongs, ...addedSongs]) expectedSongById.set(song.youtube_id, song)
          textIndex.put(initialSongs)
          textIndex.put(addedSongs)
          const removedSongIds = removedIndexes.map((index) => createTestSong(index).youtube_id)
          textIndex.remove(removedSongIds)
          for (const id of removedSongIds) expectedSongById.delete(id)
          expect(textIndex.size).toBe(expectedSongById.size)
          expect(textIndex.search(queryText)).toEqual(searchLikeServer([...expectedSongById.values()], queryText))
        },
      ),
      { numRuns: 600 },
    )
  })

  it('offline search: 200 searches, in twelve scripts and for punctuation and symbols, find exactly the expected songs', () => {
    const textIndex = new SongTextIndex()
    const songs = Object.values(searchCases).flatMap((script) => Object.entries(script.songs))
    const keyBySongId = new Map(songs.map(([key], index) => [createTestSong(index).youtube_id, key]))
    textIndex.put(songs.map(([, [title, author_name]], index) => createTestSong(index, { title, author_name })))
    const searchCaseRows = Object.entries(searchCases).flatMap(([script, cases]) =>
      cases.searches.map((search) => [script, ...search] as const),
    )
    expect(searchCaseRows.length).toBeGreaterThanOrEqual(200)
    for (const [scriptName, searchText, expectedIdText, unexpectedIdText = ''] of searchCaseRows) {
      const expectedSongIds = expectedIdText.split(' ').filter(Boolean).sort()
      for (const key of unexpectedIdText.split(' ').filter(Boolean)) expect([...keyBySongId.values()], `'${searchText}'`).toContain(key)
      for (const key of unexpectedIdText.split(' ')) expect(expectedSongIds, `'${searchText}'`).not.toContain(key)
      const listKeys = (ids: readonly string[]) => ids.map((id) => keyBySongId.get(id)).sort()
      expect(listKeys(textIndex.search({ text: searchText, artist: false, sort: 'newest' })), `${scriptName}: '${searchText}'`).toEqual(
        expectedSongIds,
      )
      expect(
        listKeys(textIndex.suggest(searchText, 20).songs.map((song) => song.youtube_id)),
        `${scriptName}: suggestions for '${searchText}'`,
      ).toEqual(expectedSongIds)
    }
  })

  it('offline search: the link or id of a song finds this song, in results and suggestions', () => {
    const textIndex = new SongTextIndex()
    textIndex.put([createTestSong(1, { title: 'Radioactive' }), createTestSong(2)])
    const songId = createTestSong(2).youtube_id
    for (const text of [songId, `youtu.be/${songId}`, `https://www.youtube.com/watch?v=${songId}&t=1`]) {
      expect(textIndex.search({ text, artist: false, sort: 'az' }), text).toEqual([songId])
      expect(textIndex.suggest(text, 4).songs, text).toEqual([expect.objectContaining({ youtube_id: songId })])
    }
    expect(textIndex.search({ text: 'Radioactive', artist: false, sort: 'az' })).toEqual([createTestSong(1).youtube_id])
    expect(textIndex.search({ text: 'https://youtu.be/AAAAAAAAAAA', artist: false, sort: 'az' })).toEqual([])
  })

  it('offline suggestions: the suggestions are the results of the search, with titles that begin with the text first, and count the songs of each artist', () => {
    fc.assert(
      fc.property(
        anySongs,
        anySongs,
        fc.array(fc.nat(60), { maxLength: 10 }),
        anyQuery,
        fc.integer({ min: 1, max: 6 }),
        (...generatedInputs) => {
          const [initialSongs, addedSongs, removedIndexes, { text }, suggestionLimit] = generatedInputs
          const textIndex = new SongTextIndex()
          textIndex.put(initialSongs)
          textIndex.put(addedSongs)
          textIndex.remove(removedIndexes.map((index) => createTestSong(index).youtube_id))
          const removedSongIds = new Set(removedIndexes.map((index) => createTestSong(index).youtube_id))
          const indexedSongById = new Map([...initialSongs, ...addedSongs].map((song) => [song.youtube_id, song]))
          for (const id of removedSongIds) indexedSongById.delete(id)
          const foldedText = foldText(text)

          const { songs, artists } = textIndex.suggest(text, suggestionLimit)
          const foundSongIds = textIndex.search({ text, artist: false, sort: 'az' })
          for (const song of songs) expect(indexedSongById.get(song.youtube_id)).toMatchObject(song)
          const beginsWithText = (id: string) => foldText(indexedSongById.get(id)?.title ?? '').startsWith(foldedText)
          const expectedSongIds = [...foundSongIds.filter(beginsWithText), ...foundSongIds.filter((id) => !beginsWithText(id))]
          expect(songs.map((song) => song.youtube_id)).toEqual(expectedSongIds.slice(0, suggestionLimit))

          const artistSongs = textIndex
            .search({ text, artist: true, sort: 'az' })
            .map((id) => foldText(indexedSongById.get(id)?.author_name ?? ''))
          expect(artists).toHaveLength(Math.min(suggestionLimit, new Set(artistSongs).size))
          for (const { name, song_count } of artists)
            expect(song_count).toBe(artistSongs.filter((author) => author === foldText(name)).length)
        },
      ),
      { numRuns: 600 },
    )
  })

  it('offline related songs: songs of the same artist by title come first, then songs of the same category, newest first; each group starts after the given song and wraps around', () => {
    const textIndex = new SongTextIndex()
    const createIsoDay = (day: number) => `2026-01-0${day}T00:00:00.000Z`
    const songRows = [
      createTestSong(1, { title: 'A', author_name: 'Ada', date_added: createIsoDay(1) }),
      createTestSong(2, { title: 'B', author_name: 'Ada', date_added: createIsoDay(2) }),
      createTestSong(3, { title: 'C', author_name: 'ÁDA', date_added: createIsoDay(3), category_id: 'trap' }),
      createTestSong(4, { title: 'D', author_name: 'Zed', date_added: createIsoDay(4) }),
      createTestSong(5, { title: 'E', author_name: '!!!', date_added: createIsoDay(5) }),
    ]
    textIndex.put(songRows)
    const findRelatedTo = (index: number, limit = 6) => textIndex.related(songRows[index - 1] ?? createTestSong(index), { limit })
    const listSongIds = (...indexes: number[]) => indexes.map((index) => createTestSong(index).youtube_id)
    expect(findRelatedTo(2)).toEqual(listSongIds(3, 1, 5, 4))
    expect(findRelatedTo(3)).toEqual(listSongIds(1, 2))
    expect(findRelatedTo(4)).toEqual(listSongIds(2, 1, 5))
    expect(findRelatedTo(5, 2)).toEqual(listSongIds(4, 2))
    const song = songRows[1] ?? createTestSong(2)
    expect(textIndex.related(song, { limit: 3, artistLimit: 1, excludedIds: listSongIds(5) })).toEqual(listSongIds(3, 1, 4))
    expect(findRelatedTo(9), 'a song that is not on this device').toEqual(listSongIds(5, 4, 2, 1))
  })

  it('offline related songs: videos that the catalogue lacks are related by their artist only, as they have no category', () => {
    const textIndex = new SongTextIndex()
    const createVideo = (index: number, artistName: string) =>
      createTestSong(index, { author_name: artistName, category_id: NO_CATEGORY_ID })
    const videos = [createVideo(1, 'Ada'), createVideo(2, 'Bob'), createVideo(3, 'Ada')]
    textIndex.put(videos)
    expect(textIndex.related(createVideo(1, 'Ada'), { limit: 6 })).toEqual([createTestSong(3).youtube_id])
  })

  it('offline search: songs that are stored after the index was loaded are found, and removed songs are not', async () => {
    const baseDatabase = createMemoryDatabase()
    const songIndex = createSongIndex(baseDatabase)
    const findSongs = (text: string) => songIndex.search({ text, artist: false, sort: 'az' })
    await baseDatabase.change((tables) => tables.songs.put([createTestSong(1, { title: 'Neon' })]))
    expect(await findSongs('neon')).toEqual([createTestSong(1).youtube_id])
    await baseDatabase.change((tables) =>
      tables.songs.put([createTestSong(2, { title: 'Neon too' }), createTestSong(1, { title: 'Rain' })]),
    )
    expect(await findSongs('neon')).toEqual([createTestSong(2).youtube_id])
    await baseDatabase.change((tables) => tables.songs.remove([createTestSong(2).youtube_id]))
    expect(await findSongs('neon')).toEqual([])
  })

  it('offline search: all songs are read again after a change that does not name the changed songs', async () => {
    const database = createMemoryDatabase()
    const songsChanged = createEmitter<undefined>()
    const songIndex = createSongIndex({ ...database, onSongsChanged: songsChanged.subscribe })
    const findSongs = () => songIndex.search({ text: 'neon', artist: false, sort: 'az' })
    await database.change((tables) => tables.songs.put([createTestSong(1, { title: 'Rain' })]))
    expect(await findSongs()).toEqual([])
    await database.change((tables) => tables.songs.put([createTestSong(1, { title: 'Neon' })]))
    expect(await findSongs(), 'a write that is not announced').toEqual([])
    songsChanged.emit(undefined)
    expect(await findSongs()).toEqual([createTestSong(1).youtube_id])
  })

  it('offline search: searches of 50,000 songs take less than 3 seconds', () => {
    const textIndex = new SongTextIndex()
    const manySongs = Array.from({ length: 50_000 }, (_, n) =>
      createTestSong(n, { title: `Track ${n} of the night`, author_name: `Artist ${n % 900}` }),
    )
    textIndex.put(manySongs)
    const startMs = performance.now()
    expect(textIndex.search({ text: 'night art', artist: false, sort: 'newest' })).toHaveLength(50_000)
    expect(textIndex.search({ text: 'rack 4999', artist: false, sort: 'az' }).length).toBe(15)
    expectFasterThan(performance.now() - startMs, 3_000)
  })
})
