import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Song } from '../../../contract/song.ts'
import { expectFasterThan } from '../../../testing/timing.ts'
import { readSongFile } from '../../data/song-files/read-song-file.ts'
import { createApi } from '../../platform/api.ts'
import { openFavoritesFile, planImport, toCsvFile, toFavoritesFile, toJsonFile } from './favorites-file.ts'

const createSongId = (index: number) => `song${String(index).padStart(7, '0')}`
const createFileSong = (songId: string, songTitle: string, author_name = 'Kirano'): Song => ({
  youtube_id: songId,
  youtube_url: '',
  title: songTitle,
  author_name,
  category_id: '',
  category_name: '',
  date_added: '',
  new: 'false',
})
function readFavoritesFile(text: string) {
  const songFile = readSongFile(text, '', { favoritesOnly: true })
  return songFile && toFavoritesFile(songFile, () => null)
}
const readSongIds = (text: string) => readFavoritesFile(text)?.songs.map(({ songId }) => songId)

const createNoResponse = (): Response => {
  throw new TypeError('Failed to fetch')
}

/** A server that has the song `Café del Mar`, under the name `Cafe del mar` only. After `answerCount` requests it fails, by default without a response. */
function createNameServer(answerCount: number, fail = createNoResponse) {
  let requestCount = 0
  return createApi({
    baseUrl: '/api',
    fetch: async (_, init) => {
      requestCount += 1
      if (requestCount > answerCount) return fail()
      const { names }: { names: { title: string }[] } = JSON.parse(String(init?.body))
      const found = names.map(({ title }) => (title === 'Cafe del mar' ? createSongId(1) : ''))
      const songs = found.includes(createSongId(1)) ? [createFileSong(createSongId(1), 'Café del Mar')] : []
      return Response.json({ code: 200, message: 'OK', data: { songs, found, takes_videos: false } })
    },
  })
}
const openFile = (text: string, name: string, answerCount = Number.POSITIVE_INFINITY, fail = createNoResponse) =>
  openFavoritesFile(createNameServer(answerCount, fail), new File([text], name))

