import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { foldText } from '../../contract/text.ts'
import { createMemoryStore } from './memory-store.ts'
import type { SearchQuery } from './search-query.ts'
import { createSongIndex } from './song-index.ts'
import { SongTexts } from './song-texts.ts'
import { testSong } from './testing/rows.ts'

/** The rules of the server's search, as plainly as they can be said. */
function oracle(songs: readonly Song[], { text, artist, sort }: SearchQuery): string[] {
  const folded = foldText(text)
  if (folded === '') return []
  const matches = (word: string, within: string) =>
    within.split(' ').some((each) => each.startsWith(word)) || (Array.from(word).length >= 3 && within.includes(word))
  const found = songs.filter((song) =>
    folded.split(' ').every((word) => matches(word, foldText(song.author_name)) || (!artist && matches(word, foldText(song.title)))),
  )
  const inTitleOrder = (a: Song, b: Song) => {
    for (const key of [(song: Song) => foldText(song.title), (song: Song) => song.title, (song: Song) => song.youtube_id])
      if (key(a) !== key(b)) return key(a) < key(b) ? -1 : 1
    return 0
  }
  const byDate = (a: Song, b: Song) => a.date_added.localeCompare(b.date_added) || inTitleOrder(a, b)
  const order = {
    az: inTitleOrder,
    za: (a: Song, b: Song) => inTitleOrder(b, a),
    oldest: byDate,
    newest: (a: Song, b: Song) => byDate(b, a),
  }
  found.sort(order[sort])
  if (!artist) return found.map((song) => song.youtube_id)
  const exact = (song: Song) => foldText(song.author_name) === folded
  return [...found.filter(exact), ...found.filter((song) => !exact(song))].map((song) => song.youtube_id)
}

const word = fc.constantFrom(
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
const words = fc.array(word, { maxLength: 4 }).map((parts) => parts.join(' '))
const songs = fc
  .uniqueArray(fc.tuple(fc.nat(60), words, words, fc.nat(6)), { selector: ([id]) => id, maxLength: 90 })
  .map((rows) =>
    rows.map(([id, title, author_name, day]) => testSong(id, { title, author_name, date_added: `2026-01-0${day + 1}T00:00:00.000Z` })),
  )
const query: fc.Arbitrary<SearchQuery> = fc.record({
  text: fc.oneof(words, fc.constantFrom('eno', 'n r', 'caf', 'ain', 'e', 'strasse', 'o', '東', "'; --", '"neon"')),
  artist: fc.boolean(),
  sort: fc.constantFrom('az', 'za', 'newest', 'oldest'),
})

describe('search on this device', () => {
  it("gives what the server's rules give, however the songs came and went", () => {
    fc.assert(
      fc.property(songs, songs, fc.array(fc.nat(60), { maxLength: 10 }), query, (first, second, removed, asked) => {
        const texts = new SongTexts()
        const rows = new Map<string, Song>()
        for (const song of [...first, ...second]) rows.set(song.youtube_id, song)
        texts.put(first)
        texts.put(second)
        const gone = removed.map((index) => testSong(index).youtube_id)
        texts.remove(gone)
        for (const id of gone) rows.delete(id)
        expect(texts.size).toBe(rows.size)
        expect(texts.search(asked)).toEqual(oracle([...rows.values()], asked))
      }),
      { numRuns: 600 },
    )
  })

  it('finds what is written later, and not what was removed', async () => {
    const base = createMemoryStore()
    const index = createSongIndex(base)
    const find = (text: string) => index.search({ text, artist: false, sort: 'az' })
    await index.store.change((tables) => tables.songs.put([testSong(1, { title: 'Neon' })]))
    expect(await find('neon')).toEqual([testSong(1).youtube_id])
    await index.store.change((tables) => tables.songs.put([testSong(2, { title: 'Neon too' }), testSong(1, { title: 'Rain' })]))
    expect(await find('neon')).toEqual([testSong(2).youtube_id])
    await index.store.change((tables) => tables.songs.remove([testSong(2).youtube_id]))
    expect(await find('neon')).toEqual([])
  })

  it('notices what another tab wrote', async () => {
    const base = createMemoryStore()
    const index = createSongIndex(base)
    const find = () => index.search({ text: 'neon', artist: false, sort: 'az' })
    expect(await find()).toEqual([])
    await base.change((tables) => tables.songs.put([testSong(1, { title: 'Neon' })]))
    await find()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await find()).toEqual([testSong(1).youtube_id])
  })

  it('searches 50,000 songs in a moment', () => {
    const texts = new SongTexts()
    const many = Array.from({ length: 50_000 }, (_, n) =>
      testSong(n, { title: `Track ${n} of the night`, author_name: `Artist ${n % 900}` }),
    )
    texts.put(many)
    const startMs = performance.now()
    expect(texts.search({ text: 'night art', artist: false, sort: 'newest' })).toHaveLength(50_000)
    expect(texts.search({ text: 'rack 4999', artist: false, sort: 'az' }).length).toBe(15)
    // Far above what it takes, so that a busy machine does not fail it; the bench has the figure.
    expect(performance.now() - startMs).toBeLessThan(3_000)
  })
})
