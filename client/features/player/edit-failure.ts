import { SOUND_FAILURE_CODES } from '../../player/edits/audio-slot.ts'
import type { PlayerError } from '../../player/player-interface.ts'

/** Explains why an edit does not play. */
export function editFailureText(error: PlayerError): string {
  const code = error.kind === 'unplayable' ? error.code : SOUND_FAILURE_CODES.missing
  const nextText = error.kind === 'unplayable' && error.skipped ? ' The next one follows in a moment.' : ''
  if (code === SOUND_FAILURE_CODES.missing) return `This edit is no longer on this device.${nextText}`
  if (code === SOUND_FAILURE_CODES['no-room']) return `The device has no room for the sound of this edit.${nextText}`
  return `This edit can't be played. Open it in the maker to see why.${nextText}`
}
