import { type MediaSessionHandlers, openMediaSession } from './media-session.ts'
import type { Player, Position } from './player-interface.ts'

const SEEK_SECONDS = 10

/** Returns the handlers that seek in a player. */
export const createSeekHandlers = (readPosition: () => Position, seek: (seconds: number) => void): MediaSessionHandlers => ({
  seekbackward: ({ seekOffset = SEEK_SECONDS }) => seek(readPosition().positionSeconds - seekOffset),
  seekforward: ({ seekOffset = SEEK_SECONDS }) => seek(readPosition().positionSeconds + seekOffset),
  seekto: ({ seekTime }) => {
    if (seekTime !== undefined) seek(seekTime)
  },
})

/** Connects the player to the media session. Returns the function that disconnects it. */
export function connectMediaSession(player: Player): () => void {
  const access = openMediaSession()
  const handlers: MediaSessionHandlers = {
    play: player.play,
    pause: player.pause,
    stop: player.pause,
    ...createSeekHandlers(player.position, player.seek),
  }
  function updateSession() {
    const { current: song, status, contextTitle: album, canNext, canPrevious } = player.getSnapshot()
    access.update({
      song,
      album,
      isPlaying: status === 'playing' || status === 'loading',
      handlers: { ...handlers, nexttrack: canNext ? player.next : null, previoustrack: canPrevious ? player.previous : null },
    })
    access.showPosition(player.position())
  }
  const unsubscribe = player.subscribe(updateSession)
  const stopPosition = player.onPosition(access.showPosition)
  updateSession()
  return () => {
    unsubscribe()
    stopPosition()
    access.close()
  }
}
