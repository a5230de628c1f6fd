import type { SongDetail } from '../../contract/song.ts'
import type { Catalogue } from '../data/catalogue-repository.ts'
import { type Api, ApiFailure } from '../platform/api.ts'
import { connectMediaSession } from './media-session.ts'
import { browserStorage, wasReloaded } from './page.ts'
import { createPlayback } from './playback.ts'
import type { OpenRequest, Player, PlayerState, Position } from './player-interface.ts'
import { backStep, emptyQueue, endStep, type Links, nextStep, type QueueAction, type QueueState, reduceQueue, type Step } from './queue.ts'
import { createSessionStore } from './session-store.ts'
import { createSleepTimer } from './sleep-timer.ts'
import { createSongSource, type KeepPlay } from './song-source.ts'
import { createTabs, openTabChannel, type TabChannel } from './tabs.ts'
import type { VideoAdapter } from './video-adapter.ts'
import { createYoutubeVideo } from './youtube-video.ts'

export interface PlayerDeps {
  api: Api
  catalogue: Catalogue
  keepPlay: KeepPlay
  video?: VideoAdapter
  /** Where queue and position outlive a reload; `undefined` keeps nothing. */
  storage?: Pick<Storage, 'getItem' | 'setItem'> | undefined
  channel?: TabChannel | undefined
  /** The page was reloaded, not visited: what played stays paused until a person presses play. */
  reloaded?: boolean
  nowMs?: () => number
}

export const SKIP_AFTER_MS = 3000
const MAX_SKIPS_IN_A_ROW = 5
const SAVE_EVERY_MS = 4000

