import type { InitialData } from '../../../contract/initial-data.ts'
import type { RadioPlayer, RadioState } from './radio-player-interface.ts'

/** Returns the state of a radio before its first request: the song on air is the one in the page's HTML. */
export function createInitialRadioState(initialResponse: InitialData['radio']): RadioState {
  const songOnAir = initialResponse?.onAir ?? undefined
  return {
    status: 'silent',
    canPause: false,
    station: 'main',
    playsMain: false,
    onAir: songOnAir,
    hasNoSongs: initialResponse !== undefined && songOnAir === undefined,
    serverUnreachable: false,
    listeners: undefined,
    sleep: { kind: 'off' },
    volume: 1,
    muted: false,
    hasFrame: false,
  }
}

const doNothing = () => {}

/** Creates a radio without a video, for rendering on the server. */
export const createIdleRadio = (state: RadioState): RadioPlayer => ({
  getSnapshot: () => state,
  subscribe: () => doNothing,
  position: () => ({ positionSeconds: 0, durationSeconds: state.onAir?.duration ?? 0 }),
  onPosition: () => doNothing,
  play: doNothing,
  pause: doNothing,
  toggle: doNothing,
  setStation: doNothing,
  setVolume: doNothing,
  setMuted: doNothing,
  setSleep: doNothing,
  attachStage: doNothing,
  close: doNothing,
})
