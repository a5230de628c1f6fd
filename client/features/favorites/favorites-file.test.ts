import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Song } from '../../../contract/song.ts'
import { expectFasterThan } from '../../../testing/timing.ts'
import { planImport, readFavoritesFile, toCsvFile, toJsonFile } from './favorites-file.ts'

const id = (index: number) => `song${String(index).padStart(7, '0')}`
const fileSong = (songId: string, title: string, author_name = 'Kirano'): Song => ({
  youtube_id: songId,
  youtube_url: '',
  title,
  author_name,
  category_id: '',
  category_name: '',
  date_added: '',
  new: 'false',
})
const idsOf = (text: string) => readFavoritesFile(text)?.songs.map(({ songId }) => songId)

describe('favorites file', () => {
  it('favorites file: the file lists the oldest favorite first, and an import keeps the order of the file', () => {
    const entries = [
      { songId: id(2), atMs: 2_000 },
      { songId: id(1), atMs: 1_000 },
    ]
    const csv = toCsvFile(entries, [fileSong(id(1), 'One, "more"'), fileSong(id(2), '=HYPERLINK("x")')])
    expect(csv.split('\r\n')).toEqual([
      '\u{FEFF}youtube_id,title,author_name,added',
      `${id(1)},"One, ""more""",Kirano,1970-01-01T00:00:01.000Z`,
      `${id(2)},"'=HYPERLINK(""x"")",Kirano,1970-01-01T00:00:02.000Z`,
      '',
    ])
    expect(readFavoritesFile(csv)?.songs).toEqual([
      { songId: id(1), title: 'One, "more"' },
      { songId: id(2), title: '=HYPERLINK("x")' },
    ])
    expect(JSON.parse(toJsonFile(entries, [])).favorites[0]).toEqual({
      youtube_id: id(1),
      title: '',
      author_name: '',
      added: '1970-01-01T00:00:01.000Z',
    })
  })

  it('favorites file: any song title survives export and import as CSV and as JSON', () => {
    const anyId = fc.stringMatching(/^[A-Za-z0-9_-]{11}$/)
    const anyTitle = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.stringMatching(/^['=+\-@\t\r\n",; ]{0,6}$/))
    const anySongs = fc.uniqueArray(fc.record({ songId: anyId, title: anyTitle }), { minLength: 1, selector: ({ songId }) => songId })
    fc.assert(
      fc.property(anySongs, (writtenSongs) => {
        const entries = writtenSongs.map(({ songId }, index) => ({ songId, atMs: index })).reverse()
        const knownSongs = writtenSongs.map(({ songId, title }) => fileSong(songId, title, title))
        for (const text of [toCsvFile(entries, knownSongs), toJsonFile(entries, knownSongs)])
          expect(readFavoritesFile(text)).toMatchObject({ songs: writtenSongs, unreadablePositions: [] })
      }),
      { numRuns: 500 },
    )
  })

  it('favorites file: tables of other apps are read, with other delimiters, URLs, duplicates, or without a header', () => {
    const url = `https://www.youtube.com/watch?v=${id(1)}&list=PL`
    expect(idsOf(`Title;URL\r\nOne;${url}\r\nTwo;https://youtu.be/${id(2)}\r\n`)).toEqual([id(1), id(2)])
    expect(idsOf(`sep=;\n"Name";"Video ID"\n"a;b";"${id(3)}"\n`)).toEqual([id(3)])
    expect(idsOf(`${url}\n\n${id(2)}\n${id(1)}\n`)).toEqual([id(1), id(2)])
    expect(idsOf(`Some title here\t${id(4)}`)).toEqual([id(4)])
  })

  it('favorites file: unreadable lines are reported by number, also after cells of several lines and an unclosed quote', () => {
    const text = `youtube_id,title\n${id(1)},"two\r\nlines"\nno id,x\n${id(2)},y\n"${id(3)},open\n`
    expect(readFavoritesFile(text)).toMatchObject({
      songs: [{ songId: id(1) }, { songId: id(2) }],
      unreadablePositions: [4, 6],
      unit: 'line',
    })
    expect(readFavoritesFile(`["${id(1)}", 7, null, {"title": "x"}]`)).toMatchObject({ unreadablePositions: [2, 3, 4], unit: 'entry' })
  })

  it('favorites file: JSON of other apps is read, and files without songs are refused', () => {
    expect(
      idsOf(JSON.stringify({ data: { items: [{ videoId: id(1), name: 'One' }, { song: { url: `https://youtu.be/${id(2)}` } }] } })),
    ).toEqual([id(1), id(2)])
    expect(idsOf(JSON.stringify({ user: ['a'], favorites: [{ youtube_id: id(5) }] }))).toEqual([id(5)])
    for (const text of ['', '{', '[]', '{"a": 1}', 'null', 'hello', '\u{0}\u{1}PNG', '[[[[[]]]]]'])
      expect(readFavoritesFile(text)).toBeUndefined()
  })

  it('favorites file: in a table without a known heading, links are preferred to words that look like an id', () => {
    const rows = ['Radioactive', 'Thunderbird', 'Nightcalled'].map(
      (title, index) => `${title};Artist;https://www.youtube.com/watch?v=${id(index)}`,
    )
    expect(idsOf(rows.join('\n'))).toEqual([id(0), id(1), id(2)])
    const text = `Description,Link of it\nfoo,https://youtu.be/${id(1)}`
    expect(readFavoritesFile(text)).toMatchObject({ songs: [{ songId: id(1) }], unreadablePositions: [] })
    expect(idsOf(`Video-ID,Zeitstempel der Erstellung des Playlist-Videos\n${id(1)},2026-01-01T00:00:00+00:00`)).toEqual([id(1)])
  })

  it.each([
    ['Invidious', { watch_history: [id(1)], preferences: {}, playlists: [{ title: 'Favorites', videos: [id(2), id(3)] }] }, [id(2), id(3)]],
    [
      'Piped',
      {
        format: 'Piped',
        version: 1,
        playlists: [{ name: 'x', type: 'playlist', videos: [`https://youtube.com/watch?v=${id(1)}`] }, { videos: [id(2)] }],
      },
      [id(1), id(2)],
    ],
    [
      'LibreTube',
      {
        watchHistory: [{ videoId: id(1) }],
        localPlaylists: [{ playlist: { id: 1, name: 'x' }, videos: [{ videoId: id(2), title: 't' }] }],
      },
      [id(2)],
    ],
  ])('favorites file: an export of %s is read, its playlists and not its history', (_, file, ids) => {
    expect(idsOf(JSON.stringify(file))).toEqual(ids)
  })

  it('favorites file: playlists of FreeTube, which have one JSON object in each line, are read', () => {
    const lines = [id(1), id(2)].map((videoId) => JSON.stringify({ _id: videoId, playlistName: 'P', videos: [{ videoId, title: 't' }] }))
    expect(readFavoritesFile(`${lines.join('\n')}\n`)).toMatchObject({ songs: [{ songId: id(1), title: 't' }, { songId: id(2) }] })
  })

  it('favorites file: 50,000 lines are read and planned within 3 seconds', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `${id(index)},"Song, ${index}"`)
    const startMs = performance.now()
    const favoritesFile = readFavoritesFile(`youtube_id,title\r\n${lines.join('\r\n')}`)
    expect(favoritesFile?.songs).toHaveLength(50_000)
    const plan = planImport(favoritesFile ?? { songs: [], unreadablePositions: [], unit: 'line' }, [])
    expect(plan.added).toHaveLength(50_000)
    expectFasterThan(performance.now() - startMs, 3_000)
  })
})

it('import plan: added songs are listed, existing ones are counted, and favorites that the file lacks are listed', () => {
  const entries = [1, 2, 3].map((index) => ({ songId: id(index), atMs: 10 - index }))
  const file = { songs: [id(4), id(2), id(5)].map((songId) => ({ songId, title: '' })), unreadablePositions: [], unit: 'line' as const }
  expect(planImport(file, entries)).toEqual({
    added: [
      { songId: id(4), title: '' },
      { songId: id(5), title: '' },
    ],
    existingCount: 1,
    missingSongIds: [id(3), id(1)],
  })
})
