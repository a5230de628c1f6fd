import { getNavigationEntry } from '../platform/navigation-entry.ts'
import { localStore, type WebStorage } from '../platform/web-storage.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { createCleanupScope } from '../primitives/scope.ts'
import { loadOnce } from '../primitives/single-flight.ts'
import { createEndingRules } from './ending-rules.ts'
import type { EndlessPlayback } from './endless.ts'
import { createPlayback } from './playback.ts'
import { createPlaybackSessionStore } from './playback-session-store.ts'
import { createQueueCommands, createSongCommands } from './player-commands.ts'
import type { PlaybackPosition, Player } from './player-interface.ts'
import { createPlayerModel } from './player-model.ts'
import { endsWithRelatedSongs } from './queue.ts'
import { createSessionSaver } from './session-saver.ts'
import { createSongLoader } from './song-loader.ts'
import { createSongSource, type SongSource, type SongSourceDeps } from './song-source.ts'
import { createTabSync, openTabChannel, type TabChannel } from './tab-sync.ts'
import type { VideoAdapter } from './video-adapter.ts'
import { createVolumeControl } from './volume-control.ts'
import { createYoutubeVideo } from './youtube-video.ts'

export type PlayerDeps = PlayerOptions & (SongSourceDeps | { source: SongSource })

export interface PlayerOptions {
  video?: VideoAdapter
  /** Stores the playback session and the volume. If it is `undefined`, the player is empty after a reload. */
  storage?: WebStorage
  channel?: TabChannel | undefined
  /**
   * The id of the song whose page was reloaded; empty if no page was reloaded; by default this is read from the browser. That song stays
   * paused until a person presses play.
   */
  reloadedSongId?: string
  nowMs?: () => number
}

/** The time in milliseconds after which a player that has not played connects to the media session. */
const MEDIA_SESSION_AFTER_MS = 3000

/** Returns the id of the song whose page was reloaded, which is in its address; empty if the page was opened by a link or has no song. */
function findReloadedSongId(): string {
  const entry = getNavigationEntry()
  return (entry?.type === 'reload' && new URL(entry.name).searchParams.get('s')) || ''
}

