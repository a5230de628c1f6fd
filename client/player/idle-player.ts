import type { Player, PlayerState, Position } from './player-interface.ts'

/** How every player begins. */
export const idleState: PlayerState = {
  status: 'idle',
  songId: undefined,
  current: undefined,
  detail: undefined,
  contextId: undefined,
  contextTitle: '',
  upcoming: [],
  canNext: false,
  canPrevious: false,
  loop: false,
  shuffle: false,
  sleep: { kind: 'off' },
  volume: 1,
  muted: false,
  durationSeconds: 0,
  hasFrame: false,
  error: undefined,
}

const nothing = () => {}
const start: Position = { positionSeconds: 0, durationSeconds: 0 }

/** A player that plays nothing: for markup that is made where there is no page. */
export const idlePlayer: Player = {
  getSnapshot: () => idleState,
  subscribe: () => nothing,
  onPosition: () => nothing,
  position: () => start,
  open: nothing,
  play: nothing,
  pause: nothing,
  toggle: nothing,
  seek: nothing,
  next: nothing,
  previous: nothing,
  retry: nothing,
  setLoop: nothing,
  setShuffle: nothing,
  playNext: nothing,
  enqueue: nothing,
  playFromQueue: nothing,
  moveInQueue: nothing,
  removeFromQueue: nothing,
  clearQueue: nothing,
  setSleep: nothing,
  setVolume: nothing,
  setMuted: nothing,
  attachStage: nothing,
  close: nothing,
}
