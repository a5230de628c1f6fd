import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStorage } from '../../storage/open.ts'
import { describeFailure, runCommand } from '../run-command.ts'
import { type SimulatedVideo, type SimulatedYoutube, startSimulatedYoutube } from './testing/youtube-peer.ts'

let dataDir = ''
let peer: SimulatedYoutube
const runAdmin = (...args: string[]) => runCommand(args, { env: { DATA_DIR: dataDir, ...peer.env } })
const runJson = async (...args: string[]) => JSON.parse(await runAdmin(...args, '--json'))
const readRefusal = (...args: string[]) => runAdmin(...args).then(() => expect.fail('The command was not refused.'), describeFailure)
const importPlaylist = (...options: string[]) => runJson('catalog', 'import-youtube', '--playlist', 'PLhits', ...options)

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'varispeed-youtube-'))
  peer = await startSimulatedYoutube()
})
afterEach(async () => {
  await peer.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const createVideoId = (n: number) => `video${String(n).padStart(6, '0')}`
const createFirstVideoIds = (count: number) => Array.from({ length: count }, (_, i) => createVideoId(i + 1))
const addVideos = (count: number, fields: Partial<SimulatedVideo> = {}) => {
  for (const [i, id] of createFirstVideoIds(count).entries()) peer.videos.set(id, { title: `Song ${i + 1}`, ...fields })
}
const addPlaylist = (songCount: number) => {
  addVideos(songCount)
  peer.playlists.set('PLhits', { title: 'Hits', description: 'All of them', videoIds: createFirstVideoIds(songCount) })
}

async function readPlaylist(playlistId: string) {
  const storage = await openStorage({ dataDir })
  const found = await storage.playlists.get(playlistId, { limit: 10_000, offset: 0 }, { newSinceMs: 0 })
  await storage.close()
  return found
}
const readSongIds = async (id: string) => (await readPlaylist(id))?.songs.map((song) => song.youtube_id)

async function importCatalogue(importedCatalogue: unknown) {
  const file = join(dataDir, 'catalogue.json')
  writeFileSync(file, JSON.stringify(importedCatalogue))
  await runAdmin('catalog', 'import', file)
}

describe('catalog import-youtube --playlist', () => {
  it('all pages of a playlist are read in order, with durations, dates and artists', async () => {
    addPlaylist(120)
    peer.videos.set(createVideoId(1), {
      title: 'First',
      channelId: 'UCa',
      channelTitle: 'Ann - Topic',
      duration: 'P1DT1H1M1S',
      description: 'Two\nlines',
    })
    expect(await importPlaylist()).toEqual({ playlist: 'PLhits', songs: 120, added: 120, left_out: {} })
    const storedPlaylist = await readPlaylist('PLhits')
    expect(storedPlaylist?.playlist).toMatchObject({
      title: 'Hits',
      description: 'All of them',
      category_id: 'PLhits',
      category_name: 'Hits',
    })
    expect(storedPlaylist?.songs.map((song) => song.youtube_id)).toEqual(createFirstVideoIds(120))
    expect(storedPlaylist?.songs[0]).toMatchObject({ title: 'First', author_name: 'Ann', author_channel_id: 'UCa', duration: 90_061 })
    expect(storedPlaylist?.songs[1]).toMatchObject({ duration: 200, date_added: '2026-02-03T04:05:06.000Z', category_id: 'PLhits' })
    expect(readdirSync(dataDir).filter((name) => name.startsWith('youtube-import'))).toEqual([])
  })

  it('videos that cannot be played are left out, with the reason', async () => {
    addPlaylist(8)
    peer.videos.delete(createVideoId(2))
    peer.videos.set(createVideoId(3), { title: 'x', privacyStatus: 'private' })
    peer.videos.set(createVideoId(4), { title: 'x', embeddable: false })
    peer.videos.set(createVideoId(5), { title: 'x', live: true })
    peer.videos.set(createVideoId(6), { title: 'x', privacyStatus: 'unlisted' })
    peer.videos.set(createVideoId(8), { title: 'x', ageRestricted: true })
    expect(await importPlaylist()).toMatchObject({
      songs: 3,
      left_out: { gone: 1, private: 1, 'not embeddable': 1, live: 1, 'age-restricted': 1 },
    })
    expect(await readSongIds('PLhits')).toEqual([createVideoId(1), createVideoId(6), createVideoId(7)])
  })

  it('titles and names are stored without control characters, and markup in them is not interpreted', async () => {
    addPlaylist(2)
    peer.videos.set(createVideoId(1), { title: 'A\u0000\u001b[31m\nB <script>', channelTitle: '\u0007', description: 'a\u0000b' })
    peer.playlists.set('PLhits', { title: ' \u0000\u0007Hits\n', description: 'a\u0000b', videoIds: createFirstVideoIds(2) })
    await importPlaylist()
    expect((await readPlaylist('PLhits'))?.playlist).toMatchObject({ title: 'Hits', description: 'ab' })
    expect((await readPlaylist('PLhits'))?.songs[0]).toMatchObject({ title: 'A [31m B <script>', author_name: 'Unknown' })
  })

  it("a second run reads only new videos, follows the playlist's order, and keeps the texts that were changed and the songs that were added on the site", async () => {
    const song = { author_name: 'Somebody', category_id: 'c', category_name: 'Cee', date_added: '2026-01-01' }
    const songs = [{ ...song, youtube_id: 'AAAAAAAAAA1', title: 'Own' }]
    const ownPlaylist = { id: 'mine', title: 'My title', category_id: 'c', category_name: 'Cee', home: true, songs: ['AAAAAAAAAA1'] }
    await importCatalogue({ songs, playlists: [ownPlaylist] })
    addPlaylist(60)
    await importPlaylist('--into', 'mine')
    const playlist = peer.playlists.get('PLhits')
    peer.videos.set(createVideoId(61), { title: 'Newest' })
    peer.videos.delete(createVideoId(2))
    playlist?.videoIds.unshift(createVideoId(61))
    peer.requestTexts.length = 0
    expect(await importPlaylist('--into', 'mine')).toEqual({ playlist: 'mine', songs: 61, added: 1, left_out: { gone: 1 } })
    expect(peer.requestTexts).toEqual(['playlistItems PLhits 0', 'playlistItems PLhits 50', `videos ${createVideoId(61)}`])
    const storedPlaylist = await readPlaylist('mine')
    expect(storedPlaylist?.playlist).toMatchObject({ title: 'My title', category_name: 'Cee' })
    const expectedIds = [createVideoId(61), ...createFirstVideoIds(60).filter((id) => id !== createVideoId(2)), 'AAAAAAAAAA1']
    expect(storedPlaylist?.songs.map((each) => each.youtube_id)).toEqual(expectedIds)
    expect(storedPlaylist?.songs[0]?.category_id).toBe('c')
  })

  it('the option --category names the category; an existing category keeps its name', async () => {
    const song = { youtube_id: 'AAAAAAAAAA1', title: 'Own', author_name: 'A', date_added: '2026-01-01' }
    await importCatalogue({ songs: [{ ...song, category_id: 'edm', category_name: 'EDM' }] })
    addPlaylist(1)
    await importPlaylist('--category', 'edm')
    expect((await readPlaylist('PLhits'))?.songs[0]).toMatchObject({ category_id: 'edm', category_name: 'EDM' })
    await importPlaylist('--category', 'deep-house')
    expect((await readPlaylist('PLhits'))?.playlist).toMatchObject({ category_id: 'deep-house', category_name: 'Deep house' })
  })

  it('a used-up quota is reported with the time of its renewal, and the next run continues', async () => {
    addPlaylist(120)
    // The quota allows one request for the playlist, three for its pages, and only one of the three requests that its videos need.
    peer.remainingQuota = 5
    const { message, exitCode } = await readRefusal('catalog', 'import-youtube', '--playlist', 'PLhits')
    expect(message).toMatch(/quota .* renewed at \d{4}-\d\d-\d\dT0[78]:00Z/)
    expect(message).toContain('50 of 120 new songs are stored. Run the same command later')
    expect(exitCode).toBe(1)
    expect(await readPlaylist('PLhits')).toMatchObject({ playlist: { song_count: 50 } })
    peer.remainingQuota = 10_000
    peer.requestTexts.length = 0
    expect(await importPlaylist()).toMatchObject({ songs: 120, added: 70 })
    expect(peer.requestTexts.filter((request) => request.startsWith('videos'))).toHaveLength(2)
    expect(await readSongIds('PLhits')).toEqual(createFirstVideoIds(120))
  })

  it('the URL of a playlist is accepted', async () => {
    addPlaylist(1)
    const url = 'https://www.youtube.com/playlist?list=PLhits&si=x'
    expect(await runAdmin('catalog', 'import-youtube', '--playlist', url)).toBe(
      'The playlist PLhits has 1 song; 1 were new to the catalogue.',
    )
  })

  it.each([
    [[], 'Either --playlist or --members', 2],
    [['--playlist', 'PLhits', '--members'], 'Either --playlist or --members', 2],
    [['--members', '--into', 'x'], '--into and --category belong to --playlist', 2],
    [['--playlist', 'no id'], "'no id' is neither", 2],
    [['--playlist', 'PLhits', '--into', 'network'], "--into cannot be 'network'", 2],
    [['--playlist', 'PLnone'], "YouTube has no public playlist 'PLnone'", 1],
  ])('the options %j are refused with a message of one line', async (commandOptions, reason, exitCode) => {
    const commandFailure = await readRefusal('catalog', 'import-youtube', ...commandOptions)
    expect(commandFailure.message).toContain(reason)
    expect(commandFailure.message).not.toContain('\n')
    expect(commandFailure.exitCode).toBe(exitCode)
  })

  it('a missing or refused API key is reported without printing it', async () => {
    const importWithKey = (apiKey: string) => {
      const env = { DATA_DIR: dataDir, ...peer.env, YOUTUBE_API_KEY: apiKey }
      return runCommand(['catalog', 'import-youtube', '--playlist', 'PLhits'], { env }).catch((error) => describeFailure(error).message)
    }
    expect(await importWithKey('')).toContain('YOUTUBE_API_KEY is not set')
    expect(await importWithKey('AIzaSyWrong')).toBe('YouTube refuses the request: 400 badRequest A message about badRequest.')
  })
})

describe('catalog import-youtube --members', () => {
  const song = {
    youtube_id: 'AAAAAAAAAA1',
    title: 'Own',
    author_name: 'A',
    category_id: 'c',
    category_name: 'Cee',
    date_added: '2026-01-01',
  }
  const createPlaylist = (id: string) => ({ id, title: id, category_id: 'c', category_name: 'Cee', songs: [song.youtube_id] })
  const createMember = (channel_id: string, academy = false) => ({ channel_id, channel_name: channel_id, academy })
  const importMembers = () => runJson('catalog', 'import-youtube', '--members')

  beforeEach(() =>
    importCatalogue({
      songs: [song],
      playlists: [createPlaylist('Hits'), createPlaylist('sad-songs')],
      members: [createMember('UCa'), createMember('UCb', true), createMember('UCc')],
    }),
  )
  const addUploads = (channelId: string, uploadDescriptions: readonly string[], firstVideoNumber: number) => {
    const videoIds = uploadDescriptions.map((description, uploadIndex) => {
      const id = createVideoId(firstVideoNumber + uploadIndex)
      const publishedAt = new Date(Date.UTC(2026, 0, 100 - uploadIndex)).toISOString()
      peer.videos.set(id, { title: id, channelId, description, publishedAt })
      return id
    })
    peer.uploadsIdByChannelId.set(channelId, `UU${channelId}`)
    peer.playlists.set(`UU${channelId}`, { title: 'Uploads', videoIds })
  }

  it('uploads are added to the playlists that hashtags in their descriptions name', async () => {
    addUploads('UCa', ['Out now! #hits #sad-songs', 'no tag', '#hitsong #new'], 1)
    addUploads('UCb', ['#Hits.', '#hits'], 11)
    peer.videos.set(createVideoId(12), { title: 'x', description: '#hits', embeddable: false })
    expect(await importMembers()).toEqual({
      members: 3,
      added: 2,
      playlists: { Hits: 2, 'sad-songs': 1 },
      left_out: { 'not embeddable': 1 },
      unreadable: {},
    })
    expect(await readSongIds('Hits')).toEqual([song.youtube_id, createVideoId(1), createVideoId(11)])
    expect((await readPlaylist('sad-songs'))?.songs[1]).toMatchObject({
      youtube_id: createVideoId(1),
      author_channel_id: 'UCa',
      category_id: 'c',
    })
  })

  it('a second run reads only new uploads, and does not add songs again that were removed', async () => {
    addUploads(
      'UCa',
      Array.from({ length: 130 }, (_, i) => (i % 40 === 0 ? '#hits' : '')),
      1,
    )
    expect(await importMembers()).toMatchObject({ added: 4 })
    await importCatalogue({ playlists: [createPlaylist('Hits')] })
    peer.videos.set(createVideoId(2), { ...peer.videos.get(createVideoId(2)), title: 'Edited', description: '#hits' })
    peer.requestTexts.length = 0
    expect(await importMembers()).toMatchObject({ added: 1, playlists: { Hits: 1 } })
    expect(peer.requestTexts).toEqual(['channels UCb,UCc,UCa', 'playlistItems UUUCa 0', `videos ${createVideoId(2)}`])
    expect(await readSongIds('Hits')).toEqual([song.youtube_id, createVideoId(2)])
    expect(await importMembers()).toMatchObject({ added: 0, playlists: {} })
  })

  it('when the quota is used up, the members that were read so far are kept, and the next run begins with the others', async () => {
    for (const [i, channelId] of ['UCa', 'UCb', 'UCc'].entries()) addUploads(channelId, ['#hits'], i * 10 + 1)
    // The quota allows one request for the channels, two for the first member, and only one of the two requests that the second member needs.
    peer.remainingQuota = 4
    const { message } = await readRefusal('catalog', 'import-youtube', '--members')
    expect(message).toContain('1 of 3 members are read and their songs stored')
    expect(await readSongIds('Hits')).toEqual([song.youtube_id, createVideoId(1)])
    peer.remainingQuota = 10_000
    peer.requestTexts.length = 0
    expect(await importMembers()).toMatchObject({ members: 3, added: 2 })
    expect(peer.requestTexts[1]).toBe('playlistItems UUUCb 0')
    expect(await readSongIds('Hits')).toEqual([song.youtube_id, createVideoId(1), createVideoId(11), createVideoId(21)])
  })

  it('a channel that had no uploads is read again, so that later uploads are found', async () => {
    peer.uploadsIdByChannelId.set('UCa', 'UUUCa')
    expect(await importMembers()).toMatchObject({ members: 3, added: 0 })
    addUploads(
      'UCa',
      Array.from({ length: 60 }, (_, i) => (i === 55 ? '#hits' : '')),
      1,
    )
    expect(await importMembers()).toMatchObject({ added: 1 })
    peer.requestTexts.length = 0
    expect(await importMembers()).toMatchObject({ added: 0 })
    expect(peer.requestTexts).toEqual(['channels UCb,UCc,UCa', 'playlistItems UUUCa 0'])
  })

  it('a member whose uploads YouTube refuses to list is named, and the uploads of the other members are imported', async () => {
    for (const [i, channelId] of ['UCa', 'UCb', 'UCc'].entries()) addUploads(channelId, ['#hits'], i * 10 + 1)
    peer.refusedPlaylistIds.add('UUUCa')
    const refusalText = 'YouTube refuses the request: 403 playlistItemsNotAccessible A message about playlistItemsNotAccessible.'
    expect(await importMembers()).toMatchObject({ members: 2, added: 2, unreadable: { UCa: refusalText } })
    expect(await runAdmin('catalog', 'import-youtube', '--members')).toContain(`\nNot read: UCa: ${refusalText}`)
    peer.refusedPlaylistIds.clear()
    expect(await importMembers()).toMatchObject({ members: 3, added: 1, unreadable: {} })
  })

  it('the error for a damaged progress file names the file', async () => {
    writeFileSync(join(dataDir, 'youtube-members.json'), '{')
    expect((await readRefusal('catalog', 'import-youtube', '--members')).message).toContain('youtube-members.json is damaged')
  })
})
