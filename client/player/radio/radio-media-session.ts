import { openMediaSession } from '../media-session.ts'
import type { RadioPlayer } from './radio-player-interface.ts'

/** Connects the radio to the media session (lock screen, media keys). Returns the function that disconnects it. */
export function connectRadioSession(radio: RadioPlayer): () => void {
  const sessionAccess = openMediaSession()
  const sessionHandlers = { play: radio.play, pause: radio.pause, stop: radio.pause }
  function updateSession() {
    const { onAir, status, canPause } = radio.getSnapshot()
    // The media session has no metadata until play is pressed.
    sessionAccess.update({ song: status === 'silent' ? undefined : onAir, album: 'Radio', isPlaying: canPause, handlers: sessionHandlers })
  }
  const unsubscribe = radio.subscribe(updateSession)
  updateSession()
  return () => {
    unsubscribe()
    sessionAccess.close()
  }
}