describe('favorites file', () => {
  it('favorites file: songs without a link are found by title and artist, also in an M3U file without its first line', async () => {
    const foundSong = { songId: createSongId(1), title: 'Café del Mar' }
    expect(await openFile('Track Name,Artist Name(s)\nCafe del mar,Energy 52\nUnknown,Nobody', 'liked.csv')).toEqual({
      songs: [foundSong],
      missingTitles: ['Unknown'],
      unsearchedCount: 0,
      unreadablePositions: [],
      unit: 'line',
    })
    expect(await openFile('Energy 52 - Cafe del mar.mp3\n', 'liked.m3u')).toMatchObject({ songs: [foundSong], missingTitles: [] })
    expect(await openFile('Title,Artist\nUnknown,Nobody', 'other.csv')).toBe('None of the songs is in the catalogue of this site.')
    expect(await openFile('{}', 'empty.json')).toBe('No songs could be read from empty.json.')
  })

  it('favorites file: without a connection, the songs with a link are read, and a file without any is refused', async () => {
    expect(await openFile(`Title,URL\nOne,https://youtu.be/${createSongId(3)}\nTwo,\n`, 'mixed.csv', 0)).toMatchObject({
      songs: [{ songId: createSongId(3), title: 'One' }],
      missingTitles: [],
      unsearchedCount: 1,
      searchFailure: "The site isn't responding. Try again when you are online.",
    })
    expect(await openFile('Title,Artist\nCafe del mar,Energy 52', 'titles.csv', 0)).toBe(
      "The site isn't responding. Try again when you are online.",
    )
  })

  it('favorites file: after a request that failed, the songs found before are read, and the others count as not looked up', async () => {
    const names = ['Cafe del mar', ...Array.from({ length: 119 }, (_, index) => `Unknown ${index}`)]
    const csvText = ['Title,Artist', ...names.map((name) => `${name},Nobody`)].join('\n')
    expect(await openFile(csvText, 'liked.csv', 1)).toMatchObject({
      songs: [{ songId: createSongId(1), title: 'Café del Mar' }],
      missingTitles: names.slice(1, 50),
      unsearchedCount: 70,
    })
    expect(await openFile(csvText.replace('Cafe del mar', 'Unknown'), 'liked.csv', 1)).toBe(
      "The site isn't responding. Try again when you are online.",
    )
  })

  it('favorites file: when the server refuses to look up songs, its message says why', async () => {
    const message = 'Too many requests. Please wait a moment.'
    const refuse = () => Response.json({ code: 429, message, data: null }, { status: 429 })
    expect(await openFile(`Title,URL\nOne,https://youtu.be/${createSongId(3)}\nTwo,\n`, 'mixed.csv', 0, refuse)).toMatchObject({
      songs: [{ songId: createSongId(3) }],
      unsearchedCount: 1,
      searchFailure: message,
    })
    expect(await openFile('Title,Artist\nCafe del mar,Energy 52', 'titles.csv', 0, refuse)).toBe(message)
  })

  it('favorites file: the file lists the oldest favorite first, and an import keeps the order of the file', () => {
    const favoriteEntries = [
      { songId: createSongId(2), atMs: 2_000 },
      { songId: createSongId(1), atMs: 1_000 },
    ]
    const csvText = toCsvFile(favoriteEntries, [
      createFileSong(createSongId(1), 'One, "more"'),
      createFileSong(createSongId(2), '=HYPERLINK("x")'),
    ])
    expect(csvText.split('\r\n')).toEqual([
      '\u{FEFF}youtube_id,title,author_name,added',
      `${createSongId(1)},"One, ""more""",Kirano,1970-01-01T00:00:01.000Z`,
      `${createSongId(2)},"'=HYPERLINK(""x"")",Kirano,1970-01-01T00:00:02.000Z`,
      '',
    ])
    expect(readFavoritesFile(csvText)?.songs).toEqual([
      { songId: createSongId(1), title: 'One, "more"' },
      { songId: createSongId(2), title: '=HYPERLINK("x")' },
    ])
    expect(JSON.parse(toJsonFile(favoriteEntries, [])).favorites[0]).toEqual({
      youtube_id: createSongId(1),
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
        const favoriteEntries = writtenSongs.map(({ songId }, index) => ({ songId, atMs: index })).reverse()
        const knownSongs = writtenSongs.map(({ songId, title }) => createFileSong(songId, title, title))
        for (const text of [toCsvFile(favoriteEntries, knownSongs), toJsonFile(favoriteEntries, knownSongs)])
          expect(readFavoritesFile(text)).toMatchObject({ songs: writtenSongs, unreadablePositions: [] })
      }),
      { numRuns: 500 },
    )
  })

  it('favorites file: tables of other apps are read, with other delimiters, URLs, duplicates, or without a header', () => {
    const url = `https://www.youtube.com/watch?v=${createSongId(1)}&list=PL`
    expect(readSongIds(`Title;URL\r\nOne;${url}\r\nTwo;https://youtu.be/${createSongId(2)}\r\n`)).toEqual([
      createSongId(1),
      createSongId(2),
    ])
    expect(readSongIds(`sep=;\n"Name";"Video ID"\n"a;b";"${createSongId(3)}"\n`)).toEqual([createSongId(3)])
    expect(readSongIds(`${url}\n\n${createSongId(2)}\n${createSongId(1)}\n`)).toEqual([createSongId(1), createSongId(2)])
    expect(readSongIds(`Some title here\t${createSongId(4)}`)).toEqual([createSongId(4)])
  })

  it('favorites file: unreadable lines are reported by number, also after CSV cells that span lines and an unclosed quote', () => {
    const csvText = `youtube_id,title\n${createSongId(1)},"two\r\nlines"\nno id,\n${createSongId(2)},y\n"${createSongId(3)},open\n`
    expect(readFavoritesFile(csvText)).toMatchObject({
      songs: [{ songId: createSongId(1) }, { songId: createSongId(2) }],
      missingTitles: ['open'],
      unreadablePositions: [4],
      unit: 'line',
    })
    expect(readFavoritesFile(`["${createSongId(1)}", 7, null, {"title": "x"}]`)).toMatchObject({
      unreadablePositions: [2, 3, 4],
      unit: 'entry',
    })
  })

  it('favorites file: JSON of other apps is read, and files without songs are refused', () => {
    expect(
      readSongIds(
        JSON.stringify({
          data: { items: [{ videoId: createSongId(1), name: 'One' }, { song: { url: `https://youtu.be/${createSongId(2)}` } }] },
        }),
      ),
    ).toEqual([createSongId(1), createSongId(2)])
    expect(readSongIds(JSON.stringify({ user: ['a'], favorites: [{ youtube_id: createSongId(5) }] }))).toEqual([createSongId(5)])
    for (const text of ['', '{', '[]', '{"a": 1}', 'null', 'hello', '\u{0}\u{1}PNG', '[[[[[]]]]]'])
      expect(readFavoritesFile(text)?.songs ?? []).toEqual([])
  })

  it('favorites file: in a table without a known heading, links are preferred to words that look like an id', () => {
    const csvRows = ['Radioactive', 'Thunderbird', 'Nightcalled'].map(
      (title, index) => `${title};Artist;https://www.youtube.com/watch?v=${createSongId(index)}`,
    )
    expect(readSongIds(csvRows.join('\n'))).toEqual([createSongId(0), createSongId(1), createSongId(2)])
    const fileText = `Description,Link of it\nfoo,https://youtu.be/${createSongId(1)}`
    expect(readFavoritesFile(fileText)).toMatchObject({ songs: [{ songId: createSongId(1) }], unreadablePositions: [] })
    expect(readSongIds(`Video-ID,Zeitstempel der Erstellung des Playlist-Videos\n${createSongId(1)},2026-01-01T00:00:00+00:00`)).toEqual([
      createSongId(1),
    ])
  })

  it.each([
    [
      'Invidious',
      {
        watch_history: [createSongId(1)],
        preferences: {},
        playlists: [{ title: 'Favorites', videos: [createSongId(2), createSongId(3)] }],
      },
      [createSongId(2), createSongId(3)],
    ],
    [
      'Piped',
      {
        format: 'Piped',
        version: 1,
        playlists: [
          { name: 'x', type: 'playlist', videos: [`https://youtube.com/watch?v=${createSongId(1)}`] },
          { videos: [createSongId(2)] },
        ],
      },
      [createSongId(1), createSongId(2)],
    ],
    [
      'LibreTube',
      {
        watchHistory: [{ videoId: createSongId(1) }],
        localPlaylists: [{ playlist: { id: 1, name: 'x' }, videos: [{ videoId: createSongId(2), title: 't' }] }],
      },
      [createSongId(2)],
    ],
  ])('favorites file: an export of %s is read, its playlists and not its history', (_, file, ids) => {
    expect(readSongIds(JSON.stringify(file))).toEqual(ids)
  })

  it('favorites file: playlists of FreeTube, which have one JSON object in each line, are read', () => {
    const fileLines = [createSongId(1), createSongId(2)].map((videoId) =>
      JSON.stringify({ _id: videoId, playlistName: 'P', videos: [{ videoId, title: 't' }] }),
    )
    expect(readFavoritesFile(`${fileLines.join('\n')}\n`)).toMatchObject({
      songs: [{ songId: createSongId(1), title: 't' }, { songId: createSongId(2) }],
    })
  })

  it('favorites file: 50,000 lines are read, and their import is planned, within 3 seconds', () => {
    const csvLines = Array.from({ length: 50_000 }, (_, index) => `${createSongId(index)},"Song, ${index}"`)
    const startMs = performance.now()
    const favoritesFile = readFavoritesFile(`youtube_id,title\r\n${csvLines.join('\r\n')}`)
    expect(favoritesFile?.songs).toHaveLength(50_000)
    const plan = planImport(
      favoritesFile ?? { songs: [], missingTitles: [], unsearchedCount: 0, unreadablePositions: [], unit: 'line' },
      [],
    )
    expect(plan.added).toHaveLength(50_000)
    expectFasterThan(performance.now() - startMs, 3_000)
  })
})

it('import plan: added songs are listed, existing ones are counted, and favorites that the file lacks are listed', () => {
  const favoriteEntries = [1, 2, 3].map((index) => ({ songId: createSongId(index), atMs: 10 - index }))
  const favoritesFile = {
    songs: [createSongId(4), createSongId(2), createSongId(5)].map((songId) => ({ songId, title: '' })),
    missingTitles: [],
    unsearchedCount: 0,
    unreadablePositions: [],
    unit: 'line' as const,
  }
  expect(planImport(favoritesFile, favoriteEntries)).toEqual({
    added: [
      { songId: createSongId(4), title: '' },
      { songId: createSongId(5), title: '' },
    ],
    existingCount: 1,
    missingSongIds: [createSongId(3), createSongId(1)],
  })
})
