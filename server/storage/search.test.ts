import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText } from '../../contract/text.ts'
import { describeStores } from './testing/databases.ts'
import { search, song, view } from './testing/fixture.ts'

const titles = [
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
  const load = () => fixture.importRows({ songs: titles.map(([title, author_name], i) => song(i + 1, { title, author_name })) })
  const find = async (text: string, fields = {}) =>
    (await fixture.storage.songs.search(search(text, fields), view)).map((each) => each.title)

  const cases: readonly (readonly [string, readonly string[]])[] = [
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
    // Two letters match the start of a word only.
    ['it', []],
    ['ci', ['Citylights at Midnight', 'Midnight City']],
    ['m', ['Citylights at Midnight', 'Midnight City']],
    // Runs of three that stand apart are no match.
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

  test('words match by prefix in any order, from three letters anywhere, and operators are plain text', async () => {
    await load()
    for (const [text, expected] of cases) expect(await find(text), `for '${text}'`).toEqual(expected)
  })

  test('an artist search matches authors only, exact names first', async () => {
    await load()
    expect(await find('ada', { artistOnly: true })).toEqual(['Nothing', 'Citylights at Midnight', "Don't Stop", 'Same'])
    expect(await find('ADA', { artistOnly: true, direction: 'DESC' })).toEqual(['Nothing', 'Same', "Don't Stop", 'Citylights at Midnight'])
    expect(await find('ada', { artistOnly: true, orderBy: 'date_added', direction: 'DESC' })).toEqual([
      'Nothing',
      "Don't Stop",
      'Same',
      'Citylights at Midnight',
    ])
    expect(await find('love ada', { artistOnly: true })).toEqual(['Citylights at Midnight', "Don't Stop"])
    expect(await find('midnight', { artistOnly: true })).toEqual([])
    for (let offset = 0; offset < 4; offset++) {
      const all = await find('ada', { artistOnly: true })
      expect(await find('ada', { artistOnly: true, limit: 2, offset })).toEqual(all.slice(offset, offset + 2))
    }
  })

  test('orders, limits and offsets', async () => {
    await load()
    const byTitle = await find('a')
    expect(byTitle).toEqual([...byTitle].sort((one, two) => (foldText(one) < foldText(two) ? -1 : 1)))
    expect(byTitle.length).toBeGreaterThan(5)
    expect(await find('a', { direction: 'DESC' })).toEqual([...byTitle].reverse())
    expect(await find('a', { limit: 2, offset: 1 })).toEqual(byTitle.slice(1, 3))
    const newest = await find('a', { orderBy: 'date_added', direction: 'DESC' })
    expect(newest[0]).toBe("Don't Stop")
    expect(await find('a', { orderBy: 'date_added' })).toEqual([...newest].reverse())
    expect(await find('a', { orderBy: 'date_added', direction: 'DESC', limit: 2, offset: 1 })).toEqual(newest.slice(1, 3))
  })

  test('finds what a scan of every song finds, whatever is typed', async () => {
    const word = fc.stringMatching(/^[abé]{1,6}$/)
    const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
    const rows = fc.sample(fc.tuple(phrase, phrase), { numRuns: 300, seed: 7 })
    await fixture.importRows({ songs: rows.map(([title, author_name], i) => song(i + 1, { title, author_name })) })
    const holds = (text: string, typed: string) =>
      [...typed].length < 3 ? text.split(' ').some((each) => each.startsWith(typed)) : text.split(' ').some((each) => each.includes(typed))
    await fc.assert(
      fc.asyncProperty(phrase, fc.boolean(), fc.constantFrom('title', 'date_added'), async (typed, artistOnly, orderBy) => {
        const folded = foldText(typed)
        const expected = rows
          .filter(([title, author]) =>
            folded.split(' ').every((each) => holds(foldText(author), each) || (!artistOnly && holds(foldText(title), each))),
          )
          .map(([title, author]) => `${title}|${author}`)
        const found = await fixture.storage.songs.search(search(typed, { artistOnly, orderBy, limit: 1000 }), view)
        expect(found.map((each) => `${each.title}|${each.author_name}`).sort()).toEqual(expected.sort())
      }),
      { numRuns: 60, seed: 11 },
    )
  })
})
