import type { Song } from '../../contract/song.ts'
import { type MediaSessionHandlers, openMediaSession } from './media-session.ts'
import type { Player, Position } from './player-interface.ts'
import type { VideoAdapter } from './video-adapter.ts'

const SEEK_SECONDS = 10

/** Returns the handlers that seek in a player. */
const seekHandlers = (readPosition: () => Position, seek: (seconds: number) => void): MediaSessionHandlers => ({
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
    ...seekHandlers(player.position, player.seek),
  }
  function update() {
    const { current: song, status, contextTitle: album, canNext, canPrevious } = player.getSnapshot()
    access.update({
      song,
      album,
      isPlaying: status === 'playing' || status === 'loading',
      handlers: { ...handlers, nexttrack: canNext ? player.next : null, previoustrack: canPrevious ? player.previous : null },
    })
    access.showPosition(player.position())
  }
  const unsubscribe = player.subscribe(update)
  const stopPosition = player.onPosition(access.showPosition)
  update()
  return () => {
    unsubscribe()
    stopPosition()
    access.close()
  }
}

/** Connects a video that plays a single song to the media session. Returns the function that disconnects it. */
export function connectVideoSession(video: VideoAdapter, song: Song): () => void {
  const access = openMediaSession()
  const readPosition = (): Position => ({ positionSeconds: video.currentTime, durationSeconds: video.duration })
  const handlers: MediaSessionHandlers = {
    play: video.play,
    pause: video.pause,
    stop: video.pause,
    ...seekHandlers(readPosition, (seconds) => {
      video.currentTime = seconds
    }),
  }
  const update = () => {
    access.update({ song, album: '', isPlaying: !video.paused, handlers })
    access.showPosition(readPosition())
  }
  const stopListening = (['playing', 'pause', 'ended', 'error', 'timeupdate'] as const).map((type) => video.on(type, update))
  return () => {
    for (const stop of stopListening) stop()
    access.close()
  }
}
