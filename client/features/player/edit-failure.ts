import { SOUND_FAILURE_CODES } from '../../player/edits/audio-slot.ts'
import type { PlayerError } from '../../player/player-interface.ts'

/** Explains why an edit does not play. */
export function describeEditFailure(error: PlayerError): string {
  const failureCode = error.kind === 'unplayable' ? error.code : SOUND_FAILURE_CODES.missing
  const nextEditText = error.kind === 'unplayable' && error.skipped ? ' The next one follows in a moment.' : ''
  if (failureCode === SOUND_FAILURE_CODES.missing) return `This edit is no longer on this device.${nextEditText}`
  if (failureCode === SOUND_FAILURE_CODES['no-room']) return `The device has no room for the sound of this edit.${nextEditText}`
  return `This edit can't be played. Open it in the maker to see why.${nextEditText}`
}
