import type { Scope } from '../primitives/scope.ts'
import { type MediaSessionHandlers, openMediaSession } from './media-session.ts'
import type { PlaybackPosition, Player } from './player-interface.ts'

const SEEK_STEP_SECONDS = 10

/** Returns the handlers that seek in a player. */
export const createSeekHandlers = (readPosition: () => PlaybackPosition, seekTo: (seconds: number) => void): MediaSessionHandlers => ({
  seekbackward: ({ seekOffset = SEEK_STEP_SECONDS }) => seekTo(readPosition().positionSeconds - seekOffset),
  seekforward: ({ seekOffset = SEEK_STEP_SECONDS }) => seekTo(readPosition().positionSeconds + seekOffset),
  seekto: ({ seekTime }) => {
    if (seekTime !== undefined) seekTo(seekTime)
  },
})

const connectedPlayers = new WeakSet<Player>()

/** Connects the player to the media session until the scope is disposed. Does nothing if the scope is disposed or the player is connected. */
export function connectMediaSession(player: Player, scope: Scope) {
  if (scope.signal.aborted || connectedPlayers.has(player)) return
  connectedPlayers.add(player)
  const sessionAccess = openMediaSession()
  const handlers: MediaSessionHandlers = {
    play: player.play,
    pause: player.pause,
    stop: player.pause,
    ...createSeekHandlers(player.position, player.seek),
  }
  function updateSession() {
    const { current: song, status, contextTitle: albumName, canNext, canPrevious } = player.getSnapshot()
    sessionAccess.update({
      song,
      album: albumName,
      isPlaying: status === 'playing' || status === 'loading',
      handlers: { ...handlers, nexttrack: canNext ? player.next : null, previoustrack: canPrevious ? player.previous : null },
    })
    sessionAccess.showPosition(player.position())
  }
  updateSession()
  scope.add(sessionAccess.close)
  scope.add(player.subscribe(updateSession))
  scope.add(player.onPosition(sessionAccess.showPosition))
}
