import { afterEach, expect, test, vi } from 'vitest'
import { songIds as ids, type PlayerSetUp, setUpPlayer } from './testing/player-setup.ts'

const [firstSongId = '', secondSongId = ''] = ids

const closeFunctions: (() => void)[] = []
afterEach(() => {
  for (const close of closeFunctions.splice(0)) close()
  vi.restoreAllMocks()
})

/** Sets up a player. `readLoop` returns the element of the silent loop, once the loop has been played. */
function setUp(options?: PlayerSetUp) {
  const playSpy = vi.spyOn(HTMLMediaElement.prototype, 'play')
  const { close, ...setUpParts } = setUpPlayer(options)
  closeFunctions.push(close)
  const readLoop = () =>
    playSpy.mock.contexts.find((each): each is HTMLAudioElement => each instanceof HTMLAudioElement && each !== setUpParts.element)
  return { ...setUpParts, readLoop }
}

test('while a song plays, a silent loop (10 s of zero samples) plays at full volume; it is paused with the song', async () => {
  const { player, element, readLoop } = setUp()
  expect(readLoop()).toBeUndefined()
  player.open({ songId: firstSongId, contextId: 'list' })
  await vi.waitFor(() => expect([element.paused, readLoop()?.paused]).toEqual([false, false]))
  expect(readLoop()).toMatchObject({ loop: true, volume: 1, muted: false })
  const audioFile = await (await fetch(readLoop()?.src ?? '')).arrayBuffer()
  const { duration, ...decodedSound } = await new OfflineAudioContext(1, 1, 8000).decodeAudioData(audioFile).then((audioBuffer) => ({
    duration: audioBuffer.duration,
    peak: Math.max(...audioBuffer.getChannelData(0).map(Math.abs)),
  }))
  expect(duration).toBeCloseTo(10, 2)
  expect(decodedSound).toEqual({ peak: 0 })

  player.pause()
  await vi.waitFor(() => expect([element.paused, readLoop()?.paused]).toEqual([true, true]))
  player.play()
  await vi.waitFor(() => expect([element.paused, readLoop()?.paused]).toEqual([false, false]))
})

test('between two songs the silent loop continues to play, so that the page keeps the media session', async () => {
  const { player, readLoop, loaded } = setUp()
  player.open({ songId: firstSongId, contextId: 'list' })
  await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'playing', canNext: true }))
  const onPause = vi.fn()
  readLoop()?.addEventListener('pause', onPause)
  player.next()
  await vi.waitFor(() => expect([player.getSnapshot().status, loaded.at(-1)]).toEqual(['playing', secondSongId]))
  expect(onPause).not.toHaveBeenCalled()
  readLoop()?.removeEventListener('pause', onPause)
})

test('when the song changes, the position of the previous song is cleared from the media session; a seek is shown immediately', async () => {
  const positionSpy = vi.spyOn(navigator.mediaSession, 'setPositionState')
  const { player } = setUp({ secondsBySongId: { [firstSongId]: 30, [secondSongId]: 20 } })
  player.open({ songId: firstSongId, contextId: 'list' })
  await vi.waitFor(() => expect(positionSpy).toHaveBeenLastCalledWith({ duration: 30, position: expect.any(Number), playbackRate: 1 }))
  player.seek(12)
  expect(positionSpy).toHaveBeenLastCalledWith({ duration: 30, position: 12, playbackRate: 1 })
  positionSpy.mockClear()
  await vi.waitFor(() => expect(player.getSnapshot().canNext).toBe(true))
  player.next()
  await vi.waitFor(() => expect(positionSpy).toHaveBeenLastCalledWith({ duration: 20, position: expect.any(Number), playbackRate: 1 }))
  expect(positionSpy.mock.calls[0]).toEqual([])
})
