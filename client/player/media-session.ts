import type { Song } from '../../contract/song.ts'
import type { Player } from './player-interface.ts'

const SEEK_SECONDS = 10
const POSITION_EVERY_MS = 5000

/** Returns the description of a song for the operating system. */
export const songMetadata = ({ youtube_id, title, author_name }: Pick<Song, 'youtube_id' | 'title' | 'author_name'>, album: string) =>
  new MediaMetadata({
    title,
    artist: author_name,
    album,
    artwork: [320, 640].map((width) => ({ src: `/img/song/${youtube_id}/${width}`, sizes: `${width}x${Math.round((width * 9) / 16)}` })),
  })

/** Sets the handler of an action. An action that the browser does not support is left out. */
export function setActionHandler(session: MediaSession, action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  try {
    session.setActionHandler(action, handler)
  } catch {
    // `setActionHandler` throws for an action that the browser does not support.
  }
}

/** The user of the page's media session: the player that played last. */
let sessionUser: unknown

/**
 * Lets the player `user` take over the media session if it plays, or if no player has the session. Calls `onTake` after a takeover. Returns
 * whether `user` now controls the session.
 */
export function takeMediaSession(user: unknown, isPlaying: boolean, onTake: () => void): boolean {
  if (sessionUser !== user && (isPlaying || !sessionUser)) {
    sessionUser = user
    onTake()
  }
  return sessionUser === user
}

/** Releases the media session if `user` controls it. Returns whether it did. */
export function releaseMediaSession(user: unknown): boolean {
  const hadSession = sessionUser === user
  if (hadSession) sessionUser = undefined
  return hadSession
}

/** Connects the player to the Media Session API (lock screen, media keys). Returns the function that disconnects the player. */
export function connectMediaSession(player: Player, session: MediaSession | undefined = globalThis.navigator?.mediaSession): () => void {
  if (!session) return () => {}
  let shownSongId: string | undefined
  let positionAtMs = 0

  const setHandler = (action: MediaSessionAction, handler: MediaSessionActionHandler | null) => setActionHandler(session, action, handler)

  function takeSession() {
    shownSongId = undefined
    setHandler('play', () => player.play())
    setHandler('pause', () => player.pause())
    setHandler('stop', () => player.pause())
    setHandler('seekbackward', (details) => player.seek(player.position().positionSeconds - (details.seekOffset ?? SEEK_SECONDS)))
    setHandler('seekforward', (details) => player.seek(player.position().positionSeconds + (details.seekOffset ?? SEEK_SECONDS)))
    setHandler('seekto', (details) => details.seekTime !== undefined && player.seek(details.seekTime))
  }

  function showPosition() {
    const { positionSeconds, durationSeconds } = player.position()
    positionAtMs = Date.now()
    if (durationSeconds <= 0) return
    session?.setPositionState({
      duration: durationSeconds,
      position: Math.min(Math.max(0, positionSeconds), durationSeconds),
      playbackRate: 1,
    })
  }

  function updateSession() {
    const { current: currentSong, status, contextTitle, canNext, canPrevious } = player.getSnapshot()
    if (!session || !takeMediaSession(player, status === 'playing', takeSession)) return
    if (currentSong?.youtube_id !== shownSongId) {
      shownSongId = currentSong?.youtube_id
      session.metadata = currentSong ? songMetadata(currentSong, contextTitle) : null
      positionAtMs = 0
    }
    session.playbackState = status === 'playing' ? 'playing' : currentSong ? 'paused' : 'none'
    setHandler('nexttrack', canNext ? () => player.next() : null)
    setHandler('previoustrack', canPrevious ? () => player.previous() : null)
    showPosition()
  }

  const stopState = player.subscribe(updateSession)
  const stopPosition = player.onPosition(() => {
    if (sessionUser === player && Date.now() - positionAtMs >= POSITION_EVERY_MS) showPosition()
  })
  updateSession()

  return () => {
    stopState()
    stopPosition()
    if (!releaseMediaSession(player)) return
    for (const action of ['play', 'pause', 'stop', 'seekbackward', 'seekforward', 'seekto', 'nexttrack', 'previoustrack'] as const)
      setHandler(action, null)
    session.metadata = null
    session.playbackState = 'none'
  }
}