/** Joins the queue, the video, the catalogue and what a reload must not lose. */
export function createPlayer(deps: PlayerDeps): Player {
  const video = deps.video ?? createYoutubeVideo()
  const source = createSongSource(deps)
  const session = createSessionStore('storage' in deps ? deps.storage : browserStorage())
  const reloaded = deps.reloaded ?? wasReloaded()
  const nowMs = deps.nowMs ?? Date.now
  const listeners = new Set<() => void>()
  const positionListeners = new Set<(position: Position) => void>()

  const kept = session.read()
  let queue: QueueState = kept?.queue ?? emptyQueue
  let contextId = kept?.contextId
  let contextTitle = kept?.contextTitle ?? ''
  /** What was asked for; the queue's current song as soon as that is known. */
  let songId = queue.current?.youtube_id
  let detail: SongDetail | undefined
  /** Something was played or chosen in this page: until then its stored session may be another tab's. */
  let used = false
  /** Each change of song gets a number; answers for an earlier one are dropped. */
  let turn = 0
  /** A song is on its way from the catalogue; `pause` then keeps it from starting. */
  let bringing: { play: boolean } | undefined
  let skips = 0
  let skipping: ReturnType<typeof setTimeout> | undefined
  let savedAtMs = 0
  let state: PlayerState | undefined

  const playback = createPlayback(video, {
    changed: publish,
    moved(position) {
      for (const listener of [...positionListeners]) listener(position)
      sleepTimer.check()
      if (nowMs() - savedAtMs >= SAVE_EVERY_MS) save()
    },
    started() {
      used = true
      clearTimeout(skipping)
      tabs.started()
    },
    ended: onEnded,
    unplayable: onUnplayable,
    heard() {
      skips = 0
    },
    counted: () => songId !== undefined && source.countPlay(songId, contextId),
  })
  const tabs = createTabs('channel' in deps ? deps.channel : openTabChannel(), () => {
    if (playback.status === 'playing' || playback.status === 'loading') pause()
  })
  const sleepTimer = createSleepTimer(nowMs, () => {
    pause()
    dispatch({ type: 'sleep', sleep: { kind: 'off' } })
  })

  const { volume, muted } = session.readVolume()
  video.volume = volume
  video.muted = muted
  video.addEventListener('volumechange', keepVolume)
  if (queue.current) playback.cue(queue.current.duration ?? 0, kept?.positionSeconds ?? 0)

  function getSnapshot(): PlayerState {
    state ??= makeState()
    return state
  }

  function makeState(): PlayerState {
    const changing = playback.status === 'loading' && queue.current?.youtube_id !== songId
    return {
      status: playback.status,
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
      durationSeconds: playback.position().durationSeconds,
      hasFrame: video.ready,
      error: playback.error,
    }
  }

  function publish() {
    state = undefined
    for (const listener of [...listeners]) listener()
  }

  function dispatch(action: QueueAction) {
    const next = reduceQueue(queue, action)
    if (next === queue) return
    queue = next
    publish()
    save()
  }

  /** What a person did: from now on this page's session is the one to keep. */
  function act(action: QueueAction) {
    used = true
    dispatch(action)
  }

  function save() {
    if (!used) return
    savedAtMs = nowMs()
    session.write({ queue, contextId, contextTitle, positionSeconds: playback.position().positionSeconds })
  }

  function keepVolume() {
    session.writeVolume({ volume: video.volume, muted: video.muted })
    publish()
  }

  /** Stops what waits for the song that was: its skip and its answers. */
  function beginTurn(): number {
    clearTimeout(skipping)
    bringing = undefined
    used = true
    turn += 1
    return turn
  }

  /** Gives the current song to the video. */
  function start(fromSeconds = 0) {
    const song = queue.current
    if (!song) return
    const mine = beginTurn()
    songId = song.youtube_id
    playback.load(song.youtube_id, song.duration ?? 0, fromSeconds)
    void refreshDetail(mine)
    save()
  }

  /** The current song's place in its context, and the context's songs where they are not known yet. */
  async function refreshDetail(mine: number) {
    const song = queue.current
    if (!song) return
    try {
      const found = detail?.youtube_id === song.youtube_id ? detail : await source.song(song.youtube_id, contextId)
      if (mine !== turn) return
      detail = found
      contextTitle = found.context_title
      publish()
      dispatch({ type: 'links', songId: song.youtube_id, links: linksOf(found) })
      if (queue.context.songs.length > 0) return
      const context = await source.context(contextId ?? found.context_id, queue.anchorId)
      if (mine === turn) dispatch({ type: 'context', context })
    } catch {
      // The row that is known is enough to play it.
    }
  }

  /** Asks for a song that is known by id only, and goes on with it. */
  async function bring(id: string | Promise<string>, toAction: (found: SongDetail) => QueueAction) {
    const mine = beginTurn()
    const wish = { play: true }
    bringing = wish
    if (typeof id === 'string') songId = id
    playback.setStatus('loading')
    try {
      const found = await source.song(await id, contextId)
      if (mine !== turn) return
      bringing = undefined
      detail = found
      dispatch(toAction(found))
      if (wish.play) return start()
      songId = found.youtube_id
      playback.cue(found.duration ?? 0, 0)
      await refreshDetail(mine)
    } catch (cause) {
      if (mine !== turn) return
      bringing = undefined
      const gone = cause instanceof ApiFailure && cause.kind === 'api' && cause.code === 404
      video.pause()
      playback.setStatus('failed', gone ? { kind: 'not-found' } : { kind: 'network', message: messageOf(cause) })
    }
  }

  function go(step: Step) {
    if (step.kind === 'take' || step.kind === 'wrap') {
      dispatch(step.kind === 'take' ? { type: 'take', index: 0 } : { type: 'wrap' })
      start()
    } else if (step.kind === 'linked') void bring(step.songId, (song) => ({ type: 'step', song, from: 'context' }))
    else if (step.kind === 'random')
      void bring(source.random(contextId, queue.current?.youtube_id ?? '', queue.context.songs), (song) => ({
        type: 'step',
        song,
        from: 'random',
      }))
    else playback.setStatus('paused')
  }

  function open(request: OpenRequest) {
    const shuffle = request.shuffle ?? false
    if (request.songId === songId && playback.status !== 'failed') {
      dispatch({ type: 'shuffle', shuffle })
      if ((request.contextId !== contextId || request.anew) && queue.current) changeContext(request.contextId)
      // Visited by its address, not reloaded: the song plays, from its start.
      if (!used && !reloaded) start()
      else if (!detail) void refreshDetail(turn)
      return
    }
    contextId = request.contextId
    contextTitle = ''
    skips = 0
    dispatch({ type: 'shuffle', shuffle })
    video.pause()
    void bring(request.songId, (song) => ({ type: 'open', song, links: linksOf(song), context: undefined }))
  }

  /** The same song plays on, with other neighbours. */
  function changeContext(id: string | undefined) {
    contextId = id
    contextTitle = ''
    detail = undefined
    if (queue.current) dispatch({ type: 'open', song: queue.current, links: undefined, context: undefined })
    if (used) void refreshDetail(turn)
  }

  function play() {
    used = true
    if (bringing) {
      bringing.play = true
      return playback.setStatus('loading')
    }
    if (!queue.current && songId === undefined) return
    if (playback.status === 'failed') retry()
    else if (playback.loadedId !== queue.current?.youtube_id) start(playback.position().positionSeconds)
    else playback.play()
  }

  function pause() {
    if (bringing) bringing.play = false
    clearTimeout(skipping)
    playback.pause()
    save()
  }

  function retry() {
    if (queue.current && queue.current.youtube_id === songId) start(playback.position().positionSeconds)
    else if (songId !== undefined) open({ songId, contextId, shuffle: queue.shuffle })
  }

  function next() {
    skips = 0
    const step = nextStep(queue)
    if (step.kind !== 'none') go(step)
  }

  function previous() {
    skips = 0
    const step = backStep(queue)
    if (step.kind === 'none') return
    if (step.kind === 'linked') return void bring(step.songId, (song) => ({ type: 'step-back', song }))
    dispatch(step.kind === 'back' ? { type: 'back' } : { type: 'step-back', song: step.song })
    start()
  }

  function onEnded() {
    const step = endStep(queue)
    if (step.kind === 'replay') return playback.replay()
    if (step.kind !== 'sleep') return go(step)
    playback.setStatus('paused')
    dispatch({ type: 'sleep', sleep: { kind: 'off' } })
  }

  function onUnplayable(code: number) {
    if (songId !== undefined) source.reportUnplayable(songId, code)
    const skipped = nextStep(queue).kind !== 'none' && skips < MAX_SKIPS_IN_A_ROW
    playback.setStatus('unplayable', { kind: 'unplayable', code, skipped })
    if (!skipped) return
    skipping = setTimeout(() => {
      skips += 1
      go(nextStep(queue))
    }, SKIP_AFTER_MS)
  }

  const onVisibility = () => (document.visibilityState === 'visible' ? sleepTimer.check() : save())
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('pagehide', save)

  const player: Player = {
    getSnapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onPosition(listener) {
      positionListeners.add(listener)
      return () => positionListeners.delete(listener)
    },
    position: playback.position,
    open,
    play,
    pause,
    toggle: () => (playback.status === 'playing' || playback.status === 'loading' ? pause() : play()),
    seek(seconds) {
      playback.seek(seconds)
      save()
    },
    next,
    previous,
    retry,
    setLoop: (loop) => act({ type: 'loop', loop }),
    setShuffle: (shuffle) => act({ type: 'shuffle', shuffle }),
    playNext: (song) => act({ type: 'play-next', song }),
    enqueue: (song) => act({ type: 'enqueue', song }),
    playFromQueue(index) {
      if (!queue.entries[index]) return
      skips = 0
      act({ type: 'take', index })
      start()
    },
    moveInQueue: (from, to) => act({ type: 'move', from, to }),
    removeFromQueue: (index) => act({ type: 'remove', index }),
    clearQueue: () => act({ type: 'clear' }),
    setSleep(sleep) {
      const { minutes } = typeof sleep === 'string' ? { minutes: 0 } : sleep
      const next =
        typeof sleep === 'string' ? ({ kind: sleep } as const) : ({ kind: 'at', minutes, atMs: nowMs() + minutes * 60_000 } as const)
      dispatch({ type: 'sleep', sleep: next })
      sleepTimer.set(next)
    },
    setVolume(value) {
      video.volume = Math.min(1, Math.max(0, value))
      if (value > 0) video.muted = false
      keepVolume()
    },
    setMuted(muted) {
      video.muted = muted
      keepVolume()
    },
    attachStage: (host) => video.attach(host),
    close() {
      save()
      clearTimeout(skipping)
      sleepTimer.close()
      tabs.close()
      disconnect()
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('pagehide', save)
      playback.close()
    },
  }
  const disconnect = connectMediaSession(player)
  return player
}

const linksOf = (detail: SongDetail): Links => ({ next: detail.next, previous: detail.previous })

const messageOf = (cause: unknown) => (cause instanceof ApiFailure ? cause.message : 'An error occurred while fetching data.')
