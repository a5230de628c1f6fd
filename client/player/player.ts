import type { Song, SongDetail } from '../../contract/song.ts'
import type { Catalogue } from '../data/catalogue-repository.ts'
import { type Api, ApiFailure } from '../platform/api.ts'
import { createPlayWatch } from './play-watch.ts'
import type { OpenRequest, PlayerError, PlayerState, PlayerStatus, Position } from './player-state.ts'
import {
  backStep,
  emptyQueue,
  endStep,
  type Links,
  type Loop,
  nextStep,
  type QueueAction,
  type QueueContext,
  type QueueState,
  reduceQueue,
  type Step,
} from './queue.ts'
import { createSessionStore } from './session-store.ts'
import { createSleepTimer } from './sleep-timer.ts'
import { createSongSource } from './song-source.ts'
import { createTabs, openTabChannel, type TabChannel } from './tabs.ts'
import type { VideoAdapter } from './video-adapter.ts'
import { createYoutubeVideo } from './youtube-video.ts'

/** The one player of a page. It knows no React; `bindings/player.tsx` connects it. */
export interface Player {
  getSnapshot(): PlayerState
  subscribe(listener: () => void): () => void
  /** Several times a second while a song plays, and after each seek. Gives the way to stop it. */
  onPosition(listener: (position: Position) => void): () => void
  position(): Position

  /** Plays a song of the catalogue. Where that song is current already, it plays on and only the context changes. */
  open(request: OpenRequest): void
  play(): void
  pause(): void
  toggle(): void
  seek(seconds: number): void
  next(): void
  previous(): void
  /** After `failed`: the same song again. */
  retry(): void

  setLoop(loop: Loop): void
  setShuffle(shuffle: boolean): void
  /** To be played right after the current song; repeated calls put the latest first. */
  playNext(song: Song): void
  /** To be played after what people have put into the queue before, ahead of the rest of the context. */
  enqueue(song: Song): void
  /** Plays `upcoming[index]` now; what stood before it is skipped. */
  playFromQueue(index: number): void
  moveInQueue(from: number, to: number): void
  removeFromQueue(index: number): void
  /** Nothing comes after the current song then, until another song is opened or queued. */
  clearQueue(): void
  setSleep(sleep: { minutes: number } | 'end-of-song' | 'off'): void
  setVolume(volume: number): void
  setMuted(muted: boolean): void

  /** The element that holds the video's frame for as long as the page lives; it must never be moved in the document. */
  attachStage(host: HTMLElement): void
  close(): void
}

export interface PlayerDeps {
  api: Api
  catalogue: Catalogue
  video?: VideoAdapter
  /** Where queue and position outlive a reload; `undefined` keeps nothing. */
  storage?: Pick<Storage, 'getItem' | 'setItem'> | undefined
  channel?: TabChannel | undefined
  /** The page was reloaded, not visited: what played stays paused until a person presses play. */
  reloaded?: boolean
  nowMs?: () => number
}

export const SKIP_AFTER_MS = 3000
export const MAX_SKIPS_IN_A_ROW = 5
const NO_SIGN_MS = 20_000
const SAVE_EVERY_MS = 4000

