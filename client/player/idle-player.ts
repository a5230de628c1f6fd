import type { PlaybackPosition, Player, PlayerState } from './player-interface.ts'

/** The initial state of every player. */
export const idleState: PlayerState = {
  status: 'idle',
  songId: undefined,
  current: undefined,
  detail: undefined,
  contextId: undefined,
  contextTitle: '',
  upcoming: [],
  isContextLoading: false,
  nextKind: 'none',
  canNext: false,
  canPrevious: false,
  endless: false,
  isSongRadio: false,
  isExhausted: false,
  loop: false,
  shuffle: false,
  sleep: { kind: 'off' },
  volume: 1,
  muted: false,
  durationSeconds: 0,
  hasFrame: false,
  error: undefined,
}

const doNothing = () => {}
/** The position of a player without a song. */
export const startPosition: PlaybackPosition = { positionSeconds: 0, durationSeconds: 0 }

/** A player without a video, for rendering on the server. */
export const idlePlayer: Player = {
  getSnapshot: () => idleState,
  subscribe: () => doNothing,
  onPosition: () => doNothing,
  position: () => startPosition,
  open: doNothing,
  play: doNothing,
  pause: doNothing,
  toggle: doNothing,
  seek: doNothing,
  next: doNothing,
  previous: doNothing,
  startSongRadio: doNothing,
  retry: doNothing,
  setEndless: doNothing,
  setLoop: doNothing,
  setShuffle: doNothing,
  playNext: doNothing,
  enqueue: doNothing,
  playFromQueue: doNothing,
  moveInQueue: doNothing,
  removeFromQueue: doNothing,
  clearQueue: doNothing,
  undoClearQueue: doNothing,
  completeQueue: doNothing,
  forgetSession: doNothing,
  setSleep: doNothing,
  setVolume: doNothing,
  setMuted: doNothing,
  attachStage: doNothing,
  close: doNothing,
}
