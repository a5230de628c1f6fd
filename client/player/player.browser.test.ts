import { afterEach, expect, test, vi } from 'vitest'
import { createMemoryStorage } from '../platform/testing/memory-storage.ts'
import type { PlayKind } from './playback.ts'
import type { Player, PlayerState } from './player-interface.ts'
import type { PlayStore } from './song-source.ts'
import type { TabChannel } from './tab-sync.ts'
import { createSong, songIds as ids, type PlayerSetUp, setUpPlayer } from './testing/player-setup.ts'

// A real media element plays silence of a given length. Everything else is the product's own code.

const [firstSongId = '', secondSongId = '', thirdSongId = ''] = ids

const closeFunctions: (() => void)[] = []
afterEach(() => {
  for (const close of closeFunctions.splice(0)) close()
  vi.useRealTimers()
})

function setUp(options?: PlayerSetUp) {
  const playerSetUp = setUpPlayer(options)
  closeFunctions.push(playerSetUp.close)
  return playerSetUp
}

const readState = (player: Player) => player.getSnapshot()
const expectPlaying = (player: Player, id: string) =>
  vi.waitFor(() => expect([readState(player).status, readState(player).current?.youtube_id]).toEqual(['playing', id]))

test('opening a song plays the song and loads its neighbours; before that, no video is loaded', async () => {
  const { player, loaded } = setUp()
  expect(loaded).toEqual([])
  expect(readState(player).status).toBe('idle')
  const emptyQueues: Partial<PlayerState>[] = []
  player.subscribe(() => {
    const { current, upcoming, isContextLoading } = readState(player)
    if (current && upcoming.length === 0) emptyQueues.push({ isContextLoading })
  })
  player.open({ songId: secondSongId, contextId: 'list' })
  expect(readState(player)).toMatchObject({ status: 'loading', songId: secondSongId, contextId: 'list' })
  await expectPlaying(player, secondSongId)
  await vi.waitFor(() => expect(readState(player).upcoming.map((entry) => entry.song.youtube_id)).toEqual(ids.slice(2)))
  expect(readState(player)).toMatchObject({ canNext: true, canPrevious: true, contextTitle: 'List' })
  // While the context is loading, an empty queue does not mean that the context has ended.
  expect(emptyQueues.at(-1)).toEqual({ isContextLoading: true })
  await vi.waitFor(() => expect(readState(player)).toMatchObject({ isContextLoading: false, nextKind: 'take' }))
  player.previous()
  await expectPlaying(player, firstSongId)
  expect(readState(player).canPrevious).toBe(false)
  expect(loaded).toEqual([secondSongId, firstSongId])
})

test('at the end of a song the next song plays, or with loop the same song again; opening the playing song does not restart it', async () => {
  const { player, element, loaded } = setUp({ secondsBySongId: { [firstSongId]: 0.4, [secondSongId]: 0.5 } })
  player.open({ songId: firstSongId, contextId: 'list' })
  await expectPlaying(player, secondSongId)
  player.setLoop(true)
  const seekedPromise = new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }))
  await seekedPromise
  await expectPlaying(player, secondSongId)
  player.open({ songId: secondSongId, contextId: 'list' })
  expect(loaded).toEqual([firstSongId, secondSongId])
})

test('with shuffle, the songs of the context are played in the order that the queue shows', async () => {
  const { player } = setUp()
  player.open({ songId: firstSongId, contextId: 'list', shuffle: true })
  await vi.waitFor(() => expect(readState(player).upcoming).toHaveLength(ids.length - 1))
  const nextSongId = readState(player).upcoming[0]?.song.youtube_id ?? ''
  expect(nextSongId).not.toBe(firstSongId)
  player.next()
  await expectPlaying(player, nextSongId)
  player.previous()
  await expectPlaying(player, firstSongId)
})

test('a play is counted once, after five seconds of playback without a seek', async () => {
  const logPlay = vi.fn(async () => {})
  const { player, requests } = setUp({ playStore: { logPlay } })
  player.open({ songId: firstSongId, contextId: 'list' })
  await expectPlaying(player, firstSongId)
  player.seek(20)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(requests('/song/play')).toEqual([])
  expect(logPlay).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(requests('/song/play')).toEqual([{ s: firstSongId, p: 'list', duration: 30 }]))
  await vi.waitFor(() =>
    expect(logPlay.mock.calls).toEqual([[player, expect.objectContaining({ youtube_id: firstSongId }), 'list', 'new']]),
  )
})

