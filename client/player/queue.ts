import type { Song } from '../../contract/song.ts'

/** The current song again when it has ended. */
export type Loop = boolean

/** Off, at a time of the wall clock, or when the current song has ended. */
export type Sleep = { kind: 'off' } | { kind: 'at'; atMs: number; minutes: number } | { kind: 'end-of-song' }

export interface QueueEntry {
  /** Names this entry for as long as it stands in the queue; the same song may stand in it twice. */
  key: number
  song: Song
  /** Put there by a person, not by the context. */
  queued: boolean
}

/** The playlist or category that plays. */
export interface QueueContext {
  /** In their order. Empty as long as they are not known. */
  songs: readonly Song[]
  /** `songs` are all of them, so that the first follows the last. */
  complete: boolean
}

/** The neighbours of the anchor as the server gave them: the way on where the context's songs are not known. */
export interface Links {
  next: string
  previous: string | undefined
}

export interface QueueState {
  context: QueueContext
  current: Song | undefined
  /** The last song that played from the context: where the context goes on after songs that came in between. */
  anchorId: string | undefined
  links: Links | undefined
  /** What comes next. With shuffle it holds no songs of the context, only what people put there or came back from. */
  entries: readonly QueueEntry[]
  /** What played before in this context, the latest last. */
  history: readonly Song[]
  loop: Loop
  shuffle: boolean
  /** Cleared by hand: the context does not go on by itself. */
  cleared: boolean
  /** Restored entries: the context's songs that follow `tailId` were left out, and are added when they arrive. */
  restored: { tailId: string | undefined } | undefined
  sleep: Sleep
  nextKey: number
}

export type QueueAction =
  /** A person chose a song: a new walk through a context begins. Entries put in by hand stay. */
  | { type: 'open'; song: Song; links: Links | undefined; context: QueueContext | undefined }
  | { type: 'context'; context: QueueContext }
  | { type: 'links'; songId: string; links: Links }
  /** Takes an entry; what stands before it is skipped. */
  | { type: 'take'; index: number }
  /** After the context's last song, its first. */
  | { type: 'wrap' }
  /** A song that the queue named by id only: a neighbour in the context, or a random one. */
  | { type: 'step'; song: Song; from: 'context' | 'random' }
  | { type: 'back' }
  /** The neighbour before the anchor, where nothing played before. */
  | { type: 'step-back'; song: Song }
  | { type: 'play-next'; song: Song }
  | { type: 'enqueue'; song: Song }
  | { type: 'move'; from: number; to: number }
  | { type: 'remove'; index: number }
  | { type: 'clear' }
  | { type: 'loop'; loop: Loop }
  | { type: 'shuffle'; shuffle: boolean }
  | { type: 'sleep'; sleep: Sleep }

/** What to do next. `linked` names a song whose row is not here. */
export type Step = { kind: 'take' } | { kind: 'wrap' } | { kind: 'random' } | { kind: 'linked'; songId: string } | { kind: 'none' }
export type EndStep = Step | { kind: 'replay' } | { kind: 'sleep' }
export type BackStep = { kind: 'back' } | { kind: 'song'; song: Song } | { kind: 'linked'; songId: string } | { kind: 'none' }

const HISTORY_LENGTH = 100
const noContext: QueueContext = { songs: [], complete: false }

export const emptyQueue: QueueState = {
  context: noContext,
  current: undefined,
  anchorId: undefined,
  links: undefined,
  entries: [],
  history: [],
  loop: false,
  shuffle: false,
  cleared: false,
  restored: undefined,
  sleep: { kind: 'off' },
  nextKey: 1,
}

/** What follows the current song when a person asks for the next one. */
export function nextStep(state: QueueState): Step {
  if (state.current === undefined) return { kind: 'none' }
  if (state.entries.length > 0) return { kind: 'take' }
  if (state.shuffle) return { kind: 'random' }
  if (state.cleared) return { kind: 'none' }
  if (state.context.complete && state.context.songs.length > 0) return { kind: 'wrap' }
  return state.links ? { kind: 'linked', songId: state.links.next } : { kind: 'none' }
}

/** What follows when the current song has ended. */
export function endStep(state: QueueState): EndStep {
  if (state.sleep.kind === 'end-of-song') return { kind: 'sleep' }
  return state.loop ? { kind: 'replay' } : nextStep(state)
}

export function backStep(state: QueueState): BackStep {
  if (state.history.length > 0) return { kind: 'back' }
  if (state.current === undefined || state.current.youtube_id !== state.anchorId) return { kind: 'none' }
  const index = indexIn(state.context, state.anchorId)
  const before = index > 0 ? state.context.songs[index - 1] : undefined
  if (before) return { kind: 'song', song: before }
  if (index === 0) return { kind: 'none' }
  return state.links?.previous === undefined ? { kind: 'none' } : { kind: 'linked', songId: state.links.previous }
}