/** Creates the page's player from its queue, playback session, song loader, ending rules and video. */
export function createPlayer(deps: PlayerDeps): Player {
  const scope = createCleanupScope()
  const playerVideo = deps.video ?? createYoutubeVideo()
  const songSource = 'source' in deps ? deps.source : createSongSource(deps)
  const sessionStore = createPlaybackSessionStore(deps.storage ?? localStore)
  const nowMs = deps.nowMs ?? Date.now
  const positionChanges = createEmitter<PlaybackPosition>()
  const restoredSession = sessionStore.read()

  const playback = createPlayback(playerVideo, scope, {
    onChange: () => model.publish(),
    onMove(newPosition) {
      positionChanges.emit(newPosition)
      endingRules.checkSleep()
      sessionSaver.saveRegularly()
    },
    onStart() {
      sessionSaver.activate()
      endingRules.cancelSkip()
      tabSync.announceStart()
      connectMediaSession()
    },
    onEnd: () => endingRules.onEnded(),
    onUnplayable: (code) => endingRules.onUnplayable(code),
    onPlaybackConfirmed: () => endingRules.resetSkipCount(),
    onCounted(lengthSeconds, kind) {
      const { songId, contextId, current, detail } = model.getSnapshot()
      const loadedSong = current?.youtube_id === playback.loadedId ? current : undefined
      // The server counts a song once an hour, so that repetitions are not reported.
      if (songId !== undefined && kind !== 'repeated')
        songSource.countPlay(songId, contextId, loadedSong && loadedSong.duration === undefined ? lengthSeconds : 0)
      // The details are missing while the server cannot be reached; a queued song is known without them.
      const playedSong = detail ?? loadedSong
      if (playedSong) songSource.logPlay(player, playedSong, contextId, kind)
    },
  })
  const loadEndless = loadOnce(() =>
    import('./endless.ts').then((module) => module.createEndlessPlayback({ model, playback, loader: songLoader, source: songSource })),
  )
  /** Loads the code of related songs on demand and calls `use` with it; calls `onFailure` if the code cannot be loaded. */
  const runWithEndless = (use: (endless: EndlessPlayback) => void, onFailure = () => {}) => void loadEndless().then(use, onFailure)
  const model = createPlayerModel({
    restoredSession,
    endless: songSource.related !== undefined && sessionStore.readEndless(),
    playback,
    video: playerVideo,
    onQueueChange() {
      sessionSaver.save()
      if (endsWithRelatedSongs(model.queue)) runWithEndless((endless) => void endless.addRelated())
    },
  })
  const sessionSaver = createSessionSaver(
    sessionStore,
    () => ({
      queue: model.queue,
      contextId: model.contextId,
      contextTitle: model.contextTitle,
      positionSeconds: playback.position().positionSeconds,
      isPlayCounted: playback.isPlayCounted,
    }),
    nowMs,
  )
  const songLoader = createSongLoader({
    model,
    playback,
    video: playerVideo,
    source: songSource,
    onRequest() {
      tabSync.noteRequest()
      endingRules.cancelSkip()
      sessionSaver.activate()
    },
    onStart: sessionSaver.save,
    playRelated: () =>
      runWithEndless(
        (endless) => void endless.playRelated(),
        () => songLoader.advance({ kind: 'none' }),
      ),
  })
  const endingRules = createEndingRules({
    model,
    playback,
    loader: songLoader,
    source: songSource,
    scope,
    pause: () => songCommands.pause(),
    nowMs,
  })
  const songCommands = createSongCommands({
    model,
    playback,
    video: playerVideo,
    loader: songLoader,
    endingRules,
    sessionSaver,
    reloadedSongId: deps.reloadedSongId ?? findReloadedSongId(),
    onPlayRequest: () => tabSync.noteRequest(),
  })
  const onOtherTabStarted = () => {
    if (playback.isPlayingOrLoading) songCommands.pause()
  }
  const tabSync = createTabSync('channel' in deps ? deps.channel : openTabChannel(), onOtherTabStarted, nowMs)
  const volumeControl = createVolumeControl({ video: playerVideo, store: sessionStore, scope, onChange: model.publish })
  if (model.queue.current)
    playback.cue(model.queue.current.duration ?? 0, restoredSession?.positionSeconds ?? 0, restoredSession?.isPlayCounted)

  const player: Player = {
    ...songCommands,
    ...createQueueCommands({ model, loader: songLoader, endingRules, sessionSaver, store: sessionStore, openSong: songCommands.open }),
    startSongRadio(song) {
      endingRules.resetSkipCount()
      runWithEndless(
        (endless) => endless.startSongRadio(song, songCommands.play),
        () => songCommands.open({ songId: song.youtube_id }),
      )
    },
    ...volumeControl,
    getSnapshot: model.getSnapshot,
    subscribe: model.subscribe,
    onPosition: positionChanges.subscribe,
    position: playback.position,
    setSleep: endingRules.setSleep,
    attachStage: (host) => playerVideo.attach(host),
    close() {
      sessionSaver.save()
      scope.dispose()
    },
  }

  scope.add(songLoader.cancel)
  scope.add(tabSync.close)
  scope.listen(document, 'visibilitychange', () =>
    document.visibilityState === 'visible' ? endingRules.checkSleep() : sessionSaver.save(),
  )
  scope.listen(window, 'pagehide', sessionSaver.save)

  /** Loads and connects the media session, which the first paint does not need. Without its code, the player works all the same. */
  function connectMediaSession() {
    import('./player-media-session.ts').then(
      (module) => module.connectMediaSession(player, scope),
      () => {},
    )
  }
  // Before the first press of Play, because Safari lets the session's silent loop start in the task of a press only.
  scope.timeout(connectMediaSession, MEDIA_SESSION_AFTER_MS)
  return player
}
