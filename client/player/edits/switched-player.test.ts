import { expect, test, vi } from 'vitest'
import { createEmitter } from '../../primitives/emitter.ts'
import { idlePlayer, idleState } from '../idle-player.ts'
import type { PlaybackPosition, Player, PlayerState } from '../player-interface.ts'
import { createSwitchedPlayer } from './switched-player.ts'

/** A fake player that only has a state. `play` and `open` start it immediately. */
function createStatePlayer(playerName: string) {
  const changeEmitter = createEmitter()
  const positionEmitter = createEmitter<PlaybackPosition>()
  let playerState: PlayerState = { ...idleState, contextTitle: playerName }
  const setState = (stateChanges: Partial<PlayerState>) => {
    playerState = { ...playerState, ...stateChanges }
    changeEmitter.emit()
  }
  const player: Player = {
    ...idlePlayer,
    getSnapshot: () => playerState,
    subscribe: changeEmitter.subscribe,
    onPosition: positionEmitter.subscribe,
    open: vi.fn(),
    play: () => setState({ status: 'playing' }),
    pause: () => setState({ status: 'paused' }),
    setVolume: (volume) => setState({ volume }),
    setSleep: (sleep) =>
      setState({
        sleep: typeof sleep === 'string' ? { kind: sleep } : { kind: 'at', minutes: sleep.minutes, atMs: sleep.minutes * 60_000 },
      }),
  }
  return { player, setState, move: positionEmitter.emit }
}

function setUp() {
  const songPlayer = createStatePlayer('songs')
  const editsPlayer = createStatePlayer('edits')
  const { player, disconnect } = createSwitchedPlayer(songPlayer.player, editsPlayer.player, () => 0)
  const readShownState = () => [player.getSnapshot().contextTitle, player.getSnapshot().status]
  return { songs: songPlayer, edits: editsPlayer, player, disconnect, shown: readShownState }
}

test('switched player: the player that was started last is shown and receives the commands; the other player is paused', () => {
  const { songs, edits, player, shown } = setUp()
  player.play()
  expect(shown()).toEqual(['songs', 'playing'])
  edits.setState({ status: 'loading' })
  expect(shown()).toEqual(['edits', 'loading'])
  expect(songs.player.getSnapshot().status).toBe('paused')
  player.pause()
  expect(shown()).toEqual(['edits', 'paused'])
  player.play()
  songs.setState({ status: 'playing' })
  expect(shown()).toEqual(['songs', 'playing'])
  expect(edits.player.getSnapshot().status).toBe('paused')
})

test('switched player: opening a song shows the player of songs, even if it does not start', () => {
  const { songs, edits, player, shown } = setUp()
  edits.player.play()
  player.open({ songId: 'a' })
  expect(shown()).toEqual(['songs', 'idle'])
  expect(songs.player.open).toHaveBeenCalledWith({ songId: 'a' })
  expect(edits.player.getSnapshot().status).toBe('paused')
})

test('switched player: the sleep timer moves to the player that is started, and both players share the volume', () => {
  const { songs, edits, player } = setUp()
  player.play()
  player.setSleep({ minutes: 30 })
  player.setVolume(0.4)
  edits.player.play()
  expect(edits.player.getSnapshot()).toMatchObject({ sleep: { kind: 'at', minutes: 30 }, volume: 0.4, status: 'playing' })
  expect(songs.player.getSnapshot()).toMatchObject({ sleep: { kind: 'off' }, status: 'paused' })
})

test('switched player: only the positions of the shown player are reported, and none after the edits player was disconnected', () => {
  const { songs, edits, player, disconnect } = setUp()
  const onPosition = vi.fn()
  player.onPosition(onPosition)
  edits.player.play()
  songs.move({ positionSeconds: 1, durationSeconds: 10 })
  edits.move({ positionSeconds: 2, durationSeconds: 10 })
  disconnect()
  edits.move({ positionSeconds: 3, durationSeconds: 10 })
  expect(onPosition.mock.calls).toEqual([[{ positionSeconds: 2, durationSeconds: 10 }]])
})
