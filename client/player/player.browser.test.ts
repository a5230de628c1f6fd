import { afterEach, expect, test, vi } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { createCatalogue } from '../data/catalogue-repository.ts'
import { createMemoryStore } from '../data/memory-store.ts'
import { createApi } from '../platform/api.ts'
import { createMediaVideo } from './media-video.ts'
import { createPlayer, type PlayerDeps } from './player.ts'
import type { Player } from './player-interface.ts'
import type { VideoFailure } from './video-adapter.ts'

// The controller over a real media element: what plays is silence of a given length, everything else is the product's own.

const SAMPLE_RATE = 8000

/** The address of a WAV file of silence. */
function silence(seconds: number): string {
  const samples = Math.round(seconds * SAMPLE_RATE)
  const view = new DataView(new ArrayBuffer(44 + samples))
  const write = (at: number, text: string) => {
    for (const [index, letter] of [...text].entries()) view.setUint8(at + index, letter.charCodeAt(0))
  }
  write(0, 'RIFF')
  view.setUint32(4, 36 + samples, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SAMPLE_RATE, true)
  view.setUint32(28, SAMPLE_RATE, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  write(36, 'data')
  view.setUint32(40, samples, true)
  for (let at = 44; at < view.byteLength; at++) view.setUint8(at, 128)
  return URL.createObjectURL(new Blob([view], { type: 'audio/wav' }))
}

const ids = Array.from({ length: 9 }, (_, index) => `song_00000${index}`)
const [first = '', second = '', third = ''] = ids
const song = (id: string): Song => ({
  youtube_id: id,
  youtube_url: `https://www.youtube.com/watch?v=${id}`,
  title: `Title ${id}`,
  author_name: 'Someone',
  category_id: 'cat',
  category_name: 'Category',
  date_added: '2026-01-01T00:00:00Z',
  new: 'false',
})

interface Call {
  path: string
  fields: Record<string, unknown>
}

/** The site's API over one playlist of all the songs. */
function serve(calls: Call[]): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input), location.href)
    const path = url.pathname.replace('/api', '')
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    const fields = { ...Object.fromEntries(url.searchParams), ...(body as Record<string, unknown>) }
    calls.push({ path, fields })
    const answer = (data: unknown, code = 200) =>
      Response.json({ code, message: code === 200 ? 'OK' : 'Not found', data }, { status: code })
    if (path === '/song/get') {
      const index = ids.indexOf(String(fields.s))
      if (index < 0) return answer(null, 404)
      const place = { context_id: 'list', context_title: 'List', first_song: first, description: '', favorite: false }
      const next = ids[(index + 1) % ids.length]
      const previous = index === 0 ? {} : { previous: ids[index - 1] }
      return answer({ ...song(ids[index] ?? ''), ...place, next, next_title: '', ...previous })
    }
    if (path === '/playlist/get') return answer({ playlist: { id: 'list', title: 'List', song_count: ids.length }, songs: ids.map(song) })
    if (path === '/song/random') return answer({ youtube_id: third, youtube_url: '', title: '', category_id: 'cat' })
    return answer(null)
  }
}

const open: Player[] = []
afterEach(() => {
  for (const player of open.splice(0)) player.close()
  vi.useRealTimers()
})

interface SetUp extends Partial<PlayerDeps> {
  /** Seconds by song; 30 for the others. */
  lengths?: Record<string, number>
  failing?: Record<string, number>
}

function setUp({ lengths = {}, failing = {}, ...deps }: SetUp = {}) {
  const calls: Call[] = []
  const element = document.createElement('audio')
  const loaded: string[] = []
  const inner = createMediaVideo(element, (id) => {
    loaded.push(id)
    return failing[id] === undefined ? silence(lengths[id] ?? 30) : URL.createObjectURL(new Blob(['no sound']))
  })
  // A media element knows no codes of the platform: the one that the test wants stands in for its own.
  const video = Object.create(inner, {
    error: { get: (): VideoFailure | undefined => inner.error && { kind: 'video', code: failing[loaded.at(-1) ?? ''] ?? 100 } },
  }) as typeof inner
  const host = document.createElement('div')
  document.body.append(host)
  const api = createApi({ baseUrl: '/api', fetch: serve(calls) })
  const catalogue = createCatalogue({ api, store: createMemoryStore() })
  const player = createPlayer({
    api,
    catalogue,
    keepPlay: () => {},
    video,
    storage: undefined,
    channel: undefined,
    reloaded: false,
    ...deps,
  })
  player.attachStage(host)
  open.push(player)
  const asked = (path: string) => calls.filter((call) => call.path === path).map((call) => call.fields)
  return { player, element, loaded, asked }
}

const state = (player: Player) => player.getSnapshot()
const plays = (player: Player, id: string) =>
  vi.waitFor(() => expect([state(player).status, state(player).current?.youtube_id]).toEqual(['playing', id]), 5000)

test('a song that is opened plays, knows its neighbours, and nothing was loaded before', async () => {
  const { player, loaded } = setUp()
  expect(loaded).toEqual([])
  expect(state(player).status).toBe('idle')
  player.open({ songId: second, contextId: 'list' })
  expect(state(player)).toMatchObject({ status: 'loading', songId: second, contextId: 'list' })
  await plays(player, second)
  await vi.waitFor(() => expect(state(player).upcoming.map((entry) => entry.song.youtube_id)).toEqual(ids.slice(2)))
  expect(state(player)).toMatchObject({ canNext: true, canPrevious: true, contextTitle: 'List' })
  player.previous()
  await plays(player, first)
  expect(state(player).canPrevious).toBe(false)
  expect(loaded).toEqual([second, first])
})