/** Returns a play log that stores the kinds of the logged plays in `kinds`. */
function createKindLog() {
  const kinds: PlayKind[] = []
  const logPlay: PlayStore['logPlay'] = async (_player, _song, _contextId, kind) => void kinds.push(kind)
  return { kinds, logPlay }
}

test('each repetition of a song is logged as a play, and the server is asked to count the song once', async () => {
  const { kinds, logPlay } = createKindLog()
  const { player, element, requests } = setUp({ playStore: { logPlay }, secondsBySongId: { [firstSongId]: 6 } })
  player.open({ songId: firstSongId, contextId: 'list' })
  await expectPlaying(player, firstSongId)
  player.setLoop(true)
  element.defaultPlaybackRate = element.playbackRate = 4
  await vi.waitFor(() => expect(kinds.slice(0, 3)).toEqual(['new', 'repeated', 'repeated']))
  expect(requests('/song/play')).toHaveLength(1)
})

test('a song that is resumed after a reload, or after it was paused, goes on with the play that was logged', async () => {
  const { kinds, logPlay } = createKindLog()
  const storage = createMemoryStorage()
  const play = async (countAfterwards: number) => {
    const { player, element, close } = setUp({ playStore: { logPlay }, storage })
    if (kinds.length === 0) player.open({ songId: firstSongId, contextId: 'list' })
    else player.play()
    await expectPlaying(player, firstSongId)
    element.playbackRate = 4
    await vi.waitFor(() => expect(kinds).toHaveLength(countAfterwards))
    return { player, element, close }
  }
  const beforeReload = await play(1)
  beforeReload.close()
  const afterReload = await play(2)
  expect(kinds).toEqual(['new', 'resumed'])
  afterReload.player.pause()
  const pausedSeconds = afterReload.element.currentTime
  afterReload.player.play()
  await vi.waitFor(() => expect(afterReload.element.currentTime).toBeGreaterThan(pausedSeconds + 6))
  expect(kinds).toEqual(['new', 'resumed'])
})

test('a song that is reloaded before it counted as played is a new play', async () => {
  const { kinds, logPlay } = createKindLog()
  const storage = createMemoryStorage()
  const beforeReload = setUp({ playStore: { logPlay }, storage })
  beforeReload.player.open({ songId: firstSongId, contextId: 'list' })
  await expectPlaying(beforeReload.player, firstSongId)
  // However late this page is, it does not play for the five seconds of a play.
  beforeReload.element.playbackRate = 0.1
  await vi.waitFor(() => expect(beforeReload.element.currentTime).toBeGreaterThan(0.1))
  beforeReload.close()
  const { player, element } = setUp({ playStore: { logPlay }, storage })
  player.play()
  await expectPlaying(player, firstSongId)
  element.playbackRate = 4
  await vi.waitFor(() => expect(kinds).toEqual(['new']))
})

test('a queued song is logged although the server, which has its details, cannot be reached', { tags: ['long'] }, async () => {
  const logPlay = vi.fn(async () => {})
  let isServerOffline = false
  const { player } = setUp({ playStore: { logPlay }, isOffline: () => isServerOffline })
  player.open({ songId: firstSongId, contextId: 'list' })
  await vi.waitFor(() => expect(readState(player).upcoming).toHaveLength(ids.length - 1))
  isServerOffline = true
  player.next()
  await expectPlaying(player, secondSongId)
  await vi.waitFor(() =>
    expect(logPlay.mock.calls).toEqual([[player, expect.objectContaining({ youtube_id: secondSongId }), 'list', 'new']]),
  )
})

test('if the reported length of a video changes while it plays, no length is reported to the server', { tags: ['long'] }, async () => {
  const { player, element, requests } = setUp()
  Object.defineProperty(element, 'duration', { get: () => (element.currentTime < 3 ? 15 : 30) })
  player.open({ songId: firstSongId, contextId: 'list' })
  await vi.waitFor(() => expect(requests('/song/play')).toEqual([{ s: firstSongId, p: 'list' }]))
})

