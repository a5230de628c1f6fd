import type { Song } from '../../contract/song.ts'
import type { Player, Position } from './player-interface.ts'
import { createSilentLoop } from './silent-loop.ts'
import type { VideoAdapter } from './video-adapter.ts'

const ACTIONS = ['play', 'pause', 'stop', 'seekbackward', 'seekforward', 'seekto', 'nexttrack', 'previoustrack'] as const
const SEEK_SECONDS = 10
/** The operating system counts the position itself. It is corrected if it differs by more than this. */
const POSITION_TOLERANCE_SECONDS = 1

type SessionHandlers = Partial<Record<(typeof ACTIONS)[number], MediaSessionActionHandler | null>>

/** The state of a player as the operating system shows it. */
interface SessionState {
  /** `undefined`: nothing is shown. */
  song: Pick<Song, 'youtube_id' | 'title' | 'author_name'> | undefined
  album: string
  /** Whether the player plays, or loads what it will play. */
  isPlaying: boolean
  handlers: SessionHandlers
}

/** The access of one player to the page's media session (lock screen, media keys). Calls are ignored while another player has the session. */
interface SessionAccess {
  /** Shows the state. Takes over the session if the player plays. */
  update(state: SessionState): void
  showPosition(position: Position): void
  /** Ends the access, and releases the session. */
  close(): void
}

/** The access of the player that played last. */
let owner: SessionAccess | undefined
const silentLoop = createSilentLoop()

/**
 * Returns access to the media session for a player of `video`. The session belongs to the player that played last. A silent loop plays while the
 * player does: browsers give the media keys to the topmost frame that plays sound, and the sound of the video comes from the platform's frame.
 */
export function openMediaSession(video: VideoAdapter): SessionAccess {
  const session: MediaSession | undefined = globalThis.navigator?.mediaSession
  let shown: SessionState | undefined
  let shownPosition = { seconds: 0, lengthSeconds: 0, atMs: 0 }

  function setHandlers(handlers: SessionHandlers) {
    for (const action of ACTIONS) {
      try {
        session?.setActionHandler(action, handlers[action] ?? null)
      } catch {
        // `setActionHandler` throws for an action that the browser does not support.
      }
    }
  }

  function clearPosition() {
    session?.setPositionState()
    shownPosition = { seconds: 0, lengthSeconds: 0, atMs: 0 }
  }

  function updateLoop() {
    if (owner !== access) return
    // The video pauses before the loop: Chromium gives the session of a paused page to the frame whose sound ended last.
    if (shown?.isPlaying || !video.paused) silentLoop.play()
    else silentLoop.pause()
  }

  const access: SessionAccess = {
    update(state) {
      if (!session || (owner !== undefined && owner !== access && !state.isPlaying)) return
      const previous = owner === access ? shown : undefined
      owner = access
      shown = state
      setHandlers(state.handlers)
      const isSameSong = previous !== undefined && previous.song?.youtube_id === state.song?.youtube_id
      if (!isSameSong || previous.album !== state.album) session.metadata = state.song ? metadataOf(state.song, state.album) : null
      // Otherwise the position and the length of the song before would be shown until those of the video are known.
      if (!isSameSong) clearPosition()
      session.playbackState = state.isPlaying ? 'playing' : state.song ? 'paused' : 'none'
      updateLoop()
    },
    showPosition({ positionSeconds, durationSeconds }) {
      if (!session || owner !== access || durationSeconds <= 0) return
      const { seconds, lengthSeconds, atMs } = shownPosition
      const elapsedSeconds = shown?.isPlaying ? (performance.now() - atMs) / 1000 : 0
      const isExpected = Math.abs(seconds + elapsedSeconds - positionSeconds) <= POSITION_TOLERANCE_SECONDS
      if (isExpected && lengthSeconds === durationSeconds) return
      shownPosition = { seconds: positionSeconds, lengthSeconds: durationSeconds, atMs: performance.now() }
      const position = Math.min(Math.max(0, positionSeconds), durationSeconds)
      session.setPositionState({ duration: durationSeconds, position, playbackRate: 1 })
    },
    close() {
      for (const stop of stopListening) stop()
      if (!session || owner !== access) return
      owner = undefined
      setHandlers({})
      clearPosition()
      session.metadata = null
      session.playbackState = 'none'
      silentLoop.pause()
    },
  }
  const stopListening = (['pause', 'ended', 'error'] as const).map((type) => video.on(type, updateLoop))
  return access
}

const metadataOf = ({ youtube_id, title, author_name }: NonNullable<SessionState['song']>, album: string) =>
  new MediaMetadata({
    title,
    artist: author_name,
    album,
    artwork: [320, 640].map((width) => ({ src: `/img/song/${youtube_id}/${width}`, sizes: `${width}x${Math.round((width * 9) / 16)}` })),
  })

/** Returns the handlers that seek in a player. */
const seekHandlers = (readPosition: () => Position, seek: (seconds: number) => void): SessionHandlers => ({
  seekbackward: ({ seekOffset = SEEK_SECONDS }) => seek(readPosition().positionSeconds - seekOffset),
  seekforward: ({ seekOffset = SEEK_SECONDS }) => seek(readPosition().positionSeconds + seekOffset),
  seekto: ({ seekTime }) => {
    if (seekTime !== undefined) seek(seekTime)
  },
})

/** Connects the player to the media session. Returns the function that disconnects it. */
export function connectMediaSession(player: Player, video: VideoAdapter): () => void {
  const access = openMediaSession(video)
  const handlers: SessionHandlers = {
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
  const access = openMediaSession(video)
  const readPosition = (): Position => ({ positionSeconds: video.currentTime, durationSeconds: video.duration })
  const handlers: SessionHandlers = {
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
