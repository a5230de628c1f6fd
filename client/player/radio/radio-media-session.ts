import { releaseMediaSession, setActionHandler, songMetadata, takeMediaSession } from '../media-session.ts'
import type { RadioPlayer } from './radio-player-interface.ts'

/** The actions of a player that the radio does not have. */
const OTHER_ACTIONS = ['seekbackward', 'seekforward', 'seekto', 'nexttrack', 'previoustrack'] as const

/** Connects the radio to the Media Session API (lock screen, media keys). Returns the function that disconnects it. */
export function connectRadioSession(
  radio: RadioPlayer,
  session: MediaSession | undefined = globalThis.navigator?.mediaSession,
): () => void {
  if (!session) return () => {}
  let shownSong: string | undefined

  function takeSession() {
    if (!session) return
    shownSong = undefined
    setActionHandler(session, 'play', radio.play)
    setActionHandler(session, 'pause', radio.pause)
    setActionHandler(session, 'stop', radio.pause)
    for (const action of OTHER_ACTIONS) setActionHandler(session, action, null)
  }

  function updateSession() {
    const { onAir, status } = radio.getSnapshot()
    if (!session || !takeMediaSession(radio, status === 'playing', takeSession)) return
    // The operating system shows nothing before somebody has pressed play.
    const song = status === 'silent' ? undefined : onAir
    if (song?.start_time !== shownSong) {
      shownSong = song?.start_time
      session.metadata = song ? songMetadata(song, 'Radio') : null
    }
    session.playbackState = song === undefined ? 'none' : status === 'playing' ? 'playing' : 'paused'
  }

  const unsubscribe = radio.subscribe(updateSession)
  updateSession()
  return () => {
    unsubscribe()
    if (!releaseMediaSession(radio)) return
    for (const action of ['play', 'pause', 'stop'] as const) setActionHandler(session, action, null)
    session.metadata = null
    session.playbackState = 'none'
  }
}
