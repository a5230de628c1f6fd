import type { Song } from '../../contract/song.ts'
import { RELATED_EXCLUSIONS_MAX } from '../../contract/song-rules.ts'

/** A song that the player plays. */
export interface PlayedSong extends Song {
  /** The pictures of a sound of this device; `undefined` for a song of the catalogue, whose pictures the site serves. */
  artwork?: MediaImage[]
}

export type LoopSetting = boolean

/** The sleep timer: off, at a time of the wall clock, or at the end of the current song. */
export type SleepSetting = { kind: 'off' } | { kind: 'at'; atMs: number; minutes: number } | { kind: 'end-of-song' }

export interface QueueEntry {
  /** Identifies the entry while it is in the queue, since the queue can contain a song twice. */
  key: number
  song: PlayedSong
  /** Whether a person queued the song. Otherwise it comes from the context, or is a related song. */
  queued: boolean
  /** Whether the song was added because it is related to the songs before it. */
  related?: boolean | undefined
}

/** Where a song comes from. If it is neither queued nor related, it comes from the context. */
export type SongOrigin = Partial<Pick<QueueEntry, 'queued' | 'related'>>

/** The playlist or category that is being played, with its songs. */
export interface QueueContext {
  /** The songs in playing order; empty until they are loaded. */
  songs: readonly PlayedSong[]
  /** Whether `songs` contains all songs, so that the first song follows the last. */
  complete: boolean
}

/** Ids of the songs before and after the queue's `anchorId`, from the server, for a context whose songs are not loaded. */
export interface NeighbourSongIds {
  next: string
  /** Whether the song `anchorId` is the last of the context, so that `next` is the first. */
  isLast?: boolean
  previous: string | undefined
}

export interface QueueState {
  context: QueueContext
  current: PlayedSong | undefined
  currentOrigin: SongOrigin
  /** The last song that was played from the context. The context continues after this song when queued songs have been played. */
  anchorId: string | undefined
  /** The index of `anchorId` in the context, which can contain the song twice; -1 if unknown. If another song has this index, the nearest `anchorId` counts. */
  anchorIndex: number
  links: NeighbourSongIds | undefined
  /**
   * The next songs: first the songs that a person queued or went back from, then the rest of the context, then related songs. With
   * shuffle, the rest is in random order, or absent if the context is incomplete.
   */
  entries: readonly QueueEntry[]
  /** The songs that were played since the context was opened, with their origins, the latest last. */
  history: readonly (PlayedSong & SongOrigin)[]
  /**
   * The ids of the latest songs that were played, or removed although related, since the context was opened, the latest last. They are not added as
   * related songs while others are found.
   */
  recentSongIds: readonly string[]
  /** Whether related songs follow the last song of the context, instead of its first song. */
  endless: boolean
  /** Whether related songs follow a single song, which has no context. */
  isSongRadio: boolean
  /**
   * Whether no related song follows: none is found, or a person cleared the queue, and has neither queued a song nor turned `endless` on since. A radio
   * ends then, and the first song of the context follows the last.
   */
  isExhausted: boolean
  loop: LoopSetting
  shuffle: boolean
  /** Whether a person cleared the queue, so that the context does not continue. */
  cleared: boolean
  /** The entries that the latest clear removed. */
  clearedEntries: readonly QueueEntry[]
  /**
   * Set from the restoration of a session until the context is loaded. The context's songs after `tailId`, which was at `tailIndex`, are then appended to
   * the queue; with shuffle, the songs that are neither in the queue nor in the history.
   */
  restored: { tailId: string | undefined; tailIndex?: number | undefined } | undefined
  sleep: SleepSetting
  nextEntryKey: number
}

