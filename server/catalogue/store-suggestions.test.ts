import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText } from '../../contract/fold-text.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createPlaylistRow, createSongRow, createSongSearch, songReadOptions } from '../storage/testing/fixture.ts'

const songs = [
  ['Midnight City', 'M83'],
  ['City of Stars', 'Ada Löve'],
  ['Electricity', 'Ada Löve'],
  ['Señorita', 'ADA LOVE'],
  ['夜のドライブ', '東京'],
  ['a b c', 'Zed'],
] as const

describeStores('suggestions', (fixture) => {
  const importAll = () =>
    fixture.importRows({
      songs: songs.map(([title, author_name], i) => createSongRow(i + 1, { title, author_name })),
      playlists: [
        createPlaylistRow('night', [1, 2], { title: 'City at Night' }),
        createPlaylistRow('lights', [3], { title: 'Big-city lights' }),
        createPlaylistRow('empty', [], { title: 'Ada' }),
      ],
    })
  const suggestTexts = async (typedText: string, suggestionLimit = 4) => {
    const { songs, artists, playlists } = await fixture.storage.suggestions.find(typedText, suggestionLimit, songReadOptions)
    return {
      songs: songs.map((song) => song.title),
      artists: artists.map(({ name, song_count }) => `${name}: ${song_count}`),
      playlists: playlists.map((playlist) => playlist.id),
    }
  }

  test('suggestions: names that begin with the text come first, and then the other matches', async () => {
    await importAll()
    expect(await suggestTexts('city')).toEqual({
      songs: ['City of Stars', 'Electricity', 'Midnight City'],
      artists: [],
      playlists: ['night', 'lights'],
    })
    expect(await suggestTexts('CITY', 1)).toEqual({ songs: ['City of Stars'], artists: [], playlists: ['night'] })
    expect(await suggestTexts('night city')).toEqual({ songs: ['Midnight City'], artists: [], playlists: ['night'] })
  })

  test('a text with a spelling mistake finds the songs and artists with similar names', async () => {
    await importAll()
    const findSimilar = async (typedText: string) => {
      const { songs, artists } = await fixture.storage.suggestions.findSimilar(typedText, 4, songReadOptions)
      return [...songs.map(({ title }) => title), ...artists.map(({ name }) => name)]
    }
    for (const text of ['midnigt', 'mifnight city', 'midnihgt', 'mdnight', 'Midnightt City'])
      expect(await findSimilar(text), text).toEqual(['Midnight City'])
    expect(await findSimilar('ada loev')).toEqual(expect.arrayContaining(['ADA LOVE', 'City of Stars']))
    expect(await findSimilar('senoritta')).toEqual(['Señorita'])
    for (const text of ['zzzzqqqq', '!!!', 'a', 'daylight']) expect(await findSimilar(text), text).toEqual([])
  })

  test('before a text is entered, the artists and categories with the most songs are suggested', async () => {
    await fixture.importRows({
      songs: [
        ...songs.map(([title, author_name], i) => createSongRow(i + 1, { title, author_name })),
        createSongRow(9, { category_id: 'trap', category_name: 'Trap', author_name: 'Zed' }),
      ],
    })
    expect(await fixture.storage.suggestions.findStart(2)).toEqual({
      artists: [
        { name: 'ADA LOVE', song_count: 3 },
        { name: 'Zed', song_count: 2 },
      ],
      categories: [
        { id: 'house', name: 'House', song_count: 6 },
        { id: 'trap', name: 'Trap', song_count: 1 },
      ],
    })
  })

  test("suggestions: different spellings of an artist's name are suggested as one artist, with the number of songs", async () => {
    await importAll()
    expect(await suggestTexts('ada')).toEqual({
      songs: ['City of Stars', 'Electricity', 'Señorita'],
      artists: ['ADA LOVE: 3'],
      playlists: ['empty'],
    })
    expect((await suggestTexts('love a')).artists).toEqual(['ADA LOVE: 3'])
    expect((await suggestTexts('東')).artists).toEqual(['東京: 1'])
  })

  test('suggestions: computed playlists are suggested, and categories are not', async () => {
    await importAll()
    expect((await suggestTexts('new songs')).playlists).toEqual(['new'])
    expect((await suggestTexts('house')).playlists).toEqual([])
  })

  test('suggestions: the list is empty for a text without letters or digits, and for a text without matches', async () => {
    await importAll()
    const nothing = { songs: [], artists: [], playlists: [] }
    for (const text of ['', '--- !!', '%_', 'zzzz', '"quoted" OR']) expect(await suggestTexts(text), `for '${text}'`).toEqual(nothing)
  })

  test(
    'suggestions: every suggested song is a result of the search, and if there is room, every result is suggested',
    fixture.longOnPostgres,
    async () => {
      const anyPhrase = fc.array(fc.stringMatching(/^[abé]{1,5}$/), { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
      const songRows = fc.sample(fc.tuple(anyPhrase, anyPhrase), { numRuns: 150, seed: 3 })
      await fixture.importRows({
        songs: songRows.map(([title, author_name], i) => createSongRow(i + 1, { title, author_name })),
        playlists: songRows.slice(0, 60).map(([title], i) => createPlaylistRow(`p${i}`, [i + 1], { title })),
      })
      const isTextMatch = (text: string, folded: string) =>
        folded.split(' ').every((word) => ` ${foldText(text)}`.includes(word.length < 3 ? ` ${word}` : word))
      const suggestionLimit = 20
      await fc.assert(
        fc.asyncProperty(anyPhrase, async (typedText) => {
          const foldedText = foldText(typedText)
          const foundSongs = await fixture.storage.songs.search(createSongSearch(typedText, { limit: 10_000 }), songReadOptions)
          const foundSuggestions = await fixture.storage.suggestions.find(typedText, suggestionLimit, songReadOptions)
          const songIds = foundSuggestions.songs.map((song) => song.youtube_id)
          expect(foundSongs.map((song) => song.youtube_id)).toEqual(expect.arrayContaining(songIds))
          expect(songIds).toHaveLength(Math.min(suggestionLimit, foundSongs.length))
          const areTitlesPrefixed = foundSuggestions.songs.map((song) => foldText(song.title).startsWith(foldedText))
          expect(areTitlesPrefixed).toEqual([...areTitlesPrefixed].sort((a, b) => Number(b) - Number(a)))
          const matchingArtists = new Set(
            songRows.map(([, author]) => foldText(author)).filter((author) => isTextMatch(author, foldedText)),
          )
          expect(foundSuggestions.artists).toHaveLength(Math.min(suggestionLimit, matchingArtists.size))
          for (const artist of foundSuggestions.artists) expect(matchingArtists).toContain(foldText(artist.name))
          const playlistCount = songRows.slice(0, 60).filter(([title]) => isTextMatch(title, foldedText)).length
          expect(foundSuggestions.playlists.filter(({ id }) => id.startsWith('p'))).toHaveLength(Math.min(suggestionLimit, playlistCount))
        }),
        { numRuns: 40, seed: 5 },
      )
    },
  )
})
