import type { Song, SongDetail } from '../../contract/song.ts'
import type { Catalogue } from '../data/catalogue-repository.ts'
import type { Api } from '../platform/api.ts'
import { localStore, type WebStorage } from '../platform/web-storage.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { createScope } from '../primitives/scope.ts'
import { createEndingRules } from './ending-rules.ts'
import { connectMediaSession } from './media-session.ts'
import { wasReloaded } from './page.ts'
import { createPlayback } from './playback.ts'
import { createPlaybackSessionStore } from './playback-session-store.ts'
import type { OpenRequest, Player, Position } from './player-interface.ts'
import { createPlayerModel } from './player-model.ts'
import { backStep, nextStep, type QueueAction } from './queue.ts'
import { createSessionSaver } from './session-saver.ts'
import { createSongLoader } from './song-loader.ts'
import { createSongSource, type StorePlay } from './song-source.ts'
import { createTabSync, openTabChannel, type TabChannel } from './tab-sync.ts'
import type { VideoAdapter } from './video-adapter.ts'
import { createYoutubeVideo } from './youtube-video.ts'

// Exported for the intro video, which loads the player's chunk for these functions.
export { createTabSync, createYoutubeVideo, openTabChannel }

export interface PlayerDeps {
  api: Api
  catalogue: Catalogue
  storePlay: StorePlay
  /** Called once a song counts as played. */
  onPlayed?: (song: SongDetail, contextId: string | undefined) => void
  video?: VideoAdapter
  /** Stores the playback session and the volume; with `undefined` a reload starts with an empty player. */
  storage?: WebStorage
  channel?: TabChannel | undefined
  /** Whether the page was reloaded: then the restored song stays paused until a person presses play. */
  wasReloaded?: boolean
  nowMs?: () => number
}