export function createPlayer(deps: PlayerDeps): Player {
  const video = deps.video ?? createYoutubeVideo()
  const source = createSongSource(deps)
  const session = createSessionStore('storage' in deps ? deps.storage : browserStorage())
  const nowMs = deps.nowMs ?? Date.now
  const listeners = new Set<() => void>()
  const positionListeners = new Set<(position: Position) => void>()

  const restored = session.read()
  let queue: QueueState = restored?.queue ?? emptyQueue
  let contextId = restored?.contextId
  let contextTitle = restored?.contextTitle ?? ''
  let songId = queue.current?.youtube_id
  let detail: SongDetail | undefined
  let status: PlayerStatus = queue.current ? 'paused' : 'idle'
  let error: PlayerError | undefined
  /** The song that the video has, and where the next one starts as long as it has none. */
  let loadedId: string | undefined
  let startSeconds = restored?.positionSeconds ?? 0
  /** Something was played or chosen in this page: until then its stored session may be another tab's. */
  let used = false
  /** Each change of song gets a number; answers for an earlier one are dropped. */
  let turn = 0
  let skips = 0
  let waiting: ReturnType<typeof setTimeout> | undefined
  let savedAtMs = 0
  let state = makeState()

  const volume = session.readVolume()
  video.volume = volume.volume
  video.muted = volume.muted
  state = makeState()

  const tabs = createTabs('channel' in deps ? deps.channel : openTabChannel(), () => {
    if (status === 'playing' || status === 'loading') pause()
  })
  const sleepTimer = createSleepTimer(nowMs, () => {
    pause()
    dispatch({ type: 'sleep', sleep: { kind: 'off' } })
  })
  const watch = createPlayWatch({
    heard: () => {
      skips = 0
    },
    counted: () => songId !== undefined && source.countPlay(songId, contextId),
  })

  function makeState(): PlayerState {
    const changing = status === 'loading' && queue.current?.youtube_id !== songId
    return {
      status,
      songId,
      current: queue.current,
      detail: detail?.youtube_id === queue.current?.youtube_id ? detail : undefined,
      contextId,
      contextTitle,
      upcoming: queue.entries,
      canNext: !changing && nextStep(queue).kind !== 'none',
      canPrevious: !changing && backStep(queue).kind !== 'none',
      loop: queue.loop,
      shuffle: queue.shuffle,
      sleep: queue.sleep,
      volume: video.volume,
      muted: video.muted,
      durationSeconds: position().durationSeconds,
      hasFrame: video.ready,
      error,
    }
  }

  function publish() {
    state = makeState()
    for (const listener of [...listeners]) listener()
  }

  function publishPosition() {
    const now = position()
    for (const listener of [...positionListeners]) listener(now)
  }

  function position(): Position {
    const live = loadedId !== undefined && loadedId === queue.current?.youtube_id
    const known = queue.current?.duration ?? 0
    return { positionSeconds: live ? video.currentTime : startSeconds, durationSeconds: (live && video.duration) || known }
  }

  function dispatch(action: QueueAction) {
    const next = reduceQueue(queue, action)
    if (next === queue) return
    queue = next
    publish()
    save()
  }

  function save() {
    if (!used) return
    savedAtMs = nowMs()
    session.write({ queue, contextId, contextTitle, positionSeconds: position().positionSeconds })
  }

  function setStatus(next: PlayerStatus, failure?: PlayerError) {
    status = next
    error = failure
    publish()
  }

  /** Stops what waits for the song that was: its skip, its sign of life, its answers. */
  function beginTurn(): number {
    clearTimeout(waiting)
    used = true
    turn += 1
    return turn
  }

  /** Gives the current song to the video. */
  function start(fromSeconds: number) {
    const song = queue.current
    if (!song) return
    beginTurn()
    songId = song.youtube_id
    startSeconds = fromSeconds
    loadedId = song.youtube_id
    watch.begin(fromSeconds)
    setStatus('loading')
    video.load(song.youtube_id, fromSeconds)
    expectSign()
    void refreshDetail(turn)
    save()
    publishPosition()
  }

  function expectSign() {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      if (status !== 'loading') return
      if (video.ready && globalThis.navigator.onLine) setStatus('blocked')
      else fail({ kind: 'network' })
    }, NO_SIGN_MS)
  }

  /** The song's place in its context, and the context's songs where they are not known yet. */
  async function refreshDetail(mine: number) {
    const song = queue.current
    if (!song) return
    try {
      if (detail?.youtube_id !== song.youtube_id) detail = await source.song(song.youtube_id, contextId)
      if (mine !== turn) return
      contextTitle = detail.context_title
      publish()
      dispatch({ type: 'links', songId: song.youtube_id, links: linksOf(detail) })
      if (queue.context.songs.length === 0) await loadContext(mine, contextId ?? detail.context_id)
    } catch {
      // The row that is known is enough to play it.
    }
  }

  async function loadContext(mine: number, id: string) {
    const context = await source.context(id)
    if (mine === turn) dispatch({ type: 'context', context: wholeOnly(context, queue.anchorId) })
  }

  /** Asks for a song that is known by id only, and goes on with it. */
  async function bring(id: string | Promise<string>, use: (detail: SongDetail) => void) {
    const mine = beginTurn()
    if (typeof id === 'string') songId = id
    setStatus('loading')
    try {
      const wanted = await id
      if (mine !== turn) return
      const found = await source.song(wanted, contextId)
      if (mine !== turn) return
      detail = found
      use(found)
    } catch (cause) {
      if (mine !== turn) return
      const gone = cause instanceof ApiFailure && cause.kind === 'api' && cause.code === 404
      video.pause()
      setStatus('failed', gone ? { kind: 'not-found' } : { kind: 'network', message: messageOf(cause) })
    }
  }

  function go(step: Step) {
    switch (step.kind) {
      case 'take':
        dispatch({ type: 'take', index: 0 })
        return start(0)
      case 'wrap':
        dispatch({ type: 'wrap' })
        return start(0)
      case 'linked':
        return void bring(step.songId, (found) => {
          dispatch({ type: 'step', song: found, from: 'context' })
          start(0)
        })
      case 'random':
        return void bring(randomId(), (found) => {
          dispatch({ type: 'step', song: found, from: 'random' })
          start(0)
        })
      case 'none':
        return setStatus('paused')
    }
  }

  async function randomId(): Promise<string> {
    const now = queue.current?.youtube_id ?? ''
    try {
      return await source.random(contextId, now)
    } catch (cause) {
      // With no answer, a random one of those that are known here.
      const others = queue.context.songs.filter((song) => song.youtube_id !== now)
      const picked = others[Math.floor(Math.random() * others.length)]
      if (!picked || (cause instanceof ApiFailure && cause.kind === 'api')) throw cause
      return picked.youtube_id
    }
  }

  function open(request: OpenRequest) {
    const shuffle = request.shuffle ?? false
    if (request.songId === songId && status !== 'failed') {
      if (shuffle !== queue.shuffle) dispatch({ type: 'shuffle', shuffle })
      if (request.contextId !== contextId && queue.current) changeContext(request.contextId)
      // Visited by its address, not reloaded: the song plays, from its start.
      if (!used && !deps.reloaded) start(0)
      return
    }
    contextId = request.contextId
    contextTitle = ''
    skips = 0
    dispatch({ type: 'shuffle', shuffle })
    video.pause()
    void bring(request.songId, (found) => {
      dispatch({ type: 'open', song: found, links: linksOf(found), context: undefined })
      start(0)
    })
  }

  /** The same song plays on, with other neighbours. */
  function changeContext(id: string | undefined) {
    contextId = id
    contextTitle = ''
    detail = undefined
    if (queue.current) dispatch({ type: 'open', song: queue.current, links: undefined, context: undefined })
    used = true
    void refreshDetail(turn)
  }

  function play() {
    if (!queue.current) return
    if (status === 'failed') return retry()
    if (loadedId !== queue.current.youtube_id) return start(startSeconds)
    used = true
    clearTimeout(waiting)
    setStatus('loading')
    video.play()
    expectSign()
  }

  function pause() {
    clearTimeout(waiting)
    video.pause()
    if (status === 'playing' || status === 'loading' || status === 'blocked') setStatus('paused')
    save()
  }

  function retry() {
    if (queue.current && queue.current.youtube_id === songId) return start(position().positionSeconds)
    if (songId !== undefined) open({ songId, contextId, shuffle: queue.shuffle })
  }

  function seek(seconds: number) {
    const { durationSeconds } = position()
    const target = Math.max(0, durationSeconds > 0 ? Math.min(seconds, durationSeconds) : seconds)
    if (loadedId !== undefined && loadedId === queue.current?.youtube_id) video.currentTime = target
    else startSeconds = target
    watch.jump(target)
    publishPosition()
    save()
  }

  function next() {
    skips = 0
    go(nextStep(queue))
  }

  function previous() {
    skips = 0
    const step = backStep(queue)
    if (step.kind === 'back') dispatch({ type: 'back' })
    else if (step.kind === 'song') dispatch({ type: 'step-back', song: step.song })
    if (step.kind === 'back' || step.kind === 'song') return start(0)
    if (step.kind === 'linked') {
      void bring(step.songId, (found) => {
        dispatch({ type: 'step-back', song: found })
        start(0)
      })
    }
  }

  function onEnded() {
    const step = endStep(queue)
    if (step.kind === 'replay') {
      video.currentTime = 0
      watch.jump(0)
      video.play()
      return
    }
    if (step.kind === 'sleep') {
      setStatus('paused')
      return dispatch({ type: 'sleep', sleep: { kind: 'off' } })
    }
    go(step)
  }

  function fail(failure: { kind: 'network' } | { kind: 'video'; code: number }) {
    clearTimeout(waiting)
    // Without a network the platform's codes say nothing about the video.
    if (failure.kind === 'network' || !globalThis.navigator.onLine) {
      startSeconds = position().positionSeconds
      loadedId = undefined
      return setStatus('failed', { kind: 'network', message: 'The video could not be loaded.' })
    }
    if (songId !== undefined) source.reportUnplayable(songId, failure.code)
    const step = nextStep(queue)
    const skipped = step.kind !== 'none' && skips < MAX_SKIPS_IN_A_ROW
    setStatus('unplayable', { kind: 'unplayable', code: failure.code, skipped })
    if (!skipped) return
    waiting = setTimeout(() => {
      skips += 1
      go(nextStep(queue))
    }, SKIP_AFTER_MS)
  }

  video.addEventListener('playing', () => {
    clearTimeout(waiting)
    used = true
    // Pressed inside the frame while this page had given up or was paused: what plays is what counts.
    if (status !== 'playing') tabs.started()
    setStatus('playing')
  })
  video.addEventListener('pause', () => {
    if (status !== 'playing') return
    setStatus('paused')
    save()
  })
  video.addEventListener('ended', onEnded)
  video.addEventListener('blocked', () => {
    clearTimeout(waiting)
    setStatus('blocked')
  })
  video.addEventListener('error', () => fail(video.error ?? { kind: 'network' }))
  video.addEventListener('durationchange', publish)
  video.addEventListener('ready', publish)
  video.addEventListener('volumechange', () => {
    session.writeVolume({ volume: video.volume, muted: video.muted })
    publish()
  })
  video.addEventListener('timeupdate', () => {
    watch.at(video.currentTime)
    sleepTimer.check()
    publishPosition()
    if (nowMs() - savedAtMs >= SAVE_EVERY_MS) save()
  })

  const onShown = () => (document.visibilityState === 'visible' ? sleepTimer.check() : save())
  const onLeave = () => save()
  document.addEventListener('visibilitychange', onShown)
  window.addEventListener('pagehide', onLeave)

  return {
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onPosition(listener) {
      positionListeners.add(listener)
      return () => positionListeners.delete(listener)
    },
    position,
    open,
    play,
    pause,
    toggle: () => (status === 'playing' || status === 'loading' ? pause() : play()),
    seek,
    next,
    previous,
    retry,
    setLoop: (loop) => dispatch({ type: 'loop', loop }),
    setShuffle: (shuffle) => dispatch({ type: 'shuffle', shuffle }),
    playNext: (song) => dispatch({ type: 'play-next', song }),
    enqueue: (song) => dispatch({ type: 'enqueue', song }),
    playFromQueue(index) {
      if (!queue.entries[index]) return
      skips = 0
      dispatch({ type: 'take', index })
      start(0)
    },
    moveInQueue: (from, to) => dispatch({ type: 'move', from, to }),
    removeFromQueue: (index) => dispatch({ type: 'remove', index }),
    clearQueue: () => dispatch({ type: 'clear' }),
    setSleep(sleep) {
      const next =
        sleep === 'off' || sleep === 'end-of-song'
          ? ({ kind: sleep } as const)
          : ({ kind: 'at', minutes: sleep.minutes, atMs: nowMs() + sleep.minutes * 60_000 } as const)
      dispatch({ type: 'sleep', sleep: next })
      sleepTimer.set(next)
    },
    setVolume(value) {
      video.volume = Math.min(1, Math.max(0, value))
      if (value > 0) video.muted = false
      session.writeVolume({ volume: video.volume, muted: video.muted })
      publish()
    },
    setMuted(muted) {
      video.muted = muted
      session.writeVolume({ volume: video.volume, muted })
      publish()
    },
    attachStage: (host) => video.attach(host),
    close() {
      save()
      clearTimeout(waiting)
      sleepTimer.close()
      tabs.close()
      document.removeEventListener('visibilitychange', onShown)
      window.removeEventListener('pagehide', onLeave)
      video.close()
      listeners.clear()
      positionListeners.clear()
    },
  }
}

const linksOf = (detail: SongDetail): Links => ({ next: detail.next, previous: detail.previous })

/** A list without the song that plays is not the whole of its context, whatever its length. */
function wholeOnly(context: QueueContext, anchorId: string | undefined): QueueContext {
  return { ...context, complete: context.complete && context.songs.some((song) => song.youtube_id === anchorId) }
}

const messageOf = (cause: unknown) => (cause instanceof ApiFailure ? cause.message : 'An error occurred while fetching data.')

function browserStorage(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}
