import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTooLargeMessage, readFileText, readSongFile } from './read-song-file.ts'
import { decodeText, type SongFile } from './song-file.ts'
import { type ExportablePlaylist, toPlaylistCsv, toPlaylistM3u8, toPlaylistsJson } from './write-playlist.ts'

const createSongId = (index: number) => `song${String(index).padStart(7, '0')}`
const createWatchUrl = (index: number) => `https://www.youtube.com/watch?v=${createSongId(index)}`

/** Returns the playlists of a file, each with its title and its songs as `songId`, or `artist / title` where the file has no id. */
const readPlaylists = (fileText: string, fileName = 'file.csv') =>
  readSongFile(fileText, fileName)?.playlists.map(({ title, songs }) => ({
    title,
    songs: songs.map((song) => song.songId ?? `${song.artist} / ${song.title}`),
  }))

const toJson = (value: unknown) => JSON.stringify(value)

describe('song file: tables', () => {
  it.each([
    ['English', 'Video ID,Playlist Video Creation Timestamp'],
    ['Italian', 'ID video,Data e ora di aggiunta'],
    ['German', 'Video-ID,Zeitstempel der Erstellung des Playlist-Videos'],
    ['Japanese', '動画 ID,再生リストの動画の作成タイムスタンプ'],
  ])('song file: a playlist of YouTube’s export in %s gets the name of its file', (_, headingCells) => {
    const csvRows = [1, 2].map((index) => `${createSongId(index)},2025-11-0${index}T10:00:00+00:00`)
    expect(readPlaylists(`${[headingCells, ...csvRows].join('\n')}\n\n\n\n\n\n`, 'Takeout/YouTube/playlists/夜の曲-videos.csv')).toEqual([
      { title: '夜の曲', songs: [createSongId(1), createSongId(2)] },
    ])
    expect(readSongFile([headingCells, ...csvRows].join('\n'), 'x.csv')?.unreadablePositions).toEqual([])
  })

  it.each([
    ['English', 'Playlist Id,Channel Id,Time Created,Time Updated,Title,Description,Visibility', 'Video Id,Time Added'],
    [
      'Italian',
      'ID playlist,ID canale,Data e ora di creazione,Data e ora di aggiornamento,Titolo,Descrizione,Visibilità',
      'ID video,Aggiunta',
    ],
    ['Dutch', 'Afspeellijst-ID,Kanaal-ID,Gemaakt,Bijgewerkt,Titel,Beschrijving,Zichtbaarheid', 'Kenmerk,Toegevoegd'],
  ])(
    'song file: YouTube’s export from before 2023 in %s has the title of the playlist above the songs',
    (_, propertyNames, headingCells) => {
      const cellValues =
        'PLvd2udxH_9YfTKNCEroYs8Uo6wvTZFs5Q,UCa-8F5RPuJgt2Kv26eYJv-w,2023-03-07 05:54:43 Z,2023-03-20 13:28:01 Z,Swing &amp; more,nice,Private'
      const file = readSongFile(
        [propertyNames, cellValues, ',,,,,,', `${headingCells},,,,,`, `${createSongId(1)},2023-03-07 05:54:43 Z,,,,,`].join('\n'),
        'swing.csv',
      )
      expect(file).toMatchObject({
        playlists: [{ title: 'Swing & more', description: 'nice', songs: [{ songId: createSongId(1) }] }],
        unreadablePositions: [],
      })
    },
  )

  it.each([
    ['夜の曲-videos.csv', '夜の曲'],
    ['Mis favoritos-vídeos.csv', 'Mis favoritos'],
    ['Mis favoritos videos.csv', 'Mis favoritos'],
    ['Ma liste-vidéos.csv', 'Ma liste'],
    ['Ma liste-vide\u0301os.csv', 'Ma liste'],
    ['Nachts-Videos.csv', 'Nachts'],
    ['Notte-video.csv', 'Notte'],
    ['夜 の動画.csv', '夜'],
    ['夜-動画.csv', '夜'],
    ['출근길 노래-동영상.csv', '출근길 노래'],
    ['Ночь-видео.csv', 'Ночь'],
    ['Liked videos.csv', 'Liked videos'],
    ['高く評価した動画.csv', '高く評価した動画'],
    ['My videos-videos.csv', 'My videos'],
  ])('song file: the playlist of the table %s in YouTube’s export is called %s', (fileName, title) => {
    expect(readPlaylists(`Video ID,Time\n${createSongId(1)},2025`, fileName)?.[0]?.title).toBe(title)
  })

  it('song file: a word for videos stays in the name of a file that YouTube has not written', () => {
    expect(readPlaylists('Track name,Artist name\nOne,A', 'Music-Videos.csv')?.[0]?.title).toBe('Music-Videos')
    expect(readPlaylists(`#EXTM3U\n${createWatchUrl(1)}`, 'Music-Videos.m3u')?.[0]?.title).toBe('Music-Videos')
  })

  it('song file: a table of Exportify identifies songs by title and artists', () => {
    const headingLine =
      '"Track URI","Track Name","Artist URI(s)","Artist Name(s)","Album URI","Album Name","Track Duration (ms)","Added At"'
    const csvRow = `"spotify:track:07nog2WGKrjfn9T4q2xpC8","Kiss, Kiss &amp; Tell","spotify:artist:7xzK8IR2IApUJqO2jVmmIo","The Car Is On Fire","spotify:album:1eSASsUdwbckHLanqsIfvf","Lake & Flames","137826","2018-12-23T10:12:16Z"`
    const japaneseLine = `"spotify:track:17nog2WGKrjfn9T4q2xpC8","夜に駆ける","x","YOASOBI, 幾田りら","y","","0",""`
    expect(readPlaylists(`\u{FEFF}${[headingLine, csvRow, japaneseLine].join('\r\n')}`, 'my_list.csv')).toEqual([
      { title: 'my_list', songs: ['The Car Is On Fire / Kiss, Kiss & Tell', 'YOASOBI, 幾田りら / 夜に駆ける'] },
    ])
  })

  it.each([
    ['German', ['Track-URI', 'Track-Name', 'Künstler-URI(s)', 'Künstlername(n)', 'Album-URI', 'Album-Name'], ''],
    ['Japanese', ['トラックURI', 'トラック名', 'アーティストURI', 'アーティスト名', 'アルバムURI', 'アルバム名'], '名前'],
    ['English', ['Track URI', 'Track Name', 'Artist URI(s)', 'Artist Name(s)', 'Album URI', 'Album Name'], 'Name'],
  ])(
    'song file: a table of Exportify in %s has local files and artists with commas, and newer ones the name of the playlist',
    (_, headingLine, nameHeading) => {
      const csvRows = [
        ['spotify:local:a:b:c:213', 'Own "File"', '', 'Somebody', '', ''],
        ['spotify:track:07nog2WGKrjfn9T4q2xpC8', 'See You\nAgain', 'spotify:artist:1', 'Tyler\\, The Creator, Kali', 'spotify:album:1', ''],
      ]
      const namedRows = [headingLine, ...csvRows].map((cells, index) =>
        nameHeading === '' ? cells : [index === 0 ? nameHeading : 'Ride; home', ...cells],
      )
      const csvText = namedRows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')
      expect(readPlaylists(csvText, 'ride_home.csv')).toEqual([
        {
          title: nameHeading === '' ? 'ride_home' : 'Ride; home',
          songs: ['Somebody / Own "File"', 'Tyler, The Creator, Kali / See You\nAgain'],
        },
      ])
      expect(readSongFile(csvText, 'x.csv')?.unreadablePositions).toEqual([])
    },
  )

  it('song file: a table of TuneMyMusic identifies songs from YouTube by id; its albums and artists are not imported as songs', () => {
    const headingLine = 'Track name,Artist name,Album,Playlist name,Type,ISRC,Youtube - id'
    const csvRows = [
      `"Tom &amp; Jerry",Kirano,,Mix,Playlist,,${createSongId(1)}`,
      ',Kirano,Album,Albums,Album,,',
      ',Kirano,,Artists,Artist,,',
    ]
    const file = readSongFile(`\u{FEFF}${[headingLine, ...csvRows].join('\r\n')}`, 'My Library.csv')
    expect(file?.playlists).toMatchObject([{ title: 'Mix', songs: [{ songId: createSongId(1), title: 'Tom & Jerry', artist: 'Kirano' }] }])
    expect(file?.unreadablePositions).toEqual([3, 4])
  })

  it('song file: the list of playlists in YouTube’s export, whose songs are in other files, has no songs', () => {
    const headingLine =
      'Playlist ID,Add new videos to top,Playlist Image 1 URL,Playlist Title (Original),Playlist Create Timestamp,Playlist Update Timestamp,Playlist Video Order,Playlist Visibility'
    const csvRow =
      'PLvd2udxH_9YfTKNCEroYs8Uo6wvTZFs5Q,False,https://yt3.example/a,Chill-Vibe5,2023-03-07T05:54:43+00:00,2023-03-07T05:54:43+00:00,Manual,Private'
    expect(readSongFile([headingLine, csvRow, csvRow].join('\n'), 'playlists.csv')).toBeUndefined()
    expect(readPlaylists(`Video ID,Playlist Video Creation Timestamp\n${createSongId(1)},2025`, 'Liked videos.csv')?.[0]?.title).toBe(
      'Liked videos',
    )
  })

  it('song file: a table of several playlists is split into one list for each playlist, with any delimiter', () => {
    const csvRows = ['Track name;Artist name;Album;Playlist name;ISRC', 'One;A;;Morning;', 'Two;B;;Night;', 'Three;A;;Morning;']
    for (const delimiter of [';', ',', '\t'])
      expect(readPlaylists(csvRows.join('\n').replaceAll(';', delimiter))).toEqual([
        { title: 'Morning', songs: ['A / One', 'A / Three'] },
        { title: 'Night', songs: ['B / Two'] },
      ])
  })

  it('song file: words of eleven letters are titles, not ids', () => {
    expect(readPlaylists('Radioactive\nThunderbird\nNIGHTCALLED')).toBeUndefined()
    expect(readPlaylists('Title,Artist\nRadioactive,Nightcalled')).toEqual([{ title: 'file', songs: ['Nightcalled / Radioactive'] }])
    expect(readPlaylists(toJson(['Radioactive', 'Thunderbird']))).toBeUndefined()
    expect(readPlaylists(toJson({ tags: ['Radioactive'], videos: [createSongId(1)] }), 'mine.json')).toEqual([
      { title: 'mine', songs: [createSongId(1)] },
    ])
  })

  it.each([
    ['Portuguese', 'ID do vídeo,Song Title,Album Title,Artist Name 1,Artist Name 2', createSongId(1)],
    ['Chinese', '影片 ID,Song Title,Album Title,Artist Name 1,Artist Name 2', createSongId(1)],
    [
      'the older form',
      'Song URL,Song Title,Album Title,Artist Names',
      `https://music.youtube.com/watch?v=${createSongId(1)}&feature=share`,
    ],
  ])('song file: songs of YouTube’s music library in %s have ids, titles and artists', (_, headingLine, idCell) => {
    expect(readSongFile(`${headingLine}\n${idCell},Lost,Nightcore-1,Kirano\n,Found,,Kirano`, 'songs.csv')?.playlists[0]?.songs).toEqual([
      { position: 2, songId: createSongId(1), title: 'Lost', artist: 'Kirano' },
      { position: 3, title: 'Found', artist: 'Kirano' },
    ])
  })

  it('song file: titles, genres and numbers of eleven characters are no ids in a table whose headings name none', () => {
    const csvText =
      'Track name,Artist name,Genre,Code\nNightcore-X1,will-i-am13,post-grunge,12345678901\nB4ck2Bl4ck1,A,indie-dance,12345678902'
    expect(readPlaylists(csvText)?.[0]?.songs).toEqual(['will-i-am13 / Nightcore-X1', 'A / B4ck2Bl4ck1'])
  })

  it('song file: songs of YouTube’s music library have ids, titles and artists; subscriptions have no songs', () => {
    const songsText = `Video ID,Song Title,Album Title,Artist Name 1\n${createSongId(1)},Lost,Album,Kirano`
    expect(readSongFile(songsText, 'music library songs.csv')?.playlists[0]?.songs).toEqual([
      { position: 2, songId: createSongId(1), title: 'Lost', artist: 'Kirano' },
    ])
    const subscriptions =
      'Channel Id,Channel Url,Channel Title\nUCa-8F5RPuJgt2Kv26eYJv-w,http://www.youtube.com/channel/UCa-8F5RPuJgt2Kv26eYJv-w,Radioactive'
    expect(readSongFile(subscriptions, 'subscriptions.csv')).toBeUndefined()
  })
})

