import { expect, test } from 'vitest'
import type { ImportFileKey } from '../../../contract/import.ts'
import { describeStores } from '../testing/databases.ts'
import {
  allRows,
  createPlaylistRow,
  createSongRow,
  createSongRows,
  createSongSearch,
  formatSongId,
  songReadOptions,
} from '../testing/fixture.ts'

describeStores('catalogue import', (fixture) => {
  const listPlaylists = (homeOnly = false) => fixture.storage.playlists.list({ ...allRows, homeOnly, order: 'ASC', nowMs: Date.now() })
  const readSongIds = async (id: string, page = allRows) =>
    (await fixture.storage.playlists.get(id, page, songReadOptions))?.songs.map((each) => each.youtube_id)

  test('all rows of a file are imported, and remain after a restart', async () => {
    expect(await fixture.storage.catalogue.isEmpty()).toBe(true)
    const importSummary = await fixture.importRows({
      playlists: [
        createPlaylistRow('one', [2, 1, 2], { home: true, special: true, image_url: 'https://example.com/a.png', description: 'About' }),
        createPlaylistRow('two', []),
      ],
      songs: [createSongRow(1, { duration: 100 }), createSongRow(2, { duration: 23 }), createSongRow(3)],
      members: [
        { channel_id: 'UC1', channel_name: 'One', subs: 5, views: 50, testimonial: 'Good', channel_pic: 'https://example.com/m.png' },
        { channel_id: 'UC2', channel_name: 'Two', subs: 7, views: 70, academy: true },
        { channel_id: 'UC3', channel_name: 'Three', subs: 9 },
      ],
      supporters: [{ domain_name: 'aria', name: 'Aria', profile_pic: 'https://example.com/s.png' }],
      feed: [
        { title: 'Old', content: 'x', date: '2025-01-01' },
        {
          title: 'News',
          content: '<p onclick="a()">Hi<script>alert(1)</script> <a href="javascript:x">l</a></p>',
          date: '2026-01-02',
          image: 'https://example.com/f.png',
        },
      ],
    })
    expect(importSummary).toEqual({ playlists: 2, songs: 3, members: 3, supporters: 1, feed: 2 })
    await fixture.reopen()
    expect(await fixture.storage.catalogue.isEmpty()).toBe(false)
    expect((await listPlaylists()).map((each) => each.id)).toEqual(['new', 'one', 'two'])
    expect((await listPlaylists(true)).map((each) => each.id)).toEqual(['new', 'one'])
    expect((await listPlaylists())[1]).toEqual({
      id: 'one',
      title: 'Playlist one',
      category_id: 'house',
      category_name: 'House',
      description: 'About',
      description_url: '',
      youtube_url: `https://www.youtube.com/watch?v=${formatSongId(2)}`,
      special: true,
      image_url: expect.stringMatching(/^\/img\/playlist\/one\/[a-z\d]+$/),
      thumbnail: `/img/song/${formatSongId(2)}`,
      url: '/playlist?p=one',
      song_count: 2,
      duration: 123,
    })
    expect((await listPlaylists())[2]).toMatchObject({ song_count: 0, youtube_url: '' })
    // A song that a playlist contains several times is stored once.
    expect(await readSongIds('one')).toEqual([formatSongId(2), formatSongId(1)])
    expect(await readSongIds('two')).toEqual([])
    expect(await readSongIds('house', { limit: 2, offset: 1 })).toEqual([formatSongId(2), formatSongId(1)])
    expect(await fixture.storage.members.readStats()).toEqual({ members: 2, subs: 14, views: 50 })
    expect((await fixture.storage.members.list(allRows)).map((each) => each.channel_id)).toEqual(['UC3', 'UC1'])
    expect((await fixture.storage.members.listTestimonials(allRows)).map((each) => each.testimonial)).toEqual(['Good'])
    expect(await fixture.storage.supporters.list(allRows, Date.now())).toEqual([
      { domain_name: 'aria', name: 'Aria', profile_pic: expect.stringMatching(/^\/img\/supporter\/aria\/[a-z\d]+$/) },
    ])
    const [newItem, oldItem] = await fixture.storage.feed.list(allRows, Date.now())
    expect(newItem).toMatchObject({
      title: 'News',
      date: '2026-01-02T00:00:00.000Z',
      image: expect.stringMatching(/^\/img\/feed\/[^/]+\/[a-z\d]+$/),
    })
    expect(newItem?.content).toBe('<p>Hi <a rel="noopener noreferrer">l</a></p>')
    expect(oldItem).toMatchObject({ title: 'Old', image: '' })
    expect(await fixture.storage.pictures.findSource('playlist', 'one', 0)).toEqual({
      url: 'https://example.com/a.png',
      songId: formatSongId(2),
      contextNumber: 1,
    })
    expect(await fixture.storage.pictures.findSource('playlist', 'two', 0)).toEqual({ contextNumber: 2 })
    expect(await fixture.storage.pictures.findSource('playlist', 'none', 0)).toBeUndefined()
    expect(await fixture.storage.pictures.findSource('song', formatSongId(1), 0)).toEqual({ songId: formatSongId(1) })
    expect(await fixture.storage.pictures.findSource('member', 'UC1', 0)).toEqual({ url: 'https://example.com/m.png' })
    expect(await fixture.storage.pictures.findSource('supporter', 'aria', 0)).toEqual({ url: 'https://example.com/s.png', name: 'Aria' })
    expect(await fixture.storage.pictures.findSource('feed', newItem?.id ?? '', 0)).toEqual({ url: 'https://example.com/f.png' })
  })

  test('an import that changes the text of a news item stores the time of the change; an import of the same text does not', async () => {
    const newsItem = { id: 'a', title: 'News', content: 'one', date: '2026-01-01' }
    const readUpdated = async () => (await fixture.storage.feed.list(allRows, Date.now()))[0]?.updated
    await fixture.importRows({ feed: [newsItem] })
    await fixture.importRows({ feed: [{ ...newsItem, image: 'https://example.com/a.png' }] })
    expect(await readUpdated()).toBeUndefined()
    const beforeImportMs = Date.now()
    await fixture.importRows({ feed: [{ ...newsItem, content: 'two' }] })
    const updatedDate = await readUpdated()
    expect(Date.parse(updatedDate ?? '')).toBeGreaterThanOrEqual(beforeImportMs)
    await fixture.storage.feed.put([{ ...newsItem, content: 'two' }])
    expect(await readUpdated()).toBe(updatedDate)
    await fixture.storage.feed.put([{ ...newsItem, title: 'Other news', content: 'two' }])
    expect(Date.parse((await readUpdated()) ?? '')).toBeGreaterThanOrEqual(Date.parse(updatedDate ?? ''))
  })

  test('songs whose ids differ in letter case only are two songs, each with its own picture', async () => {
    const songIds = ['aaaaaaaaaa1', 'AAAAAAAAAA1']
    await fixture.importRows({
      songs: songIds.map((youtube_id) => createSongRow(1, { youtube_id, title: `Song ${youtube_id}`, author_name: youtube_id })),
      playlists: [createPlaylistRow('one', [], { songs: songIds })],
    })
    for (const id of songIds) {
      expect(await fixture.storage.songs.get(id, undefined, songReadOptions)).toMatchObject({ youtube_id: id, title: `Song ${id}` })
      expect(await fixture.storage.pictures.findSource('song', id, 0)).toEqual({ songId: id })
    }
    expect(await readSongIds('one')).toEqual(songIds)
    expect(await fixture.storage.pictures.findSource('song', 'Aaaaaaaaaa1', 0)).toBeUndefined()
  })

  test('a category with a reserved id is refused', fixture.longOnPostgres, async () => {
    for (const category_id of ['new', 'network', 'favorite', 'my-playlist']) {
      await expect(fixture.importRows({ songs: [createSongRow(1, { category_id })] })).rejects.toThrow('songs[0].category_id')
      await expect(fixture.importRows({ playlists: [createPlaylistRow('one', [], { category_id })] })).rejects.toThrow(
        'playlists[0].category_id',
      )
    }
  })

  test('names are trimmed, and names without a visible character are refused', fixture.longOnPostgres, async () => {
    for (const title of [' ', '\u200b', '\u3164', '\u2800', '\u0301'])
      await expect(fixture.importRows({ songs: [createSongRow(1, { title })] })).rejects.toThrow('songs[0].title: has no visible character')
    await fixture.importRows({ songs: [createSongRow(1, { title: '  Padded  ', author_name: '\tSomebody ' })] })
    expect(await fixture.storage.songs.get(formatSongId(1), undefined, songReadOptions)).toMatchObject({
      title: 'Padded',
      author_name: 'Somebody',
    })
  })

  test('a song and a news item whose dates are in the future are not new before these dates', async () => {
    const futureDate = { date_added: '2099-01-01' }
    await fixture.importRows({
      songs: [createSongRow(1, futureDate), createSongRow(2, { date_added: '2026-01-01' })],
      feed: [{ title: 'N', content: 'x', date: '2099-01-01' }],
    })
    expect(await readSongIds('new')).toEqual([formatSongId(2)])
    const atMs = Date.parse('2026-01-02')
    const readSong = (ms: number) => fixture.storage.songs.get(formatSongId(1), undefined, { newSinceMs: 0, newUntilMs: ms })
    expect([(await readSong(atMs))?.new, (await readSong(Date.parse('2099-01-02')))?.new]).toEqual(['false', 'true'])
    expect(await fixture.storage.feed.list(allRows, atMs)).toEqual([])
    expect(await fixture.storage.feed.list(allRows, Date.parse('2099-01-02'))).toHaveLength(1)
  })

  test('a song whose date is in the future is the last of its category and of the network, and does not name the category', async () => {
    await fixture.importRows({
      members: [{ channel_id: 'UC1', channel_name: 'One' }],
      songs: [
        createSongRow(1, { author_channel_id: 'UC1', date_added: '2099-01-01', category_name: 'Later name' }),
        createSongRow(2, { author_channel_id: 'UC1', date_added: '2025-01-01', category_name: 'Older name' }),
        createSongRow(3, { author_channel_id: 'UC1', date_added: '2026-01-01', category_name: 'Current name' }),
      ],
    })
    const newestFirst = [3, 2, 1].map(formatSongId)
    expect([await readSongIds('house'), await readSongIds('network')]).toEqual([newestFirst, newestFirst])
    const categoryPage = await fixture.storage.playlists.get('house', allRows, songReadOptions)
    expect(categoryPage?.playlist.title).toBe('Current name')
  })

  test('a replaced picture has a new address', fixture.longOnPostgres, async () => {
    const listAddresses = async () => {
      const [playlist] = (await listPlaylists()).filter(({ id }) => id === 'one')
      const [member] = await fixture.storage.members.list(allRows)
      return [playlist?.image_url, member?.channel_pic]
    }
    const createRowsWithUrl = (url: string) => ({
      songs: createSongRows(1),
      playlists: [createPlaylistRow('one', [1], { image_url: url })],
      members: [{ channel_id: 'UC1', channel_name: 'One', channel_pic: url }],
    })
    await fixture.importRows(createRowsWithUrl('https://example.com/a.png'))
    const addressesBefore = await listAddresses()
    await fixture.importRows(createRowsWithUrl('https://example.com/a.png'))
    expect(await listAddresses()).toEqual(addressesBefore)
    await fixture.importRows(createRowsWithUrl('https://example.com/b.png'))
    for (const [index, address] of (await listAddresses()).entries()) expect(address).not.toBe(addressesBefore[index])
  })

  test('a supporter has the texts and links of the last import', async () => {
    const ariaRow = { domain_name: 'aria', name: 'Aria' }
    const supporterTexts = { subtitle: 'Fast', about_me: 'Me', social_text: 'Thanks', soundcloud: 'https://example.com/aria' }
    await fixture.importRows({ supporters: [{ ...ariaRow, ...supporterTexts, profile_pic: 'https://example.com/s.png' }] })
    expect(await fixture.storage.supporters.find('aria')).toEqual({ ...ariaRow, ...supporterTexts })
    await expect(fixture.importRows({ supporters: [{ ...ariaRow, patreon: 'javascript:alert(1)' }] })).rejects.toThrow(
      'supporters[0].patreon',
    )
    await fixture.importRows({ supporters: [ariaRow] })
    expect(await fixture.storage.supporters.find('aria')).toEqual(ariaRow)
  })

  test('a catalogue of another version, whose table of songs lacks a column, is rebuilt from its rows when it is opened', async () => {
    await fixture.importRows({
      songs: [createSongRow(1, { duration: 100, description: 'About', author_channel_id: 'UC1' }), createSongRow(2)],
      playlists: [createPlaylistRow('one', [2, 1], { home: true })],
    })
    const songBefore = await fixture.storage.songs.get(formatSongId(1), 'one', songReadOptions)
    await fixture.reopenWithoutColumn('duration')
    const { duration, ...otherColumns } = songBefore ?? {}
    expect(duration).toBe(100)
    expect(await fixture.storage.songs.get(formatSongId(1), 'one', songReadOptions)).toEqual(otherColumns)
    expect(await readSongIds('one')).toEqual([formatSongId(2), formatSongId(1)])
    expect((await listPlaylists(true)).map((each) => each.id)).toEqual(['new', 'one'])
    expect(await fixture.storage.songs.search(createSongSearch('song 1'), songReadOptions)).toEqual([
      expect.objectContaining({ youtube_id: formatSongId(1) }),
    ])
    const revisionBefore = fixture.storage.revision()
    await fixture.reopen()
    expect(fixture.storage.revision(), 'rebuilt once').toBe(revisionBefore)
    await fixture.importRows({ songs: [createSongRow(1, { duration: 7 })] })
    expect(await fixture.storage.songs.get(formatSongId(1), 'one', songReadOptions)).toMatchObject({ duration: 7 })
  })

  test('a catalogue of another version, whose search texts were folded differently, is rebuilt when it is opened, so that searches find its songs', async () => {
    await fixture.importRows({
      songs: [createSongRow(1, { title: 'パパ', author_name: 'AC/DC' })],
      playlists: [createPlaylistRow('one', [1], { title: "Don't Stop" })],
    })
    await fixture.reopenWithOldTexts()
    for (const text of ['パパ', 'acdc', 'ac dc'])
      expect(await fixture.storage.songs.search(createSongSearch(text), songReadOptions), text).toHaveLength(1)
    expect((await fixture.storage.suggestions.find('dont', 4, songReadOptions)).playlists).toHaveLength(1)
  })

  test('a second import updates rows by id and keeps the others; repeating it changes nothing', async () => {
    const importRows = {
      songs: createSongRows(4),
      playlists: [createPlaylistRow('one', [1, 2]), createPlaylistRow('two', [3])],
      feed: [{ title: 'N', content: 'x', date: '2026-01-01' }],
    }
    await fixture.importRows(importRows)
    const playlistsBefore = await listPlaylists()
    await fixture.importRows(importRows)
    expect(await listPlaylists()).toEqual(playlistsBefore)
    expect(await fixture.storage.feed.list(allRows, Date.now())).toHaveLength(1)

    await fixture.importRows({
      // If several rows have the same id, the last one is used.
      songs: [createSongRow(2, { title: 'Not yet' }), createSongRow(9), createSongRow(2, { title: 'Renamed' })],
      playlists: [createPlaylistRow('one', [9, 2, 4], { title: 'Longer' })],
    })
    expect(await readSongIds('one')).toEqual([formatSongId(9), formatSongId(2), formatSongId(4)])
    expect(await readSongIds('two')).toEqual([formatSongId(3)])
    expect((await fixture.storage.playlists.get('one', allRows, songReadOptions))?.playlist.title).toBe('Longer')
    expect((await fixture.storage.songs.search(createSongSearch('renamed'), songReadOptions)).map((each) => each.youtube_id)).toEqual([
      formatSongId(2),
    ])
    expect(await fixture.storage.songs.search(createSongSearch('yet'), songReadOptions)).toEqual([])
    expect(await readSongIds('house')).toEqual([9, 4, 3, 2, 1].map(formatSongId))
  })

  test("the computed playlists contain the newest songs and the members' songs", async () => {
    await fixture.importRows({
      songs: [
        ...createSongRows(120),
        createSongRow(200, { author_channel_id: 'UC1' }),
        createSongRow(201, { author_channel_id: 'UC9' }),
        createSongRow(202, { author_channel_id: 'UC2' }),
      ],
    })
    expect((await listPlaylists(true)).map((each) => each.id)).toEqual(['new'])
    const newestIds = (await readSongIds('new')) ?? []
    expect(newestIds).toHaveLength(100)
    expect(newestIds.slice(0, 4)).toEqual([202, 201, 200, 120].map(formatSongId))
    expect(await readSongIds('network')).toBeUndefined()

    await fixture.importRows({
      members: [
        { channel_id: 'UC1', channel_name: 'One' },
        { channel_id: 'UC2', channel_name: 'Two', academy: true },
      ],
    })
    expect((await listPlaylists(true)).map((each) => each.id)).toEqual(['network', 'new'])
    expect(await readSongIds('network')).toEqual([formatSongId(202), formatSongId(200)])
    expect(await fixture.storage.songs.get(formatSongId(202), 'network', songReadOptions)).toMatchObject({
      next: formatSongId(200),
      context_title: 'Network songs',
    })
  })

  test('listRandom returns distinct playlists that have songs', async () => {
    await fixture.importRows({
      songs: createSongRows(1),
      playlists: [...Array.from({ length: 40 }, (_, i) => createPlaylistRow(`p${i}`, [1])), createPlaylistRow('empty', [])],
    })
    const drawnPlaylists = await Promise.all(Array.from({ length: 5 }, () => fixture.storage.playlists.listRandom(12)))
    for (const playlists of drawnPlaylists) expect(new Set(playlists.map((each) => each.id)).size).toBe(12)
    expect(new Set(drawnPlaylists.map((playlists) => playlists.map((each) => each.id).join())).size).toBe(5)
    expect(drawnPlaylists.flat().map((each) => each.id)).not.toContain('empty')
  })

  test('an invalid value is named in the error, and nothing changes', fixture.longOnPostgres, async () => {
    const invalidImports: [name: string, rows: Partial<Record<ImportFileKey, readonly unknown[]>>, expectedMessage: RegExp][] = [
      ['a missing field', { songs: [createSongRow(1), { ...createSongRow(2), title: undefined }] }, /^songs\[1\]\.title: is missing$/],
      [
        'a date that does not exist',
        { songs: [createSongRow(1, { date_added: '2026-02-30' })] },
        /^songs\[0\]\.date_added: there is no such date/,
      ],
      ['a text that is no date', { songs: [createSongRow(1, { date_added: 'yesterday' })] }, /^songs\[0\]\.date_added: /],
      ['a wrong type', { songs: [createSongRow(1), { ...createSongRow(2), duration: 'long' }] }, /^songs\[1\]\.duration: must be integer/],
      ['a wrong id', { songs: [createSongRow(1, { youtube_id: 'short' })] }, /^songs\[0\]\.youtube_id: /],
      [
        'an unknown song',
        { songs: createSongRows(2), playlists: [createPlaylistRow('a', [1]), createPlaylistRow('b', [2, 1, 7])] },
        /^playlists\[1\]\.songs\[2\]: there is no song 'song_000007'/,
      ],
      ['a wrong song in a playlist', { playlists: [{ ...createPlaylistRow('a', []), songs: ['x'] }] }, /^playlists\[0\]\.songs\[0\]: /],
      ["an id of the site's own", { playlists: [createPlaylistRow('new', [])] }, /^playlists\[0\]\.id: 'new' is taken/],
      ['a row that is no object', { members: [7] }, /^members\[0\]: must be object/],
      [
        'an address that is not https',
        { supporters: [{ domain_name: 'a', name: 'A', profile_pic: 'javascript:1' }] },
        /^supporters\[0\]\.profile_pic: /,
      ],
      ['a NUL character', { songs: [createSongRow(1, { title: 'a\0b' })] }, /^songs\[0\]\.title: holds a NUL/],
      [
        'an audience that no sum can hold',
        { members: [{ channel_id: 'a', channel_name: 'A', views: 1e308 }] },
        /^members\[0\]\.views: must be/,
      ],
      ['a link that runs', { feed: [{ title: 'x', content: '', date: '2026-01-01', url: 'javascript:alert(1)' }] }, /^feed\[0\]\.url: /],
      ['a link that leaves', { feed: [{ title: 'x', content: '', date: '2026-01-01', url: '//other.example' }] }, /^feed\[0\]\.url: /],
      ['bad news', { feed: [{ title: 'x', date: '2026-01-01' }] }, /^feed\[0\]\.content: is missing$/],
    ]
    await fixture.importRows({ songs: createSongRows(2) })
    const revisionBefore = fixture.storage.revision()
    for (const [caseName, importRows, expectedMessage] of invalidImports) {
      const importFailure = await fixture.importRows(importRows).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(importFailure, caseName).toMatchObject({ name: 'ImportError' })
      expect(importFailure instanceof Error ? importFailure.message : '', caseName).toMatch(expectedMessage)
      expect(await readSongIds('house'), caseName).toEqual([formatSongId(2), formatSongId(1)])
      expect(await fixture.storage.supporters.list(allRows, Date.now()), caseName).toEqual([])
      expect(fixture.storage.revision(), caseName).toBe(revisionBefore)
    }
    await fixture.importRows({ songs: createSongRows(3) })
    expect(fixture.storage.revision()).not.toBe(revisionBefore)
  })

  test.each([
    ['{"songs": [', /is not valid JSON/],
    ['{"songs": [}]}', /is not valid JSON/],
    ['nonsense', /is not valid JSON/],
    ['', /is not valid JSON/],
    ['[]', /must hold one JSON object/],
    ['"text"', /must hold one JSON object/],
    ['{"song": []}', /unknown key 'song'/],
    ['{"songs": {}}', /^songs: must be a list/],
    ['{"songs": 7}', /^songs: must be a list/],
    ['{} {}', /is not valid JSON/],
  ])(
    'an import file with the content %j is refused with a message of one line',
    fixture.longOnPostgres,
    async (fileText, expectedMessage) => {
      const importFailure = await fixture.importText(fileText).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(importFailure).toMatchObject({ name: 'ImportError' })
      const failureMessage = importFailure instanceof Error ? importFailure.message : ''
      expect(failureMessage).toMatch(expectedMessage)
      expect(failureMessage).not.toContain('\n')
      expect(await fixture.storage.catalogue.isEmpty()).toBe(true)
    },
  )

  test('a row of excessive size is refused before it fills the memory', fixture.longOnPostgres, async () => {
    const endlessFile = `{"songs": [${JSON.stringify(createSongRow(1))}, {"title": "${'x'.repeat(34 * 1024 * 1024)}`
    await expect(fixture.importText(endlessFile)).rejects.toThrow(/^songs\[1\]: is larger than 32 MB$/)
    await expect(fixture.importText(`{"songs": [${'['.repeat(100_000)}`)).rejects.toThrow(/^songs: is nested more than 50 levels deep/)
    expect(await fixture.storage.catalogue.isEmpty()).toBe(true)
  })

  test('dates: a year below 100 is not mapped to the twentieth century', fixture.longOnPostgres, async () => {
    await fixture.importRows({ songs: [createSongRow(1, { date_added: '0099-12-31' })] })
    expect((await fixture.storage.songs.get(formatSongId(1), undefined, songReadOptions))?.date_added).toMatch(/^0099-12-31T/)
  })

  test('an empty file, a byte order mark and unknown keys of a row are accepted', fixture.longOnPostgres, async () => {
    expect(await fixture.importText('{}')).toEqual({ playlists: 0, songs: 0, members: 0, supporters: 0, feed: 0 })
    await fixture.importText(`\uFEFF${JSON.stringify({ songs: [{ ...createSongRow(1), extra: 1 }] })}`)
    expect(await readSongIds('house')).toEqual([formatSongId(1)])
  })

  test('settings per brand and contact messages are stored', async () => {
    const { settings, contacts } = fixture.storage
    const revisionBefore = fixture.storage.revision()
    await settings.set('NAME', 'Every', undefined)
    await settings.set('NAME', 'Own', 'one')
    await settings.set('DOMAIN', 'd', undefined)
    expect(fixture.storage.revision()).not.toBe(revisionBefore)
    expect(await settings.readForBrand('one')).toEqual({ NAME: 'Own', DOMAIN: 'd' })
    expect(await settings.readForBrand('two')).toEqual({ NAME: 'Every', DOMAIN: 'd' })
    await settings.set('NAME', undefined, 'one')
    expect(await settings.readForBrand('one')).toEqual({ NAME: 'Every', DOMAIN: 'd' })

    await contacts.add({ topic: 'other', message: 'a\0b', brandId: 'one', atMs: Date.UTC(2026, 0, 1) })
    await contacts.add({ topic: 'bug-report', email: 'a@example.com', remember: 'Yes', brandId: 'two', atMs: Date.UTC(2026, 0, 2) })
    expect(await contacts.list(allRows)).toEqual([
      { id: '2', topic: 'bug-report', email: 'a@example.com', remember: 'Yes', brand: 'two', created: '2026-01-02T00:00:00.000Z' },
      { id: '1', topic: 'other', message: 'ab', brand: 'one', created: '2026-01-01T00:00:00.000Z' },
    ])
    await fixture.storage.checkHealth()
  })
})
