import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeFailure, runCommand } from '../admin/run-command.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let testApp: TestApp
beforeEach(async () => {
  testApp = await createTestApp()
})
afterEach(() => testApp.close())

const runAdmin = (...args: string[]) => runCommand(args, { env: { DATA_DIR: testApp.dataDir } })
const failureOf = (...args: string[]) =>
  runAdmin(...args).then(
    () => expect.fail('The command was not refused.'),
    (error: unknown) => describeFailure(error),
  )
const HOST = 'localhost:8080'
const get = (url: string) => testApp.app.inject({ url, headers: { host: HOST } })

const HIDDEN = 'AAAAAAAAAA2'
const TITLE = 'Second Sun'

/** Addresses whose responses name the song, unless it is hidden. */
const listings = [
  '/api/song/search?s=second',
  '/api/song/search?s=elan&type=artist',
  '/api/search/suggest?s=second',
  '/api/song/related?s=AAAAAAAAAA1',
  '/api/playlist/get?p=night-drive',
  '/api/playlist/get?p=nightcore',
  '/api/playlist/get?p=new',
  '/artist.xml?a=%C3%89lan',
  '/playlist.xml?p=night-drive',
  '/sitemaps/songs-1.xml',
  '/playlist?p=night-drive',
  '/embed/playlist?p=night-drive',
]
/** Addresses of the song itself. */
const ownAddresses = [
  `/api/song/get?s=${HIDDEN}`,
  `/song?s=${HIDDEN}`,
  `/embed/song?s=${HIDDEN}`,
  `/embed/oembed?url=${encodeURIComponent(`http://${HOST}/song?s=${HIDDEN}`)}`,
]

describe('song hide', () => {
  it('no list, search, feed, page, embed or picture of a running server has the song, until it is shown again', async () => {
    for (const url of listings) expect.soft((await get(url)).body, url).toContain(HIDDEN)
    for (const url of ownAddresses) expect.soft((await get(url)).statusCode, url).toBe(200)
    expect(await runAdmin('song', 'hide', HIDDEN, '--reason', 'A claim.', '--as', 'ann')).toBe(
      `The song ${HIDDEN} (${TITLE}) is hidden. It concerns playlists: 1, favorites: 0, own playlists: 0, websites: 0.`,
    )
    await expect.poll(async () => (await get(`/api/song/get?s=${HIDDEN}`)).statusCode).toBe(404)
    for (const url of listings) expect((await get(url)).body, url).not.toContain(HIDDEN)
    for (const url of ownAddresses) expect((await get(url)).statusCode, url).toBe(404)
    expect(await runAdmin('hidden')).toContain(`song ${HIDDEN}  ${TITLE}: A claim.`)
    expect(await runAdmin('log')).toMatch(/^\S+ {2}ann {2}song hide {2}song AAAAAAAAAA2 {2}hidden: A claim\.$/)

    await runAdmin('song', 'show', `https://youtu.be/${HIDDEN}`, '--json')
    await expect.poll(async () => (await get(`/api/song/get?s=${HIDDEN}`)).statusCode).toBe(200)
    for (const url of listings) expect((await get(url)).body, url).toContain(HIDDEN)
    for (const url of ownAddresses) expect((await get(url)).statusCode, url).toBe(200)
    expect(await runAdmin('hidden')).toBe('Nothing is hidden.')
  })
  it('a song that the radio plays ends there, and is not played again', async () => {
    const onAir = async (): Promise<string> => (await get('/api/radio/get')).json().data.youtube_id
    const song = await onAir()
    await runAdmin('song', 'hide', song, '--reason', 'A claim.')
    await expect.poll(onAir).not.toBe(song)
  })

  it('an unknown song, one that is hidden already, and a wrong command line are answered in one line', async () => {
    expect(await failureOf('song', 'hide', 'ZZZZZZZZZZZ', '--reason', 'x')).toEqual({
      message: 'There is no song ZZZZZZZZZZZ in the catalogue',
      exitCode: 1,
    })
    await runAdmin('song', 'hide', HIDDEN, '--reason', 'A \u001b[31mclaim.')
    const { message, exitCode } = await failureOf('song', 'hide', HIDDEN, '--reason', 'x')
    expect(message).toMatch(/^The song AAAAAAAAAA2 is hidden already, since \S+: A \uFFFD\[31mclaim\.$/)
    expect(exitCode).toBe(1)
    expect(await failureOf('song', 'show', 'AAAAAAAAAA1')).toMatchObject({ exitCode: 1 })
    for (const args of [
      ['song', 'hide', HIDDEN],
      ['song', 'hide', 'x', '--reason', 'x'],
      ['song', 'hide', HIDDEN, '--reason', ' '],
    ])
      expect(await failureOf(...args)).toMatchObject({ exitCode: 2 })
  })

  it('a dry run says what it concerns, and changes nothing', async () => {
    expect(await runAdmin('song', 'hide', HIDDEN, '--reason', 'x', '--dry-run')).toBe(
      `Nothing is changed. The song ${HIDDEN} (${TITLE}) would be hidden. It concerns playlists: 1, favorites: 0, own playlists: 0, websites: 0.`,
    )
    expect(await runAdmin('log')).toBe('No action is recorded.')
  })
})

describe('playlist delete, category rename', () => {
  it('playlist: it is deleted, and its songs stay', async () => {
    const result = JSON.parse(await runAdmin('playlist', 'delete', `http://${HOST}/playlist?p=night-drive`, '--reason', 'Old.', '--json'))
    expect(result).toEqual({ dry_run: false, target: 'playlist night-drive', title: 'Night Drive', effects: { songs: 3 } })
    await expect.poll(async () => (await get('/api/playlist/get?p=night-drive')).statusCode).toBe(404)
    expect((await get(`/api/song/get?s=${HIDDEN}`)).statusCode).toBe(200)
    expect(await failureOf('playlist', 'delete', 'new', '--reason', 'x')).toMatchObject({ exitCode: 1 })
  })

  it('category: its name changes wherever it is shown', async () => {
    expect(await runAdmin('category', 'rename', 'nightcore', ' Fast songs ')).toContain(
      'The category nightcore (Nightcore) is named Fast songs.',
    )
    await expect.poll(async () => (await get('/api/playlist/get?p=nightcore')).body).toContain('Fast songs')
    expect(await failureOf('category', 'rename', 'nightcore', 'Fast songs')).toEqual({
      message: 'The category nightcore is named Fast songs already',
      exitCode: 1,
    })
  })
})
