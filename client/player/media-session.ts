import type { PlaybackPosition } from './player-interface.ts'
import type { PlayedSong } from './queue.ts'
import { createSilentLoop } from './silent-loop.ts'

const MEDIA_SESSION_ACTIONS = ['play', 'pause', 'stop', 'seekbackward', 'seekforward', 'seekto', 'nexttrack', 'previoustrack'] as const
/** The operating system advances the position by itself. The position is corrected if it differs by more than this. */
const POSITION_TOLERANCE_SECONDS = 1

export type MediaSessionHandlers = Partial<Record<(typeof MEDIA_SESSION_ACTIONS)[number], MediaSessionActionHandler | null>>

/** The state of a player that the operating system shows. */
interface MediaSessionContent {
  /** `undefined`: nothing is shown. */
  song: Pick<PlayedSong, 'youtube_id' | 'title' | 'author_name' | 'artwork'> | undefined
  album: string
  /** Whether the player is playing, or is loading a song that it will then play. */
  isPlaying: boolean
  handlers: MediaSessionHandlers
}

/**
 * The access of one player to the page's media session (lock screen, media keys). Calls are ignored while another player has the session.
 */
interface MediaSessionAccess {
  /** Shows the state. Takes over the session if the player plays. */
  update(state: MediaSessionContent): void
  showPosition(position: PlaybackPosition): void
  /** Ends the access, and releases the session. */
  close(): void
}

/** The access that belongs to the player that played last. */
let sessionOwner: MediaSessionAccess | undefined
const silentLoop = createSilentLoop()

/**
 * Returns access to the media session. The session belongs to the player that played last. A silent loop plays while the
 * player does: browsers give the media keys to the topmost frame that plays sound, and the sound of the video comes from the platform's frame.
 */
export function openMediaSession(): MediaSessionAccess {
  const session: MediaSession | undefined = globalThis.navigator?.mediaSession
  let shownState: MediaSessionContent | undefined
  let shownPosition = { seconds: 0, lengthSeconds: 0, atMs: 0 }

  function setHandlers(handlers: MediaSessionHandlers) {
    for (const sessionAction of MEDIA_SESSION_ACTIONS) {
      try {
        session?.setActionHandler(sessionAction, handlers[sessionAction] ?? null)
      } catch {
        // `setActionHandler` throws for an action that the browser does not support.
      }
    }
  }

  function clearPosition() {
    session?.setPositionState()
    shownPosition = { seconds: 0, lengthSeconds: 0, atMs: 0 }
  }

  const access: MediaSessionAccess = {
    update(sessionState) {
      if (!session || (sessionOwner !== undefined && sessionOwner !== access && !sessionState.isPlaying)) return
      const previousState = sessionOwner === access ? shownState : undefined
      sessionOwner = access
      shownState = sessionState
      setHandlers(sessionState.handlers)
      const isSameSong = previousState !== undefined && previousState.song?.youtube_id === sessionState.song?.youtube_id
      if (!isSameSong || previousState.album !== sessionState.album)
        session.metadata = sessionState.song ? createMetadata(sessionState.song, sessionState.album) : null
      // Clears the position, because the position and the length of the previous song would otherwise be shown until those of the new song
      // are known.
      if (!isSameSong) clearPosition()
      session.playbackState = sessionState.isPlaying ? 'playing' : sessionState.song ? 'paused' : 'none'
      if (sessionState.isPlaying) silentLoop.play()
      else silentLoop.pauseLater()
    },
    showPosition({ positionSeconds, durationSeconds }) {
      if (!session || sessionOwner !== access || durationSeconds <= 0) return
      const { seconds, lengthSeconds, atMs } = shownPosition
      const elapsedSeconds = shownState?.isPlaying ? (performance.now() - atMs) / 1000 : 0
      const isPositionExpected = Math.abs(seconds + elapsedSeconds - positionSeconds) <= POSITION_TOLERANCE_SECONDS
      if (isPositionExpected && lengthSeconds === durationSeconds) return
      shownPosition = { seconds: positionSeconds, lengthSeconds: durationSeconds, atMs: performance.now() }
      const position = Math.min(Math.max(0, positionSeconds), durationSeconds)
      session.setPositionState({ duration: durationSeconds, position, playbackRate: 1 })
    },
    close() {
      if (!session || sessionOwner !== access) return
      sessionOwner = undefined
      setHandlers({})
      clearPosition()
      session.metadata = null
      session.playbackState = 'none'
      silentLoop.pause()
    },
  }
  return access
}

const createMetadata = ({ youtube_id, title, author_name, artwork }: NonNullable<MediaSessionContent['song']>, albumName: string) =>
  new MediaMetadata({
    title,
    artist: author_name,
    album: albumName,
    artwork:
      artwork ??
      [320, 640].map((width) => ({ src: `/img/song/${youtube_id}/${width}`, sizes: `${width}x${Math.round((width * 9) / 16)}` })),
  })
