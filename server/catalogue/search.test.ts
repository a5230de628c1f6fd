import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText } from '../../contract/fold-text.ts'
import { searchCases } from '../../testing/search-cases.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow, createSongSearch, songReadOptions } from '../storage/testing/fixture.ts'
import { countEventLoopTurns } from '../testing/count-turns.ts'

const songTitles = [
  ['Midnight City', 'M83'],
  ['Citylights at Midnight', 'Ada Löve'],
  ['Señorita (Nightcore)', 'Björk & Co'],
  ['Straße nach Øst', 'Łukasz'],
  ['夜のドライブ', '東京'],
  ['OR NOT NEAR "quoted" *', 'AND'],
  ['a b c', 'X'],
  ['Nothing', 'Ada'],
  ['Ada and others', 'Zed'],
  ['Same', 'Adagio'],
  ["Don't Stop", 'Ada Love 2'],
] as const

describeStores('search', (fixture) => {
  const importTitles = () =>
    fixture.importRows({ songs: songTitles.map(([title, author_name], i) => createSongRow(i + 1, { title, author_name })) })
  const findTitles = async (text: string, fields = {}) =>
    (await fixture.storage.songs.search(createSongSearch(text, fields), songReadOptions)).map((each) => each.title)

  const titleSearches: readonly (readonly [string, readonly string[]])[] = [
    ['midnight', ['Citylights at Midnight', 'Midnight City']],
    ['city mid', ['Citylights at Midnight', 'Midnight City']],
    ['MID cit', ['Citylights at Midnight', 'Midnight City']],
    ['night', ['Citylights at Midnight', 'Midnight City', 'Señorita (Nightcore)']],
    ['ight cit', ['Citylights at Midnight', 'Midnight City']],
    ['senor', ['Señorita (Nightcore)']],
    ['strasse ost', ['Straße nach Øst']],
    ['lukasz', ['Straße nach Øst']],
    ['bjork co', ['Señorita (Nightcore)']],
    ['夜のド', ['夜のドライブ']],
    ['ドライブ', ['夜のドライブ']],
    ['東', ['夜のドライブ']],
    // Words of two letters match only at the start of a word.
    ['it', []],
    ['ci', ['Citylights at Midnight', 'Midnight City']],
    ['m', ['Citylights at Midnight', 'Midnight City']],
    // The text contains all trigrams of the word, but not next to each other.
    ['nightcity', []],
    ['or near', ['OR NOT NEAR "quoted" *']],
    ['"quoted" * OR', ['OR NOT NEAR "quoted" *']],
    ['and', ['Ada and others', 'OR NOT NEAR "quoted" *']],
    ['title:midnight', []],
    ["don't", ["Don't Stop"]],
    ['a b c', ['a b c']],
    ['', []],
    ['--- !!', []],
    ['%_', []],
    ["'; drop table songs", []],
  ]

  test('short words match as prefixes, and words of three letters or more anywhere; words match in any order, and operators are ordinary text', async () => {
    await importTitles()
    for (const [text, expectedTitles] of titleSearches) expect(await findTitles(text), `for '${text}'`).toEqual(expectedTitles)
  })

  test(
    'searches for words in twelve scripts, and for signs, find the same songs as the offline search, in results of either order and in suggestions',
    fixture.longOnPostgres,
    async () => {
      const songs = Object.values(searchCases).flatMap((script) => Object.entries(script.songs))
      await fixture.importRows({ songs: songs.map(([, [title, author_name]], i) => createSongRow(i + 1, { title, author_name })) })
      const listSongKeys = (rows: readonly { title: string }[]) =>
        rows.map(({ title }) => songs.find(([, [each]]) => each === title)?.[0]).sort()
      for (const [scriptName, { searches }] of Object.entries(searchCases))
        for (const [searchText, expectedIdText] of searches) {
          const expectedIds = expectedIdText.split(' ').filter(Boolean).sort()
          for (const orderBy of fixture.kind === 'sqlite' ? (['title', 'date_added'] as const) : (['title'] as const))
            expect(
              listSongKeys(await fixture.storage.songs.search(createSongSearch(searchText, { orderBy }), songReadOptions)),
              `${scriptName}: '${searchText}' by ${orderBy}`,
            ).toEqual(expectedIds)
          expect(
            listSongKeys((await fixture.storage.suggestions.find(searchText, 20, songReadOptions)).songs),
            `${scriptName}: suggestions for '${searchText}'`,
          ).toEqual(expectedIds)
        }
    },
  )

  test('the link or id of a song finds this song, in results and suggestions; a title of eleven letters, which could be an id, is found too', async () => {
    await fixture.importRows({
      songs: [createSongRow(1, { title: 'Radioactive', author_name: 'Dragons' }), createSongRow(2, { title: 'Another' })],
    })
    const songId = createSongRow(2).youtube_id
    for (const searchText of [
      songId,
      `https://youtu.be/${songId}?si=abc&t=42`,
      `https://music.youtube.com/watch?v=${songId}&list=RD1`,
      `youtube.com/watch?v=${songId}`,
    ]) {
      expect(await findTitles(searchText), searchText).toEqual(['Another'])
      expect(await findTitles(searchText, { offset: 1 }), searchText).toEqual([])
      expect((await fixture.storage.suggestions.find(searchText, 4, songReadOptions)).songs, searchText).toEqual([
        expect.objectContaining({ youtube_id: songId }),
      ])
    }
    expect(await findTitles('Radioactive')).toEqual(['Radioactive'])
    expect(await findTitles('https://youtu.be/AAAAAAAAAAA')).toEqual([])
    expect(await findTitles(songId, { artistOnly: true })).toEqual([])
  })

  test('a search for artists matches only artists, with exact names first', async () => {
    await importTitles()
    expect(await findTitles('ada', { artistOnly: true })).toEqual(['Nothing', 'Citylights at Midnight', "Don't Stop", 'Same'])
    expect(await findTitles('ADA', { artistOnly: true, direction: 'DESC' })).toEqual([
      'Nothing',
      'Same',
      "Don't Stop",
      'Citylights at Midnight',
    ])
    expect(await findTitles('ada', { artistOnly: true, orderBy: 'date_added', direction: 'DESC' })).toEqual([
      'Nothing',
      "Don't Stop",
      'Same',
      'Citylights at Midnight',
    ])
    expect(await findTitles('love ada', { artistOnly: true })).toEqual(['Citylights at Midnight', "Don't Stop"])
    expect(await findTitles('midnight', { artistOnly: true })).toEqual([])
    for (let offset = 0; offset < 4; offset++) {
      const allTitles = await findTitles('ada', { artistOnly: true })
      expect(await findTitles('ada', { artistOnly: true, limit: 2, offset })).toEqual(allTitles.slice(offset, offset + 2))
    }
  })

  test('search orders by title or date, with limit and offset', async () => {
    await importTitles()
    const alphabeticalTitles = await findTitles('a')
    expect(alphabeticalTitles).toEqual(
      [...alphabeticalTitles].sort((firstTitle, secondTitle) => (foldText(firstTitle) < foldText(secondTitle) ? -1 : 1)),
    )
    expect(alphabeticalTitles.length).toBeGreaterThan(5)
    expect(await findTitles('a', { direction: 'DESC' })).toEqual([...alphabeticalTitles].reverse())
    expect(await findTitles('a', { limit: 2, offset: 1 })).toEqual(alphabeticalTitles.slice(1, 3))
    const newestTitles = await findTitles('a', { orderBy: 'date_added', direction: 'DESC' })
    expect(newestTitles[0]).toBe("Don't Stop")
    expect(await findTitles('a', { orderBy: 'date_added' })).toEqual([...newestTitles].reverse())
    expect(await findTitles('a', { orderBy: 'date_added', direction: 'DESC', limit: 2, offset: 1 })).toEqual(newestTitles.slice(1, 3))
  })

  test('search returns the same songs as a scan of all songs, for random texts', fixture.longOnPostgres, async () => {
    const anyWord = fc.stringMatching(/^[abé]{1,6}$/)
    const anyPhrase = fc.array(anyWord, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
    const songRows = fc.sample(fc.tuple(anyPhrase, anyPhrase), { numRuns: 300, seed: 7 })
    await fixture.importRows({ songs: songRows.map(([title, author_name], i) => createSongRow(i + 1, { title, author_name })) })
    const containsTypedText = (rowText: string, typedText: string) =>
      [...typedText].length < 3
        ? rowText.split(' ').some((each) => each.startsWith(typedText))
        : rowText.split(' ').some((each) => each.includes(typedText))
    await fc.assert(
      fc.asyncProperty(anyPhrase, fc.boolean(), fc.constantFrom('title', 'date_added'), async (typedText, artistOnly, orderBy) => {
        const foldedText = foldText(typedText)
        const expectedTitles = songRows
          .filter(([title, author]) =>
            foldedText
              .split(' ')
              .every((each) => containsTypedText(foldText(author), each) || (!artistOnly && containsTypedText(foldText(title), each))),
          )
          .map(([title, author]) => `${title}|${author}`)
        const foundSongs = await fixture.storage.songs.search(
          createSongSearch(typedText, { artistOnly, orderBy, limit: 1000 }),
          songReadOptions,
        )
        expect(foundSongs.map((each) => `${each.title}|${each.author_name}`).sort()).toEqual(expectedTitles.sort())
      }),
      { numRuns: 60, seed: 11 },
    )
  })

  test('a search with many matches and a large offset pauses after each few thousand rows, and returns the same songs', {
    tags: ['long'],
  }, async () => {
    const songCount = 13_000
    const rowsPerBatch = 4_000
    // The order by title differs from the order by date, and every artist has many songs.
    const songRows = Array.from({ length: songCount }, (_, i) =>
      createSongRow(i + 1, { title: `Nightcore ${100_000 + ((i * 7_919) % songCount)}`, author_name: `Artist ${i % 10}` }),
    )
    await fixture.importRows({ songs: songRows })
    const alphabeticalTitles = songRows.map((row) => row.title).sort()
    const titlesByDate = songRows.map((row) => row.title)
    const offset = songCount - 200
    for (const [orderBy, titlesInOrder] of [
      ['title', alphabeticalTitles],
      ['date_added', titlesByDate],
    ] as const)
      for (const sortDirection of ['ASC', 'DESC'] as const)
        for (const searchFields of [{ artistOnly: false }, { artistOnly: true }]) {
          const searchText = searchFields.artistOnly ? 'artist' : 'nightcore'
          const { result: foundTitles, eventLoopTurnCount } = await countEventLoopTurns(() =>
            findTitles(searchText, { ...searchFields, orderBy, direction: sortDirection, offset }),
          )
          const expected = sortDirection === 'ASC' ? titlesInOrder : titlesInOrder.toReversed()
          expect(foundTitles, `${orderBy} ${sortDirection}`).toEqual(expected.slice(offset, offset + 50))
          if (fixture.kind === 'sqlite') expect(eventLoopTurnCount).toBeGreaterThanOrEqual(Math.floor(songCount / rowsPerBatch))
        }
    const rareWord = await countEventLoopTurns(() => findTitles('Nightcore 106999', { orderBy: 'date_added' }))
    expect(rareWord.result).toEqual(['Nightcore 106999'])
    if (fixture.kind === 'sqlite') expect(rareWord.eventLoopTurnCount).toBe(0)
  })
})