/** Creates the page's player from its queue, playback session, song loader, ending rules and video. */
export function createPlayer(deps: PlayerDeps): Player {
  const scope = createScope()
  const video = deps.video ?? createYoutubeVideo()
  const source = createSongSource(deps)
  const store = createPlaybackSessionStore(deps.storage ?? localStore)
  const isReloaded = deps.wasReloaded ?? wasReloaded()
  const nowMs = deps.nowMs ?? Date.now
  const positionChanges = createEmitter<Position>()
  const restoredSession = store.read()

  const playback = createPlayback(video, {
    onChange: () => model.publish(),
    onMove(position) {
      positionChanges.emit(position)
      endingRules.checkSleep()
      sessionSaver.saveRegularly()
    },
    onStart() {
      sessionSaver.activate()
      endingRules.cancelSkip()
      tabSync.announceStart()
    },
    onEnd: () => endingRules.onEnded(),
    onUnplayable: (code) => endingRules.onUnplayable(code),
    onPlaybackConfirmed: () => endingRules.resetSkipCount(),
    onCounted(lengthSeconds) {
      const { songId, contextId, queue } = model
      const isLengthMissing = queue.current?.youtube_id === playback.loadedId && queue.current?.duration === undefined
      if (songId !== undefined) source.countPlay(songId, contextId, isLengthMissing ? lengthSeconds : 0)
      if (model.detail) deps.onPlayed?.(model.detail, model.contextId)
    },
  })
  const model = createPlayerModel({ restoredSession, playback, video, onQueueChange: () => sessionSaver.save() })
  const sessionSaver = createSessionSaver(
    store,
    () => ({
      queue: model.queue,
      contextId: model.contextId,
      contextTitle: model.contextTitle,
      positionSeconds: playback.position().positionSeconds,
    }),
    nowMs,
  )
  const loader = createSongLoader({
    model,
    playback,
    video,
    source,
    onRequest() {
      tabSync.noteRequest()
      endingRules.cancelSkip()
      sessionSaver.activate()
    },
    onStart: sessionSaver.save,
  })
  const endingRules = createEndingRules({ model, playback, loader, source, pause: pausePlaying, nowMs })
  const onOtherTabStarted = () => {
    if (isPlayingOrLoading()) pausePlaying()
  }
  const tabSync = createTabSync('channel' in deps ? deps.channel : openTabChannel(), onOtherTabStarted, nowMs)

  const { volume, muted } = store.readVolume()
  video.volume = volume
  video.muted = muted
  if (model.queue.current) playback.cue(model.queue.current.duration ?? 0, restoredSession?.positionSeconds ?? 0)

  const isPlayingOrLoading = () => playback.status === 'playing' || playback.status === 'loading'

  function saveVolume() {
    store.writeVolume({ volume: video.volume, muted: video.muted })
    model.publish()
  }

  /** Dispatches an action that a person requested, so that this page's session replaces the stored one. */
  function dispatchByPerson(action: QueueAction) {
    sessionSaver.activate()
    model.dispatch(action)
  }

  function queueSong(type: 'play-next' | 'enqueue', song: Song) {
    if (model.songId === undefined) openSong({ songId: song.youtube_id })
    else dispatchByPerson({ type, song })
  }

  function openSong({ songId, contextId, shuffle = false, reloadContext = false }: OpenRequest) {
    if (songId === model.songId && playback.status !== 'failed') {
      model.dispatch({ type: 'shuffle', shuffle })
      if ((contextId !== model.contextId || reloadContext) && model.queue.current) changeContext(contextId)
      // A song that was opened by its address, without a reload, plays from its start.
      if (!sessionSaver.isActive && !isReloaded) loader.start()
      else if (!model.detail) void loader.refreshDetail()
      return
    }
    model.contextId = contextId
    model.contextTitle = ''
    endingRules.resetSkipCount()
    model.dispatch({ type: 'shuffle', shuffle })
    video.pause()
    loader.open(songId)
  }

  /** Replaces the neighbours of the current song, which plays on. */
  function changeContext(contextId: string | undefined) {
    model.contextId = contextId
    model.contextTitle = ''
    model.detail = undefined
    if (model.queue.current) model.dispatch({ type: 'open', song: model.queue.current, links: undefined, context: undefined })
    if (sessionSaver.isActive) void loader.refreshDetail()
  }

  function startPlaying() {
    tabSync.noteRequest()
    sessionSaver.activate()
    const { queue, songId } = model
    if (loader.setPlayWhenLoaded(true)) return playback.setStatus('loading')
    if (!queue.current && songId === undefined) return
    if (playback.status === 'failed') retrySong()
    else if (playback.loadedId !== queue.current?.youtube_id) loader.start(playback.position().positionSeconds)
    else playback.play()
  }

  function pausePlaying() {
    loader.setPlayWhenLoaded(false)
    endingRules.cancelSkip()
    playback.pause()
    sessionSaver.save()
  }

  function retrySong() {
    const { queue, songId, contextId } = model
    if (queue.current && queue.current.youtube_id === songId) loader.start(playback.position().positionSeconds)
    else if (songId !== undefined) openSong({ songId, contextId, shuffle: queue.shuffle })
  }

  const player: Player = {
    getSnapshot: model.getSnapshot,
    subscribe: model.subscribe,
    onPosition: positionChanges.subscribe,
    position: playback.position,
    open: openSong,
    play: startPlaying,
    pause: pausePlaying,
    toggle: () => (isPlayingOrLoading() ? pausePlaying() : startPlaying()),
    seek(seconds) {
      playback.seek(seconds)
      sessionSaver.save()
    },
    next() {
      endingRules.resetSkipCount()
      const step = nextStep(model.queue)
      if (step.kind !== 'none') loader.advance(step)
    },
    previous() {
      endingRules.resetSkipCount()
      loader.goBack(backStep(model.queue))
    },
    retry: retrySong,
    setLoop: (loop) => dispatchByPerson({ type: 'loop', loop }),
    setShuffle: (shuffle) => dispatchByPerson({ type: 'shuffle', shuffle }),
    playNext: (song) => queueSong('play-next', song),
    enqueue: (song) => queueSong('enqueue', song),
    playFromQueue(index) {
      if (!model.queue.entries[index]) return
      endingRules.resetSkipCount()
      dispatchByPerson({ type: 'take', index })
      loader.start()
    },
    moveInQueue: (from, to) => dispatchByPerson({ type: 'move', from, to }),
    removeFromQueue: (index) => dispatchByPerson({ type: 'remove', index }),
    clearQueue: () => dispatchByPerson({ type: 'clear' }),
    undoClearQueue: () => dispatchByPerson({ type: 'undo-clear' }),
    setSleep: endingRules.setSleep,
    setVolume(value) {
      video.volume = Math.min(1, Math.max(0, value))
      if (value > 0) video.muted = false
      saveVolume()
    },
    setMuted(value) {
      video.muted = value
      saveVolume()
    },
    attachStage: (host) => video.attach(host),
    close() {
      sessionSaver.save()
      scope.dispose()
    },
  }

  scope.add(playback.dispose)
  scope.add(loader.cancel)
  scope.add(video.on('volumechange', saveVolume))
  scope.add(endingRules.dispose)
  scope.add(tabSync.close)
  scope.add(connectMediaSession(player))
  scope.listen(document, 'visibilitychange', () =>
    document.visibilityState === 'visible' ? endingRules.checkSleep() : sessionSaver.save(),
  )
  scope.listen(window, 'pagehide', sessionSaver.save)
  return player
}