test('at its end the next song plays; with loop the same one again; opening it again does not restart it', async () => {
  const { player, element, loaded } = setUp({ lengths: { [first]: 0.4, [second]: 0.5 } })
  player.open({ songId: first, contextId: 'list' })
  await plays(player, second)
  player.setLoop(true)
  const replayed = new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }))
  await replayed
  await plays(player, second)
  player.open({ songId: second, contextId: 'list' })
  expect(loaded).toEqual([first, second])
})

test('with shuffle a random song of the context follows, never the one that played', async () => {
  const { player, asked } = setUp({ lengths: { [first]: 0.4 } })
  player.open({ songId: first, contextId: 'list', shuffle: true })
  await plays(player, third)
  expect(asked('/song/random')).toEqual([{ p: 'list', not: first }])
  player.previous()
  await plays(player, first)
})

test('a play is counted once, after it was really heard; a seek is not listening', async () => {
  const { player, asked } = setUp()
  player.open({ songId: first, contextId: 'list' })
  await plays(player, first)
  player.seek(20)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(asked('/song/play')).toEqual([])
  await vi.waitFor(() => expect(asked('/song/play')).toEqual([{ s: first, p: 'list' }]), 8000)
})

test('a video that cannot play is reported, says so, and is skipped after 3 s', async () => {
  const { player, asked } = setUp({ failing: { [second]: 150 } })
  player.open({ songId: second, contextId: 'list' })
  await vi.waitFor(() => expect(state(player).error).toEqual({ kind: 'unplayable', code: 150, skipped: true }))
  const said = Date.now()
  expect(asked('/song/unplayable')).toEqual([{ s: second, reason: 'video error 150' }])
  await plays(player, third)
  expect(Date.now() - said).toBeGreaterThan(2500)
})

test('a song that the catalogue does not have is not played', async () => {
  const { player, loaded } = setUp()
  player.open({ songId: 'unknown_000', contextId: 'list' })
  await vi.waitFor(() => expect(state(player).error).toEqual({ kind: 'not-found' }))
  expect(loaded).toEqual([])
})

test('a browser that refuses to start by itself is told apart, and a press on play starts', async () => {
  const { player, element } = setUp()
  const refuse = vi.spyOn(element, 'play').mockRejectedValue(new DOMException('no gesture', 'NotAllowedError'))
  player.open({ songId: first, contextId: 'list' })
  await vi.waitFor(() => expect(state(player).status).toBe('blocked'))
  refuse.mockRestore()
  player.play()
  await plays(player, first)
})

test('queue, position and modes survive a reload: paused, and nothing loaded before play is pressed', async () => {
  const values = new Map<string, string>()
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
  const before = setUp({ storage })
  before.player.open({ songId: first, contextId: 'list' })
  await plays(before.player, first)
  before.player.setLoop(true)
  before.player.playNext(song(third))
  before.player.setVolume(0.4)
  before.player.seek(12)
  before.player.close()
  open.splice(0)

  const after = setUp({ storage, reloaded: true })
  expect(state(after.player)).toMatchObject({ status: 'paused', songId: first, loop: true, contextId: 'list', volume: 0.4 })
  expect(after.player.position().positionSeconds).toBeCloseTo(12, 0)
  after.player.open({ songId: first, contextId: 'list' })
  expect(after.loaded).toEqual([])
  after.player.play()
  await plays(after.player, first)
  expect(after.element.currentTime).toBeGreaterThan(11.5)
  after.player.next()
  await plays(after.player, third)
})

test('what starts in one tab pauses the others', async () => {
  const name = `tabs-${Math.random()}`
  const one = setUp({ channel: new BroadcastChannel(name) })
  const other = setUp({ channel: new BroadcastChannel(name) })
  one.player.open({ songId: first })
  await plays(one.player, first)
  other.player.open({ songId: second })
  await plays(other.player, second)
  await vi.waitFor(() => expect(state(one.player).status).toBe('paused'))
  expect(state(other.player).status).toBe('playing')
})

test('the sleep timer stops at the end of the song, or when the wall clock says so', async () => {
  let now = Date.now()
  const { player, loaded } = setUp({ lengths: { [first]: 0.5 }, nowMs: () => now })
  player.open({ songId: first, contextId: 'list' })
  player.setLoop(true)
  player.setSleep('end-of-song')
  await vi.waitFor(() => expect(state(player).status).toBe('paused'), 5000)
  expect(loaded).toEqual([first])
  expect(state(player).sleep).toEqual({ kind: 'off' })

  player.next()
  await plays(player, second)
  player.setSleep({ minutes: 30 })
  now += 31 * 60_000
  await vi.waitFor(() => expect(state(player).status).toBe('paused'), 3000)
})

test('the device’s media controls name the song and lead it', async () => {
  const { player } = setUp()
  player.open({ songId: second, contextId: 'list' })
  await plays(player, second)
  const { metadata } = navigator.mediaSession
  expect([metadata?.title, metadata?.artist]).toEqual([`Title ${second}`, 'Someone'])
  expect(metadata?.artwork[0]?.src).toContain(`/img/song/${second}/`)
  expect(navigator.mediaSession.playbackState).toBe('playing')
})