describe('song file: JSON', () => {
  const freeTubePlaylists = [
    {
      playlistName: 'Watch &amp; Learn',
      protected: false,
      description: 'd',
      videos: [{ videoId: createSongId(1), title: 'One', author: 'A', lengthSeconds: 3 }],
    },
    { playlistName: 'Two', videos: [{ videoId: createSongId(2), title: 'Radioactive', author: 'B' }], _id: 'Nightcalled' },
  ]
  it.each<[string, unknown, { title: string; songs: string[] }[]]>([
    [
      'Invidious',
      {
        subscriptions: ['UCa-8F5RPuJgt2Kv26eYJv-w'],
        watch_history: [createSongId(9)],
        preferences: { locale: 'en-US' },
        playlists: [
          { title: '夜', description: 'd', privacy: 'Private', videos: [createSongId(2), createSongId(3)] },
          { title: 'Two', description: '', privacy: 'Public', videos: [createSongId(2)] },
        ],
      },
      [
        { title: '夜', songs: [createSongId(2), createSongId(3)] },
        { title: 'Two', songs: [createSongId(2)] },
      ],
    ],
    [
      'Piped',
      {
        format: 'Piped',
        version: 1,
        playlists: [{ name: 'x', type: 'playlist', visibility: 'private', videos: [createWatchUrl(1), createWatchUrl(1)] }],
      },
      [{ title: 'x', songs: [createSongId(1), createSongId(1)] }],
    ],
    [
      'LibreTube',
      {
        format: 'LibreTube',
        version: 1,
        watchHistory: [{ videoId: createSongId(9), title: 't', uploader: 'u' }],
        watchPositions: [{ videoId: createSongId(8), position: 5 }],
        playlistBookmarks: [{ playlistId: 'PLx', playlistName: 'b', videos: 4 }],
        localPlaylists: [
          {
            playlist: { id: 1, name: 'Mine', thumbnailUrl: '', description: '' },
            videos: [{ id: 5, playlistId: 1, videoId: createSongId(2), title: 't', uploader: 'u' }],
          },
        ],
        playlists: [{ name: 'Mine', type: 'playlist', visibility: 'private', videos: [createWatchUrl(2)] }],
      },
      [{ title: 'Mine', songs: [createSongId(2)] }],
    ],
    [
      'LibreTube without local playlists',
      { localPlaylists: [], playlists: [{ name: 'Piped’s', videos: [`/watch?v=${createSongId(3)}`] }] },
      [{ title: 'Piped’s', songs: [createSongId(3)] }],
    ],
    [
      'FreeTube',
      freeTubePlaylists,
      [
        { title: 'Watch &amp; Learn', songs: [createSongId(1)] },
        { title: 'Two', songs: [createSongId(2)] },
      ],
    ],
  ])('song file: the playlists of %s are read, and not its history', (_, document, playlists) => {
    expect(readPlaylists(toJson(document), 'backup.json')).toEqual(playlists)
  })

  it('song file: the playlists of FreeTube, one document in each line, are read with titles and artists', () => {
    const file = readSongFile(`${freeTubePlaylists.map(toJson).join('\n')}\n`, 'freetube-playlists-2026-11-26.db')
    expect(file?.playlists.map(({ songs }) => songs.map(({ title, artist }) => `${artist} / ${title}`))).toEqual([
      ['A / One'],
      ['B / Radioactive'],
    ])
  })

  it('song file: of the lines of a playlist in FreeTube’s own database file, only the last line is read', () => {
    const [firstPlaylist, secondPlaylist] = freeTubePlaylists
    const fileLines = [
      { ...firstPlaylist, _id: 'favorites', playlistName: 'Favorites' },
      secondPlaylist,
      {
        ...firstPlaylist,
        _id: 'favorites',
        playlistName: 'Favorites',
        videos: [...(firstPlaylist?.videos ?? []), ...(secondPlaylist?.videos ?? [])],
      },
      { $$deleted: true, _id: secondPlaylist?._id },
      { $$indexCreated: { fieldName: '_id', unique: true } },
    ]
    expect(readPlaylists(fileLines.map(toJson).join('\n'), 'playlists.db')).toEqual([
      { title: 'Favorites', songs: [createSongId(1), createSongId(2)] },
    ])
  })

  it('song file: of the file with an account’s data, all playlists are read, and the favorites as one more; or the favorites alone', () => {
    const accountFile = toJson({
      uid: 'ann',
      favorites: [{ s: createSongId(4), at: '2026-01-01T00:00:00Z' }],
      playlists: [
        { title: 'Roads', description: 'd', created: '2026-01-01T00:00:00Z', songs: [{ s: createSongId(1), at: '2026-01-01T00:00:00Z' }] },
        { title: 'Empty', description: '', created: '2026-01-01T00:00:00Z', songs: [] },
        { title: 'Night', description: '', created: '2026-01-01T00:00:00Z', songs: [{ s: createSongId(2), at: '2026-01-01T00:00:00Z' }] },
      ],
      follows: ['An artist'],
    })
    expect(readPlaylists(accountFile, 'my-data.json')).toEqual([
      { title: 'Roads', songs: [createSongId(1)] },
      { title: 'Night', songs: [createSongId(2)] },
      { title: 'Favorites', songs: [createSongId(4)] },
    ])
    const favoritesFile = readSongFile(accountFile, 'my-data.json', { favoritesOnly: true })
    expect(favoritesFile?.playlists.map(({ songs }) => songs.map(({ songId }) => songId))).toEqual([[createSongId(4)]])
  })

  it.each<[string, unknown]>([
    [
      'YouTube',
      [{ header: 'YouTube', title: 'Watched x', titleUrl: createWatchUrl(1), time: '2026-01-01T00:00:00Z', products: ['YouTube'] }],
    ],
    ['FreeTube', [{ videoId: createSongId(1), title: 't', author: 'a', watchProgress: 3, timeWatched: 1_700_000_000_000 }]],
    ['Invidious', { subscriptions: [], watch_history: [createSongId(1)], playlists: [] }],
    ['Piped', { format: 'Piped', version: 1, watchHistory: [{ videoId: createSongId(1), url: `/watch?v=${createSongId(1)}` }] }],
    [
      'Piped in its form of a playlist',
      {
        format: 'Piped',
        version: 1,
        playlists: [{ name: 'Piped History 2026-01-01', type: 'history', visibility: 'private', videos: [createWatchUrl(1)] }],
      },
    ],
    ['LibreTube', { watchHistory: [{ videoId: createSongId(1) }], watchPositions: [{ videoId: createSongId(2), position: 1 }] }],
  ])('song file: the history of %s has no songs', (_, document) => {
    expect(readSongFile(toJson(document), 'history.json')).toBeUndefined()
  })

  it.each<[string, unknown]>([
    [
      'subscriptions',
      {
        _id: 'allChannels',
        name: 'All Channels',
        subscriptions: [{ id: 'UCa-8F5RPuJgt2Kv26eYJv-w', name: 'Somebody', thumbnail: 'https://yt3.example/a' }],
      },
    ],
    ['search history', { _id: 'lofi-beats1', lastUpdatedAt: 1_700_000_000_000 }],
  ])('song file: the %s of FreeTube has no songs, although its key looks like the id of a video', (_, document) => {
    expect(readSongFile(`${toJson(document)}\n`, 'freetube.db')).toBeUndefined()
    expect(readSongFile(`${toJson(document)}\n${toJson(document)}\n`, 'freetube.db')).toBeUndefined()
  })

  it('song file: the member `id` of a song is the id of its video, unless it is a word', () => {
    expect(readPlaylists(toJson([{ id: createSongId(1), title: 'One', artist: 'A' }]))?.[0]?.songs).toEqual([createSongId(1)])
    expect(readPlaylists(toJson([{ id: 'Radioactive', title: 'Two', artist: 'B' }]))?.[0]?.songs).toEqual(['B / Two'])
  })

  it('song file: a document that is nested a thousand times, or that is cut off, has no songs', () => {
    const nested = `${'{"videos":['.repeat(1000)}"${createSongId(1)}"${']}'.repeat(1000)}`
    expect(readSongFile(nested, 'x.json')).toBeUndefined()
    expect(readSongFile(nested.slice(0, -1), 'x.json')).toBeUndefined()
  })
})

