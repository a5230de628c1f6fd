import { setActionHandler, songMetadata } from '../media-session.ts'
import type { RadioPlayer } from './radio-player-interface.ts'

/** Connects the radio to the Media Session API (lock screen, media keys). Returns the function that disconnects it. */
export function connectRadioSession(
  radio: RadioPlayer,
  session: MediaSession | undefined = globalThis.navigator?.mediaSession,
): () => void {
  if (!session) return () => {}
  let shownSong: string | undefined

  function updateSession() {
    const { onAir, status } = radio.getSnapshot()
    if (!session) return
    // The operating system shows nothing before somebody has pressed play.
    const song = status === 'silent' ? undefined : onAir
    if (song?.start_time !== shownSong) {
      shownSong = song?.start_time
      session.metadata = song ? songMetadata(song, 'Radio') : null
    }
    session.playbackState = song === undefined ? 'none' : status === 'playing' ? 'playing' : 'paused'
  }

  setActionHandler(session, 'play', radio.play)
  setActionHandler(session, 'pause', radio.pause)
  setActionHandler(session, 'stop', radio.pause)
  const unsubscribe = radio.subscribe(updateSession)
  updateSession()
  return () => {
    unsubscribe()
    for (const action of ['play', 'pause', 'stop'] as const) setActionHandler(session, action, null)
    session.metadata = null
    session.playbackState = 'none'
  }
}