export type QueueAction =
  /** Starts a context, or a radio, at a song that a person chose, in the context at `anchorIndex` if that is known. Queued entries stay. */
  | {
      type: 'open'
      song: PlayedSong
      links: NeighbourSongIds | undefined
      context: QueueContext | undefined
      anchorIndex?: number | undefined
      isSongRadio?: boolean
    }
  | { type: 'context'; context: QueueContext }
  | { type: 'links'; songId: string; links: NeighbourSongIds }
  /** Plays an entry of the queue and removes the entries before that entry. */
  | { type: 'take'; index: number }
  /** Plays the context's first song after its last. Shuffle chooses a new random order. */
  | { type: 'wrap' }
  /** Plays a song that was loaded by its id: a neighbour in the context, or a random song of the context. */
  | { type: 'step'; song: PlayedSong; from: 'context' | 'random' }
  | { type: 'back' }
  /** Goes back to `song`, which precedes the context's last played song. Used if the history is empty, so that `back` has no effect. */
  | { type: 'step-back'; song: PlayedSong }
  | { type: 'play-next'; song: PlayedSong }
  | { type: 'enqueue'; song: PlayedSong }
  /** Adds related songs to the end. An empty list means that there are none. */
  | { type: 'related'; songs: readonly PlayedSong[] }
  | { type: 'move'; from: number; to: number }
  | { type: 'remove'; index: number }
  | { type: 'clear' }
  /** Restores the entries that `clear` removed, unless the context was opened again since. */
  | { type: 'undo-clear' }
  /** Removes everything but the current song and the settings. No song follows until one is queued or opened. */
  | { type: 'forget' }
  | { type: 'endless'; endless: boolean }
  | { type: 'loop'; loop: LoopSetting }
  | { type: 'shuffle'; shuffle: boolean }
  | { type: 'sleep'; sleep: SleepSetting }

/**
 * How the queue advances to the next song. `linked` has the id of a song that is not loaded, `related` means that a related song is loaded.
 */
export type QueueStep =
  | { kind: 'take' }
  | { kind: 'wrap' }
  | { kind: 'random' }
  | { kind: 'related' }
  | { kind: 'linked'; songId: string }
  | { kind: 'none' }
export type SongEndStep = QueueStep | { kind: 'replay' } | { kind: 'sleep' }
export type BackStep = { kind: 'back' } | { kind: 'song'; song: PlayedSong } | { kind: 'linked'; songId: string } | { kind: 'none' }

const HISTORY_SONGS_MAX = 100
/** Related songs are added when no more than this number of songs is left. */
export const RELATED_SONGS_MIN = 2
/**
 * The number of recently played songs that related songs do not repeat while others are found. A request for related songs excludes these songs,
 * the current song and the songs left in the queue.
 */
export const RECENT_SONGS_MAX = RELATED_EXCLUSIONS_MAX - RELATED_SONGS_MIN - 1
const noContext: QueueContext = { songs: [], complete: false }

export const emptyQueue: QueueState = {
  context: noContext,
  current: undefined,
  currentOrigin: {},
  anchorId: undefined,
  anchorIndex: -1,
  links: undefined,
  entries: [],
  history: [],
  recentSongIds: [],
  endless: false,
  isSongRadio: false,
  isExhausted: false,
  loop: false,
  shuffle: false,
  cleared: false,
  clearedEntries: [],
  restored: undefined,
  sleep: { kind: 'off' },
  nextEntryKey: 1,
}

/** Whether related songs follow the entries of the queue, rather than the rest of the context or its first song. */
export const endsWithRelatedSongs = ({ cleared, context, endless, isSongRadio, links, shuffle }: QueueState): boolean =>
  isSongRadio || (endless && (cleared || context.complete || (!shuffle && links?.isLast === true)))

/** Returns the step to the next song when a person skips the current one. */
export function stepOnSkip(state: QueueState): QueueStep {
  if (state.current === undefined) return { kind: 'none' }
  if (state.entries.length > 0) return { kind: 'take' }
  if (!state.isExhausted && endsWithRelatedSongs(state)) return { kind: 'related' }
  if (state.cleared || state.isSongRadio) return { kind: 'none' }
  if (state.context.complete && state.context.songs.length > 0) return { kind: 'wrap' }
  if (state.shuffle) return { kind: 'random' }
  return state.links ? { kind: 'linked', songId: state.links.next } : { kind: 'none' }
}