test('an unplayable video is reported, shown as an error and skipped after 3 s', async () => {
  const { player, requests } = setUp({ errorCodesBySongId: { [secondSongId]: 150 } })
  player.open({ songId: secondSongId, contextId: 'list' })
  await vi.waitFor(() => expect(readState(player).error).toEqual({ kind: 'unplayable', code: 150, skipped: true }))
  const reportedAtMs = Date.now()
  expect(requests('/song/unplayable')).toEqual([{ s: secondSongId, reason: 'video error 150' }])
  await expectPlaying(player, thirdSongId)
  expect(Date.now() - reportedAtMs).toBeGreaterThan(2500)
})

test('a song that the catalogue does not contain is not played', async () => {
  const { player, loaded } = setUp()
  player.open({ songId: 'unknown_000', contextId: 'list' })
  await vi.waitFor(() => expect(readState(player).error).toEqual({ kind: 'not-found' }))
  expect(loaded).toEqual([])
})

test('blocked autoplay is a separate status, and pressing play starts the song', async () => {
  const { player, element } = setUp()
  const playSpy = vi.spyOn(element, 'play').mockRejectedValue(new DOMException('no gesture', 'NotAllowedError'))
  player.open({ songId: firstSongId, contextId: 'list' })
  await vi.waitFor(() => expect(readState(player).status).toBe('blocked'))
  playSpy.mockRestore()
  player.play()
  await expectPlaying(player, firstSongId)
})

test('after a reload the queue, the position and the modes are restored; the song is paused, and nothing is loaded before play is pressed', async () => {
  const memoryStorage = createMemoryStorage()
  const beforeReload = setUp({ storage: memoryStorage })
  beforeReload.player.open({ songId: firstSongId, contextId: 'list' })
  await expectPlaying(beforeReload.player, firstSongId)
  beforeReload.player.setLoop(true)
  beforeReload.player.playNext(createSong(thirdSongId))
  beforeReload.player.setVolume(0.4)
  beforeReload.player.seek(12)
  beforeReload.player.close()

  const afterReload = setUp({ storage: memoryStorage, reloadedSongId: firstSongId })
  expect(readState(afterReload.player)).toMatchObject({ status: 'paused', songId: firstSongId, loop: true, contextId: 'list', volume: 0.4 })
  expect(afterReload.player.position().positionSeconds).toBeCloseTo(12, 0)
  afterReload.player.open({ songId: firstSongId, contextId: 'list' })
  expect(afterReload.loaded).toEqual([])
  afterReload.player.play()
  await expectPlaying(afterReload.player, firstSongId)
  expect(afterReload.element.currentTime).toBeGreaterThan(11.5)
  afterReload.player.next()
  await expectPlaying(afterReload.player, thirdSongId)
})

test('after a reload, the songs of the context that were not stored are loaded on request, without starting the song', async () => {
  const storage = createMemoryStorage()
  const beforeReload = setUp({ storage })
  beforeReload.player.open({ songId: firstSongId, contextId: 'list' })
  await vi.waitFor(() => expect(readState(beforeReload.player).upcoming).toHaveLength(ids.length - 1))
  beforeReload.player.close()
  // A longer queue is stored in part.
  const [sessionKey = '', sessionText = ''] = [...storage.values].find(([, text]) => text.includes('"entries"')) ?? []
  const session = JSON.parse(sessionText)
  storage.values.set(sessionKey, JSON.stringify({ ...session, entries: session.entries.slice(0, 2), tailId: thirdSongId }))

  const { player, loaded } = setUp({ storage })
  expect(readState(player).upcoming).toHaveLength(2)
  player.completeQueue()
  expect(readState(player).isContextLoading).toBe(true)
  await vi.waitFor(() => expect(readState(player).isContextLoading).toBe(false))
  expect(readState(player).upcoming.map(({ song }) => song.youtube_id)).toEqual(ids.slice(1))
  expect([readState(player).status, loaded]).toEqual(['paused', []])
})

test('a reloaded song page stays paused until Play is pressed, also if another tab has stored its own song; other songs play', async () => {
  const storage = createMemoryStorage()
  const otherTab = setUp({ storage })
  otherTab.player.open({ songId: secondSongId, contextId: 'list' })
  await expectPlaying(otherTab.player, secondSongId)
  otherTab.player.close()

  const { player, loaded } = setUp({ storage, reloadedSongId: firstSongId })
  player.open({ songId: firstSongId, contextId: 'list' })
  await vi.waitFor(() => expect(readState(player)).toMatchObject({ status: 'paused', songId: firstSongId, isContextLoading: false }))
  player.open({ songId: firstSongId, contextId: 'list', shuffle: true })
  expect(loaded).toEqual([])
  player.play()
  await expectPlaying(player, firstSongId)

  const untouched = setUp({ storage, reloadedSongId: firstSongId })
  untouched.player.open({ songId: secondSongId, contextId: 'list' })
  await expectPlaying(untouched.player, secondSongId)
})

