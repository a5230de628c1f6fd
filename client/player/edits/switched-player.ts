import { createEmitter } from '../../primitives/emitter.ts'
import type { PagePlayer, PlaybackPosition, Player } from '../player-interface.ts'

const isPlayerStarting = (player: Player) => ['playing', 'loading'].includes(player.getSnapshot().status)

/**
 * Joins the player of catalogue songs and the player of edits into one player. The state of the player that was started last is shown, and
 * commands go to that player. Starting one player pauses the other and takes over the other's sleep timer. Songs are always opened and
 * queued in the player of songs, whose events only that player reports. `disconnect` permanently switches to the player of songs.
 */
export function createSwitchedPlayer(
  songPlayer: Player,
  editPlayer: Player,
  nowMs = Date.now,
): { player: PagePlayer; disconnect: () => void } {
  const changeEmitter = createEmitter()
  const positionChanges = createEmitter<PlaybackPosition>()
  let activePlayer = songPlayer

  function switchTo(player: Player) {
    const otherPlayer = activePlayer
    if (player === otherPlayer) return
    activePlayer = player
    // The other player is paused, because a change of its state while it plays would switch back to it.
    if (isPlayerStarting(otherPlayer)) otherPlayer.pause()
    const { sleep } = otherPlayer.getSnapshot()
    if (sleep.kind !== 'off') {
      otherPlayer.setSleep('off')
      player.setSleep(sleep.kind === 'at' ? { minutes: (sleep.atMs - nowMs()) / 60_000 } : sleep.kind)
    }
    changeEmitter.emit()
  }

  const stopFunctions = [
    songPlayer.subscribe(() => isPlayerStarting(songPlayer) && switchTo(songPlayer)),
    editPlayer.subscribe(() => {
      if (isPlayerStarting(editPlayer)) switchTo(editPlayer)
      if (editPlayer === activePlayer) changeEmitter.emit()
    }),
    editPlayer.onPosition((position) => editPlayer === activePlayer && positionChanges.emit(position)),
  ]

  const player: PagePlayer = {
    ...songPlayer,
    getSnapshot: () => activePlayer.getSnapshot(),
    subscribe: changeEmitter.subscribe,
    onPosition: positionChanges.subscribe,
    position: () => activePlayer.position(),
    open(request) {
      switchTo(songPlayer)
      songPlayer.open(request)
    },
    play: () => activePlayer.play(),
    pause: () => activePlayer.pause(),
    toggle: () => activePlayer.toggle(),
    seek: (seconds) => activePlayer.seek(seconds),
    next: () => activePlayer.next(),
    previous: () => activePlayer.previous(),
    startSongRadio(song) {
      switchTo(songPlayer)
      songPlayer.startSongRadio(song)
    },
    retry: (staysPaused) => activePlayer.retry(staysPaused),
    setLoop: (loop) => activePlayer.setLoop(loop),
    setShuffle: (shuffle) => activePlayer.setShuffle(shuffle),
    playFromQueue: (index) => activePlayer.playFromQueue(index),
    moveInQueue: (from, to) => activePlayer.moveInQueue(from, to),
    removeFromQueue: (index) => activePlayer.removeFromQueue(index),
    clearQueue: () => activePlayer.clearQueue(),
    undoClearQueue: () => activePlayer.undoClearQueue(),
    setSleep: (sleep) => activePlayer.setSleep(sleep),
    setVolume(volume) {
      songPlayer.setVolume(volume)
      editPlayer.setVolume(volume)
    },
    setMuted(muted) {
      songPlayer.setMuted(muted)
      editPlayer.setMuted(muted)
    },
  }
  return {
    player,
    disconnect() {
      switchTo(songPlayer)
      for (const stop of stopFunctions) stop()
    },
  }
}
