import { createEmitter } from '../../primitives/emitter.ts'
import type { PagePlayer, Player, Position } from '../player-interface.ts'

const isStarting = (player: Player) => ['playing', 'loading'].includes(player.getSnapshot().status)

/**
 * Joins the player of catalogue songs and the player of edits into one player. The state of the player that was started last is shown, and
 * commands go to that player. Starting one player pauses the other and takes over the other's sleep timer. Songs are always opened and
 * queued in the player of songs, whose events only that player reports. `disconnect` permanently switches to the player of songs.
 */
export function createSwitchedPlayer(songs: Player, edits: Player, nowMs = Date.now): { player: PagePlayer; disconnect: () => void } {
  const changeEmitter = createEmitter()
  const positionChanges = createEmitter<Position>()
  let active = songs

  function switchTo(player: Player) {
    const otherPlayer = active
    if (player === otherPlayer) return
    active = player
    // The other player is paused, because a change of its state while it plays would switch back to it.
    if (isStarting(otherPlayer)) otherPlayer.pause()
    const { sleep } = otherPlayer.getSnapshot()
    if (sleep.kind !== 'off') {
      otherPlayer.setSleep('off')
      player.setSleep(sleep.kind === 'at' ? { minutes: (sleep.atMs - nowMs()) / 60_000 } : sleep.kind)
    }
    changeEmitter.emit()
  }

  const stops = [
    songs.subscribe(() => isStarting(songs) && switchTo(songs)),
    edits.subscribe(() => {
      if (isStarting(edits)) switchTo(edits)
      if (edits === active) changeEmitter.emit()
    }),
    edits.onPosition((position) => edits === active && positionChanges.emit(position)),
  ]

  const player: PagePlayer = {
    ...songs,
    getSnapshot: () => active.getSnapshot(),
    subscribe: changeEmitter.subscribe,
    onPosition: positionChanges.subscribe,
    position: () => active.position(),
    open(request) {
      switchTo(songs)
      songs.open(request)
    },
    play: () => active.play(),
    pause: () => active.pause(),
    toggle: () => active.toggle(),
    seek: (seconds) => active.seek(seconds),
    next: () => active.next(),
    previous: () => active.previous(),
    startSongRadio(song) {
      switchTo(songs)
      songs.startSongRadio(song)
    },
    retry: (staysPaused) => active.retry(staysPaused),
    setLoop: (loop) => active.setLoop(loop),
    setShuffle: (shuffle) => active.setShuffle(shuffle),
    playFromQueue: (index) => active.playFromQueue(index),
    moveInQueue: (from, to) => active.moveInQueue(from, to),
    removeFromQueue: (index) => active.removeFromQueue(index),
    clearQueue: () => active.clearQueue(),
    undoClearQueue: () => active.undoClearQueue(),
    setSleep: (sleep) => active.setSleep(sleep),
    setVolume(volume) {
      songs.setVolume(volume)
      edits.setVolume(volume)
    },
    setMuted(muted) {
      songs.setMuted(muted)
      edits.setMuted(muted)
    },
  }
  return {
    player,
    disconnect() {
      switchTo(songs)
      for (const stop of stops) stop()
    },
  }
}