/** Returns the step at the end of the current song. */
export function stepOnSongEnd(state: QueueState): SongEndStep {
  if (state.sleep.kind === 'end-of-song') return { kind: 'sleep' }
  return state.loop ? { kind: 'replay' } : stepOnSkip(state)
}

export function stepOnBack(state: QueueState): BackStep {
  if (state.history.length > 0) return { kind: 'back' }
  if (state.current === undefined || state.current.youtube_id !== state.anchorId) return { kind: 'none' }
  const index = findAnchorIndex(state)
  const songBefore = index > 0 ? state.context.songs[index - 1] : undefined
  if (songBefore) return { kind: 'song', song: songBefore }
  if (index === 0) return { kind: 'none' }
  return state.links?.previous === undefined ? { kind: 'none' } : { kind: 'linked', songId: state.links.previous }
}

export const isSleepDue = (sleep: SleepSetting, nowMs: number): boolean => sleep.kind === 'at' && nowMs >= sleep.atMs

/**
 * Returns the next state of the queue; the same state for an action that is invalid in that state, for example an index out of range.
 *
 * @param nextRandom returns numbers in [0, 1), which determine the order of shuffle
 */
export function reduceQueue(state: QueueState, action: QueueAction, nextRandom: () => number = Math.random): QueueState {
  switch (action.type) {
    case 'open': {
      const openedState: QueueState = {
        ...state,
        context: action.context ?? noContext,
        current: action.song,
        currentOrigin: {},
        anchorId: action.song.youtube_id,
        anchorIndex: action.anchorIndex ?? -1,
        links: action.links,
        history: [],
        recentSongIds: [action.song.youtube_id],
        isSongRadio: action.isSongRadio === true,
        isExhausted: false,
        cleared: false,
        restored: undefined,
      }
      return withContextEntries(openedState, nextRandom)
    }
    case 'context': {
      if (!state.restored) return withContextEntries({ ...state, context: action.context }, nextRandom)
      const { tailId, tailIndex } = state.restored
      const missingSongs =
        tailId === undefined || state.cleared
          ? []
          : state.shuffle
            ? drawOrder(action.context, listSongsNotIn(action.context, state), nextRandom)
            : listSongsAfter(action.context, findSongIndex(action.context, tailId, tailIndex))
      return addEntries({ ...state, context: action.context, restored: undefined }, missingSongs, {}, 'end')
    }
    case 'links':
      return action.songId === state.anchorId ? { ...state, links: action.links } : state
    case 'take': {
      const entry = state.entries[action.index]
      if (!entry) return state
      const { queued, related } = entry
      return playSong({ ...state, entries: state.entries.slice(action.index + 1) }, entry.song, !queued && !related, { queued, related })
    }
    case 'wrap': {
      const songs = state.shuffle ? drawOrder(state.context, listOtherSongs(state), nextRandom) : state.context.songs
      const firstSong = songs[0] ?? state.context.songs[0]
      return firstSong ? withContextEntries(playSong(state, firstSong, true), nextRandom) : state
    }
    case 'step': {
      const steppedState = playSong(state, action.song, action.from === 'context')
      return action.from === 'context' ? withContextEntries(steppedState, nextRandom) : steppedState
    }
    case 'back': {
      const song = state.history.at(-1)
      if (!song) return state
      return goBackTo({ ...state, history: state.history.slice(0, -1) }, song)
    }
    case 'step-back':
      return goBackTo(state, action.song)
    case 'play-next':
    case 'enqueue': {
      const { youtube_id: songId } = action.song
      const entries = state.entries.filter((entry) => !entry.related || entry.song.youtube_id !== songId)
      return addEntries({ ...state, entries }, [action.song], { queued: true }, action.type === 'enqueue' ? 'after-queued' : 'start')
    }
    case 'related':
      return action.songs.length === 0 ? { ...state, isExhausted: true } : addEntries(state, action.songs, { related: true }, 'end')
    case 'move': {
      const movedEntry = state.entries[action.from]
      if (!movedEntry || action.to < 0 || action.to >= state.entries.length || action.from === action.to) return state
      return { ...state, entries: state.entries.toSpliced(action.from, 1).toSpliced(action.to, 0, movedEntry) }
    }
    case 'remove': {
      const playedEntry = state.entries[action.index]
      if (!playedEntry) return state
      return {
        ...state,
        entries: state.entries.toSpliced(action.index, 1),
        recentSongIds: playedEntry.related ? addRecentSongId(state, playedEntry.song) : state.recentSongIds,
      }
    }
    case 'clear':
      return { ...state, entries: [], isExhausted: true, cleared: true, clearedEntries: state.entries, restored: undefined }
    case 'undo-clear': {
      if (!state.cleared) return state
      const entries = [...state.entries.filter((entry) => !entry.related), ...state.clearedEntries]
      return { ...state, entries, isExhausted: false, cleared: false, clearedEntries: [] }
    }
    case 'forget': {
      const { current, endless, loop, shuffle, sleep } = state
      return { ...emptyQueue, current, endless, isExhausted: true, loop, shuffle, sleep, cleared: true }
    }
    case 'endless':
      return {
        ...state,
        endless: action.endless,
        isExhausted: state.isSongRadio && state.isExhausted,
        entries: action.endless || state.isSongRadio ? state.entries : state.entries.filter((entry) => !entry.related),
      }
    case 'loop':
      return { ...state, loop: action.loop }
    case 'shuffle': {
      if (action.shuffle === state.shuffle) return state
      const changedState = { ...state, shuffle: action.shuffle, cleared: false, restored: undefined }
      // The restored entries stay until the context is loaded, which replaces them.
      return state.restored ? changedState : withContextEntries(changedState, nextRandom)
    }
    case 'sleep':
      return { ...state, sleep: action.sleep }
  }
}