test('a song that is restored after a reload is in the media session before it plays', async () => {
  const storage = createMemoryStorage()
  const beforeReload = setUp({ storage })
  beforeReload.player.open({ songId: firstSongId, contextId: 'list' })
  await expectPlaying(beforeReload.player, firstSongId)
  beforeReload.close()
  expect(navigator.mediaSession.metadata).toBeNull()
  setUp({ storage })
  await vi.waitFor(() => expect(navigator.mediaSession.metadata?.title).toBe(createSong(firstSongId).title))
  expect(navigator.mediaSession.playbackState).toBe('paused')
})

test('a song that was paused when it failed to load stays paused if the connection returns; Play plays it', async () => {
  let isServerOffline = true
  const { player, loaded } = setUp({ reloadedSongId: firstSongId, isOffline: () => isServerOffline })
  const waitUntilFailed = () => vi.waitFor(() => expect(readState(player)).toMatchObject({ status: 'failed', error: { kind: 'network' } }))
  player.open({ songId: firstSongId, contextId: 'list' })
  await waitUntilFailed()
  expect(readState(player).error).toMatchObject({ wasPaused: true })
  player.open({ songId: secondSongId, contextId: 'list' })
  await waitUntilFailed()
  expect(readState(player).error).toMatchObject({ wasPaused: false })
  player.pause()
  expect(readState(player).error).toMatchObject({ wasPaused: true })
  isServerOffline = false
  player.retry(true)
  await vi.waitFor(() => expect(readState(player)).toMatchObject({ status: 'paused', current: { youtube_id: secondSongId } }))
  expect(loaded).toEqual([])
  player.play()
  await expectPlaying(player, secondSongId)
})

test('starting a song in one tab pauses the other tabs', async () => {
  const channelName = `tabs-${Math.random()}`
  const firstTab = setUp({ channel: new BroadcastChannel(channelName) })
  const otherTab = setUp({ channel: new BroadcastChannel(channelName) })
  firstTab.player.open({ songId: firstSongId })
  await expectPlaying(firstTab.player, firstSongId)
  otherTab.player.open({ songId: secondSongId })
  await expectPlaying(otherTab.player, secondSongId)
  await vi.waitFor(() => expect(readState(firstTab.player).status).toBe('paused'))
  expect(readState(otherTab.player).status).toBe('playing')
})

test('a late message of another tab does not pause a song that was opened after the message was sent', async () => {
  const channelName = `tabs-${Math.random()}`
  const lateMessages: (() => void)[] = []
  const broadcastChannel = new BroadcastChannel(channelName)
  const lateChannel: TabChannel = {
    onmessage: null,
    postMessage: (message) => broadcastChannel.postMessage(message),
    close: () => broadcastChannel.close(),
  }
  broadcastChannel.onmessage = (event) => void lateMessages.push(() => lateChannel.onmessage?.(event))
  const firstTab = setUp({ channel: new BroadcastChannel(channelName) })
  const otherTab = setUp({ channel: lateChannel })
  firstTab.player.open({ songId: firstSongId })
  await expectPlaying(firstTab.player, firstSongId)
  await vi.waitFor(() => expect(lateMessages).toHaveLength(1))
  otherTab.player.open({ songId: secondSongId })
  for (const deliver of lateMessages) deliver()
  await expectPlaying(otherTab.player, secondSongId)
  await vi.waitFor(() => expect(readState(firstTab.player).status).toBe('paused'))
})

test('a video that reports its start only after it was paused stays paused, and does not pause other tabs', async () => {
  const { player, element } = setUp()
  player.open({ songId: firstSongId })
  await expectPlaying(player, firstSongId)
  player.pause()
  element.dispatchEvent(new Event('playing'))
  expect(readState(player).status).toBe('paused')
})