describe('song file: size', () => {
  it('song file: a file of 50 MB is read, and a larger one is refused with that limit', async () => {
    expect(await readFileText(new File([new Uint8Array(50_000_000).fill(0x61)], 'a.csv'))).toHaveProperty('text.length', 50_000_000)
    expect(await readFileText(new File([new Uint8Array(50_000_001)], 'a.csv'))).toBe('too-large')
    expect(formatTooLargeMessage('a.csv')).toBe('a.csv is larger than 50 MB.')
  })
})

describe('song file: M3U', () => {
  it('song file: an M3U playlist identifies songs by URL, by EXTINF line, or by file name', () => {
    const fileText = [
      '#EXTM3U',
      '#PLAYLIST:Nächte &amp; Tage',
      '#EXTINF:213,Kirano - Lost — Found',
      createWatchUrl(1),
      '#EXTINF:-1 tvg-name="a, b",夜 – 駆ける',
      'C:\\Music\\x.mp3',
      '',
      '../Music/Some%20One - A%CC%8A song.flac',
      `https://invidious.example/watch?v=${createSongId(2)}&list=x`,
      'Radioactive.mp3',
    ].join('\r\n')
    expect(readPlaylists(fileText, 'x.m3u8')).toEqual([
      { title: 'Nächte & Tage', songs: [createSongId(1), '夜 / 駆ける', 'Some One / A\u030A song', createSongId(2), ' / Radioactive'] },
    ])
    expect(readPlaylists(`#EXTINF:1,A - B\nx.mp3`, 'Mix 3.m3u')).toEqual([{ title: 'Mix 3', songs: ['A / B'] }])
    expect(readPlaylists('# a comment\n/music/A - B.mp3\nC:\\Music\\夜, に.opus', 'Mix 4.M3U')).toEqual([
      { title: 'Mix 4', songs: ['A / B', ' / 夜, に'] },
    ])
  })

  it.each([
    ['padded', ['01 - Lost.mp3', '02. Found.mp3', '03 Back.flac', '1-04 Away.mp3'], [' / Lost', ' / Found', ' / Back', ' / Away']],
    ['before artists', ['01 - Kirano - Lost.mp3', '/a/02 - Élan - Found.mp3'], ['Kirano / Lost', 'Élan / Found']],
    ['of an album', ['9. Lost.mp3', '10. Found.mp3', '11. Back.mp3'], [' / Lost', ' / Found', ' / Back']],
    [
      'above nine',
      ['08 - Lost.mp3', '09 - Found.mp3', '10 - Back.mp3', '11 - 99 Luftballons.mp3'],
      [' / Lost', ' / Found', ' / Back', ' / 99 Luftballons'],
    ],
    ['alone', ['01.mp3', '02 - .mp3'], [' / 01', ' / 02 -']],
  ])('song file: track numbers %s are no part of the title or artist', (_, fileNames, songs) => {
    expect(readPlaylists(`#EXTM3U\n${fileNames.join('\n')}`, 'x.m3u')?.[0]?.songs).toEqual(songs)
  })

  it('song file: a number that is a title, or the name of an artist, stays', () => {
    const fileNames = ['99 Luftballons.mp3', '22 - Taylor Swift.mp3', '50 Cent - In da Club.mp3', '311 - Down.mp3', '7. Sinfonie.mp3']
    const songs = [' / 99 Luftballons', '22 / Taylor Swift', '50 Cent / In da Club', '311 / Down', ' / 7. Sinfonie']
    expect(readPlaylists(`#EXTM3U\n${fileNames.join('\n')}`, 'x.m3u')?.[0]?.songs).toEqual(songs)
    expect(readPlaylists('#EXTM3U\n22 - Lost.mp3\n22 - Found.mp3', 'x.m3u')?.[0]?.songs).toEqual(['22 / Lost', '22 / Found'])
  })

  it('song file: a text that is not UTF-8 is read as Windows-1252, and UTF-16 by its byte order mark', () => {
    expect(decodeText(new Uint8Array([0x4e, 0xe4, 0x63, 0x68, 0x74, 0x65]))).toBe('Nächte')
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0x61, 0, 0xe9, 0]))).toBe('aé')
  })
})