/** Returns the index of a song in the context; -1 if the context lacks it. If it has the song twice, the index nearest to `expectedIndex` counts. */
const findSongIndex = ({ songs }: QueueContext, songId: string | undefined, expectedIndex = -1): number =>
  songs.reduce(
    (nearestIndex, song, index) =>
      song.youtube_id === songId && (nearestIndex < 0 || Math.abs(index - expectedIndex) < expectedIndex - nearestIndex)
        ? index
        : nearestIndex,
    -1,
  )

export const findAnchorIndex = ({ anchorId, anchorIndex, context }: QueueState): number => findSongIndex(context, anchorId, anchorIndex)

const listSongsAfter = ({ songs }: QueueContext, index: number) => (index < 0 ? [] : songs.slice(index + 1))

function playSong(state: QueueState, song: Song, isFromContext: boolean, currentOrigin: SongOrigin = {}): QueueState {
  const history = state.current ? [...state.history, { ...state.current, ...state.currentOrigin }].slice(-HISTORY_SONGS_MAX) : state.history
  const recentSongIds = addRecentSongId(state, song)
  return { ...state, current: song, currentOrigin, history, recentSongIds, ...chooseAnchor(state, song, isFromContext) }
}

const addRecentSongId = ({ recentSongIds }: QueueState, { youtube_id: songId }: Song) =>
  [...recentSongIds.filter((id) => id !== songId), songId].slice(-RECENT_SONGS_MAX)

/** Returns the new anchor after `song` starts to play, and its neighbours (`links`), which are `undefined` until they are loaded. */
function chooseAnchor(state: QueueState, song: Song, isFromContext: boolean, isBackwards = false): Partial<QueueState> {
  const { anchorId, current } = state
  // A song that follows itself is another row. The anchor that follows a queued song has gone back into the queue.
  if (!isFromContext || (song.youtube_id === anchorId && (isBackwards || current?.youtube_id !== anchorId))) return {}
  const lastIndex = findAnchorIndex(state)
  const { songs } = state.context
  const anchorIndex = isBackwards
    ? songs.findLastIndex(({ youtube_id }, index) => index < lastIndex && youtube_id === song.youtube_id)
    : songs.findIndex(({ youtube_id }, index) => index > lastIndex && youtube_id === song.youtube_id)
  return { anchorId: song.youtube_id, anchorIndex, links: undefined }
}