test('the sleep timer stops playback at the end of the song, or when the clock of the device reaches the chosen time', async () => {
  let nowMs = Date.now()
  const { player, loaded } = setUp({ secondsBySongId: { [firstSongId]: 0.5 }, nowMs: () => nowMs })
  player.open({ songId: firstSongId, contextId: 'list' })
  player.setLoop(true)
  player.setSleep('end-of-song')
  await vi.waitFor(() => expect(readState(player).status).toBe('paused'))
  expect(loaded).toEqual([firstSongId])
  expect(readState(player).sleep).toEqual({ kind: 'off' })

  player.next()
  await expectPlaying(player, secondSongId)
  player.setSleep({ minutes: 30 })
  nowMs += 31 * 60_000
  await vi.waitFor(() => expect(readState(player).status).toBe('paused'))
})

test('the media session shows the song and its playback state', async () => {
  const { player } = setUp()
  player.open({ songId: secondSongId, contextId: 'list' })
  await expectPlaying(player, secondSongId)
  await vi.waitFor(() => expect(navigator.mediaSession.playbackState).toBe('playing'))
  const { metadata } = navigator.mediaSession
  expect([metadata?.title, metadata?.artist]).toEqual([`Title ${secondSongId}`, 'Someone'])
  expect(metadata?.artwork[0]?.src).toContain(`/img/song/${secondSongId}/`)
})

test('endless: related songs play at the end of the list and by the media key for the next track; the switch is stored', async () => {
  const storage = createMemoryStorage()
  const { player, requests } = setUp({ storage, secondsBySongId: { [ids.at(-1) ?? '']: 0.5 } })
  const setHandler = vi.spyOn(navigator.mediaSession, 'setActionHandler')
  player.setEndless(true)
  player.open({ songId: ids.at(-1) ?? '', contextId: 'list' })
  await expectPlaying(player, 'related_000')
  expect(requests('/song/related')[0]).toMatchObject({ s: ids.at(-1), limit: '10', artist_limit: '3', not: ids.at(-1) })
  expect(readState(player)).toMatchObject({ contextId: 'list', upcoming: [{ related: true, song: { youtube_id: 'related_001' } }] })
  const findNextTrackHandler = () => setHandler.mock.calls.findLast(([action]) => action === 'nexttrack')?.[1]
  findNextTrackHandler()?.({ action: 'nexttrack' })
  await expectPlaying(player, 'related_001')
  // All related songs have been played: the one that was played longest ago comes again.
  await vi.waitFor(() =>
    expect(readState(player)).toMatchObject({ upcoming: [{ related: true, song: { youtube_id: 'related_000' } }], canNext: true }),
  )
  expect(readState(setUp({ storage }).player).endless).toBe(true)
})

test('song radio: the song plays, then related songs; the current song is not started again, and a reload keeps the radio', async () => {
  const storage = createMemoryStorage()
  const { player, loaded, close } = setUp({ storage })
  player.open({ songId: firstSongId, contextId: 'list' })
  await expectPlaying(player, firstSongId)
  player.startSongRadio(createSong(firstSongId))
  await vi.waitFor(() => expect(readState(player).upcoming.map((entry) => entry.song.youtube_id)).toEqual(['related_000', 'related_001']))
  expect(readState(player)).toMatchObject({
    status: 'playing',
    contextId: undefined,
    contextTitle: `Radio: Title ${firstSongId}`,
    isSongRadio: true,
  })
  expect(loaded).toEqual([firstSongId])
  player.next()
  await expectPlaying(player, 'related_000')
  expect(readState(player).contextTitle).toBe(`Radio: Title ${firstSongId}`)
  close()

  const reloadedPlayer = setUp({ storage, reloadedSongId: 'related_000' }).player
  reloadedPlayer.open({ songId: 'related_000' })
  reloadedPlayer.play()
  await expectPlaying(reloadedPlayer, 'related_000')
  expect(readState(reloadedPlayer)).toMatchObject({
    contextTitle: `Radio: Title ${firstSongId}`,
    upcoming: [{ related: true, song: { youtube_id: 'related_001' } }],
  })
  reloadedPlayer.startSongRadio(createSong(thirdSongId))
  await expectPlaying(reloadedPlayer, thirdSongId)
  reloadedPlayer.open({ songId: secondSongId, contextId: 'list' })
  await vi.waitFor(() => expect(readState(reloadedPlayer)).toMatchObject({ contextTitle: 'List', nextKind: 'take', isSongRadio: false }))
  expect(readState(reloadedPlayer).upcoming.some((entry) => entry.related)).toBe(false)
})