export const sleepIsDue = (sleep: Sleep, nowMs: number): boolean => sleep.kind === 'at' && nowMs >= sleep.atMs

/** Pure. An action that makes no sense in a state (an index out of range) gives the same state. */
export function reduceQueue(state: QueueState, action: QueueAction): QueueState {
  switch (action.type) {
    case 'open': {
      const opened: QueueState = {
        ...state,
        context: action.context ?? noContext,
        current: action.song,
        anchorId: action.song.youtube_id,
        links: action.links,
        history: [],
        cleared: false,
        restored: undefined,
      }
      return withContextEntries(opened)
    }
    case 'context': {
      if (!state.restored) return withContextEntries({ ...state, context: action.context })
      const { tailId } = state.restored
      const missing = tailId === undefined || state.shuffle || state.cleared ? [] : songsAfter(action.context, tailId)
      return addEntries({ ...state, context: action.context, restored: undefined }, missing, false, 'end')
    }
    case 'links':
      return action.songId === state.anchorId ? { ...state, links: action.links } : state
    case 'take': {
      const entry = state.entries[action.index]
      if (!entry) return state
      return go({ ...state, entries: state.entries.slice(action.index + 1) }, entry.song, !entry.queued)
    }
    case 'wrap': {
      const [first] = state.context.songs
      return first ? withContextEntries(go(state, first, true)) : state
    }
    case 'step': {
      const gone = go(state, action.song, action.from === 'context')
      return action.from === 'context' ? withContextEntries(gone) : gone
    }
    case 'back': {
      const song = state.history.at(-1)
      if (!song) return state
      return comeBack({ ...state, history: state.history.slice(0, -1) }, song)
    }
    case 'step-back':
      return comeBack(state, action.song)
    case 'play-next':
      return addEntries(state, [action.song], true, 'start')
    case 'enqueue':
      return addEntries(state, [action.song], true, 'after-queued')
    case 'move': {
      const moved = state.entries[action.from]
      if (!moved || action.to < 0 || action.to >= state.entries.length || action.from === action.to) return state
      return { ...state, entries: state.entries.toSpliced(action.from, 1).toSpliced(action.to, 0, moved) }
    }
    case 'remove':
      return state.entries[action.index] ? { ...state, entries: state.entries.toSpliced(action.index, 1) } : state
    case 'clear':
      return { ...state, entries: [], cleared: true, restored: undefined }
    case 'loop':
      return { ...state, loop: action.loop }
    case 'shuffle':
      return action.shuffle === state.shuffle ? state : withContextEntries({ ...state, shuffle: action.shuffle, cleared: false })
    case 'sleep':
      return { ...state, sleep: action.sleep }
  }
}

function indexIn(context: QueueContext, songId: string | undefined): number {
  return context.songs.findIndex((song) => song.youtube_id === songId)
}

function songsAfter(context: QueueContext, songId: string | undefined): readonly Song[] {
  const index = indexIn(context, songId)
  return index < 0 ? [] : context.songs.slice(index + 1)
}

function go(state: QueueState, song: Song, fromContext: boolean): QueueState {
  const history = state.current ? [...state.history, state.current].slice(-HISTORY_LENGTH) : state.history
  return { ...state, current: song, history, ...anchorAt(state, song, fromContext) }
}

/** The links of another anchor say nothing about this one. */
function anchorAt(state: QueueState, song: Song, fromContext: boolean): Pick<QueueState, 'anchorId' | 'links'> {
  if (!fromContext || song.youtube_id === state.anchorId) return { anchorId: state.anchorId, links: state.links }
  return { anchorId: song.youtube_id, links: undefined }
}

function comeBack(state: QueueState, song: Song): QueueState {
  const left = state.current
  const inContext = indexIn(state.context, song.youtube_id) >= 0 || state.context.songs.length === 0
  const back: QueueState = { ...state, current: song, ...anchorAt(state, song, inContext) }
  return left ? addEntries(back, [left], false, 'start') : back
}

/** What people put in, then the rest of the context after its anchor. */
function withContextEntries(state: QueueState): QueueState {
  const queued = { ...state, entries: state.entries.filter((entry) => entry.queued) }
  if (state.shuffle || state.cleared) return queued
  const from = indexIn(state.context, state.current?.youtube_id) >= 0 ? state.current?.youtube_id : state.anchorId
  return addEntries(queued, songsAfter(state.context, from), false, 'end')
}

function addEntries(state: QueueState, songs: readonly Song[], queued: boolean, where: 'start' | 'after-queued' | 'end'): QueueState {
  if (songs.length === 0) return state
  const added = songs.map((song, index) => ({ key: state.nextKey + index, song, queued }))
  const firstOfContext = state.entries.findIndex((entry) => !entry.queued)
  const at = where === 'start' ? 0 : where === 'end' || firstOfContext < 0 ? state.entries.length : firstOfContext
  return { ...state, entries: state.entries.toSpliced(at, 0, ...added), nextKey: state.nextKey + added.length }
}