describe('song file: exports of this site', () => {
  const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('&amp;', '=1+1', 'Radioactive', 'a\nb', '"', "'", '夜, に'))
  const anySong = fc.record({
    youtube_id: fc.stringMatching(/^[A-Za-z0-9_-]{11}$/),
    title: anyText,
    author_name: anyText,
  })
  const anyPlaylist = fc.record({ title: anyText, description: anyText, songs: fc.array(anySong, { minLength: 1, maxLength: 20 }) })
  const listSongIds = (file: SongFile | undefined) => file?.playlists.map(({ songs }) => songs.map(({ songId }) => songId))

  it('song file: every exported playlist is read back unchanged: its songs from JSON, CSV and M3U, its title and description from JSON and CSV', () => {
    fc.assert(
      fc.property(anyPlaylist, (playlist: ExportablePlaylist) => {
        const songIds = [playlist.songs.map(({ youtube_id }) => youtube_id)]
        const [jsonText, csvText, m3uText] = [toPlaylistsJson([playlist]), toPlaylistCsv(playlist), toPlaylistM3u8(playlist)].map((text) =>
          readSongFile(text, 'x.txt'),
        )
        expect([listSongIds(jsonText), listSongIds(csvText), listSongIds(m3uText)]).toEqual([songIds, songIds, songIds])
        const songTexts = playlist.songs.map(({ title, author_name }) => ({ title, artist: author_name }))
        const readBack = { title: playlist.title.trim() || 'x', description: playlist.description, songs: songTexts }
        expect([jsonText?.playlists[0], csvText?.playlists[0]]).toMatchObject([readBack, readBack])
        expect(jsonText?.unreadablePositions).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('song file: a playlist keeps its name in CSV although the name of its file cannot have it, and spreadsheets read no formula in it', () => {
    for (const title of ['AC/DC: best?', 'R.E.M.', 'Mix.mp3', '=1+1']) {
      const csvText = toPlaylistCsv({ title, description: '', songs: [1, 2].map((index) => ({ youtube_id: createSongId(index) })) })
      expect(readPlaylists(csvText, 'Other name (1).csv')).toEqual([{ title, songs: [createSongId(1), createSongId(2)] }])
      expect(csvText).not.toContain(',=')
    }
  })

  it('song file: any text is read without an error', () => {
    const anyDocument = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.stringMatching(/^[#EXTINF:,\n"a-c;=[\]{}]{0,60}$/))
    fc.assert(
      fc.property(anyDocument, (text) => void readSongFile(text, text)),
      { numRuns: 150 },
    )
  })

  it('song file: 20,000 rows are read completely in every format', { tags: ['long'] }, () => {
    const songs = Array.from({ length: 20_000 }, (_, index) => ({
      youtube_id: createSongId(index),
      title: `Song "${index}" 夜, に`,
      author_name: 'A; B',
    }))
    const playlist = { title: 'Long', description: '', songs }
    const createTable = (delimiter: string, lineEnd: string, headings: string[], rowOf: (song: (typeof songs)[number]) => string[]) =>
      [headings, ...songs.map(rowOf)].map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)).join(lineEnd)
    const listSongTexts = ({ title, author_name }: (typeof songs)[number]) => [title.replaceAll('"', '&quot;'), author_name, 'Long']
    const watchedVideos = songs.map(({ youtube_id, title, author_name }) => ({
      videoId: youtube_id,
      title,
      author: author_name,
      uploader: author_name,
    }))
    const textsWithIds = [
      ...[toPlaylistsJson([playlist]), toPlaylistCsv(playlist), toPlaylistM3u8(playlist)],
      createTable(',', '\n', ['Video ID', 'Playlist Video Creation Timestamp'], ({ youtube_id }) => [
        youtube_id,
        '2025-11-01T10:00:00+00:00',
      ]),
      createTable('\t', '\r\n', ['動画 ID', '作成タイムスタンプ'], ({ youtube_id }) => [youtube_id, '2025-11-01T10:00:00+00:00']),
      toJson({ playlists: [{ title: 'Long', videos: songs.map(({ youtube_id }) => youtube_id) }] }),
      toJson({
        format: 'Piped',
        version: 1,
        playlists: [{ name: 'Long', videos: songs.map(({ youtube_id }) => `/watch?v=${youtube_id}`) }],
      }),
      toJson({ localPlaylists: [{ playlist: { name: 'Long' }, videos: watchedVideos }] }),
      `${toJson({ playlistName: 'Long', videos: watchedVideos, _id: 'a' })}\n`,
    ]
    for (const fileText of textsWithIds) {
      const [read, ...others] = readSongFile(fileText, 'Long.txt')?.playlists ?? []
      expect([others, read?.title]).toEqual([[], 'Long'])
      expect(read?.songs.map(({ songId }) => songId).join()).toBe(songs.map(({ youtube_id }) => youtube_id).join())
    }
    const textsWithNames = [';', '\t', ','].map((delimiter) =>
      createTable(delimiter, '\r\n', ['Track name', 'Artist name', 'Playlist name'], listSongTexts),
    )
    const m3uText = songs.map(({ title, author_name }) => `#EXTINF:1,${author_name} - ${title}\na.mp3`)
    for (const fileText of [...textsWithNames, ['#EXTM3U', ...m3uText].join('\r\n')]) {
      const file = readSongFile(fileText, 'Long.txt')
      expect([file?.playlists.length, file?.unreadablePositions]).toEqual([1, []])
      expect(file?.playlists[0]?.songs.map(({ title, artist, songId }) => `${songId}${title}${artist}`).join()).toBe(
        songs.map(({ title, author_name }) => `undefined${title}${author_name}`).join(),
      )
    }
  })
})