/** Goes back to a song, which becomes `anchorId` only if it comes from the context. The current song becomes the next one and keeps its origin. */
function goBackTo(state: QueueState, { queued = false, related, ...song }: PlayedSong & SongOrigin): QueueState {
  const isFromContext = !queued && !related && (findSongIndex(state.context, song.youtube_id) >= 0 || state.context.songs.length === 0)
  const anchor = chooseAnchor(state, song, isFromContext, true)
  const returnedState: QueueState = { ...state, current: song, currentOrigin: { queued, related }, ...anchor }
  if (!state.current) return returnedState
  return { ...addEntries(returnedState, [state.current], state.currentOrigin, 'start'), isExhausted: state.cleared && state.isExhausted }
}

/** Returns the songs of the context except the current song. */
const listOtherSongs = ({ context, current }: QueueState) => context.songs.filter((song) => song.youtube_id !== current?.youtube_id)

/** Returns the songs of `context` that were neither played nor are in the queue. */
function listSongsNotIn(context: QueueContext, { current, entries, history }: QueueState): readonly Song[] {
  const ids = new Set([current, ...history, ...entries.map((entry) => entry.song)].map((song) => song?.youtube_id))
  return context.songs.filter((song) => !ids.has(song.youtube_id))
}

/**
 * Returns `songs` in a random order; every order is equally likely. Returns an empty list for an incomplete context: the server chooses the next song
 * each time, so that songs that are not loaded are played, too.
 */
function drawOrder(context: QueueContext, songs: readonly Song[], random: () => number): readonly Song[] {
  return context.complete ? shuffleSongs(songs, random) : []
}

export const shuffleSongs = (songs: readonly Song[], nextRandom: () => number): readonly Song[] =>
  songs
    .map((song) => ({ song, rank: nextRandom() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ song }) => song)

/**
 * Replaces the entries by the songs that a person queued, followed by the songs after `anchorId` in the context, or, with shuffle, by all
 * other songs of the context in random order.
 */
function withContextEntries(state: QueueState, nextRandom: () => number): QueueState {
  const queuedOnlyState = {
    ...state,
    entries: state.entries.filter((entry) => entry.queued),
    isExhausted: state.cleared && state.isExhausted,
  }
  if (state.cleared) return queuedOnlyState
  if (state.shuffle) return addEntries(queuedOnlyState, drawOrder(state.context, listOtherSongs(state), nextRandom), {}, 'end')
  const currentIndex = state.current?.youtube_id === state.anchorId ? -1 : findSongIndex(state.context, state.current?.youtube_id)
  return addEntries(queuedOnlyState, listSongsAfter(state.context, currentIndex < 0 ? findAnchorIndex(state) : currentIndex), {}, 'end')
}

function addEntries(state: QueueState, songs: readonly Song[], origin: SongOrigin, insertAt: 'start' | 'after-queued' | 'end'): QueueState {
  if (songs.length === 0) return state
  const addedEntries = songs.map((song, index) => ({ key: state.nextEntryKey + index, song, queued: false, ...origin }))
  const firstContextIndex = state.entries.findIndex((entry) => !entry.queued)
  const insertIndex = insertAt === 'start' ? 0 : insertAt === 'end' || firstContextIndex < 0 ? state.entries.length : firstContextIndex
  return {
    ...state,
    entries: state.entries.toSpliced(insertIndex, 0, ...addedEntries),
    isExhausted: false,
    nextEntryKey: state.nextEntryKey + addedEntries.length,
  }
}
