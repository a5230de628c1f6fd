import type { Song } from '../../contract/song.ts'
import type { EndingRules } from './ending-rules.ts'
import type { Playback } from './playback.ts'
import type { PlaybackSessionStore } from './playback-session-store.ts'
import type { OpenRequest, Player } from './player-interface.ts'
import type { PlayerModel } from './player-model.ts'
import { findAnchorIndex, type QueueAction, type QueueContext, stepOnBack, stepOnSkip } from './queue.ts'
import type { SessionSaver } from './session-saver.ts'
import type { SongLoader } from './song-loader.ts'
import type { VideoAdapter } from './video-adapter.ts'

/** The player's commands that open, play and pause songs. A song that is open already is not loaded again. */
export type SongCommands = Pick<Player, 'open' | 'play' | 'pause' | 'toggle' | 'seek' | 'next' | 'previous' | 'retry' | 'forgetSession'>

interface SongCommandsDeps {
  model: PlayerModel
  playback: Playback
  video: VideoAdapter
  loader: SongLoader
  endingRules: EndingRules
  sessionSaver: SessionSaver
  /** The id of the song whose page was reloaded. That song stays paused until a person presses play. */
  reloadedSongId: string
  /** Called when a person presses play. */
  onPlayRequest: () => void
}

export function createSongCommands(deps: SongCommandsDeps): SongCommands {
  const { model, playback, video, loader, endingRules, sessionSaver, reloadedSongId, onPlayRequest } = deps

  function openSong(
    { songId, contextId, listIndex, shuffle = false, reloadContext = false }: OpenRequest,
    staysPaused = songId === reloadedSongId && !sessionSaver.isActive,
  ) {
    if (songId === model.songId && playback.status !== 'failed') {
      model.dispatch({ type: 'shuffle', shuffle })
      if ((contextId !== model.contextId || reloadContext) && model.queue.current) changeContext(contextId, listIndex)
      else goOnAfterRow(songId, listIndex)
      // A song that was restored from the session and is then opened by its address plays from its start. The rows of its context are known once it has
      // started.
      if (!sessionSaver.isActive && !staysPaused) void loader.start().then(() => goOnAfterRow(songId, listIndex))
      else if (!model.detail) void loader.refreshDetail()
      return
    }
    endingRules.resetSkipCount()
    const { isSongRadio, history } = model.queue
    if (isSongRadio && contextId === undefined && !staysPaused && history.some((song) => song.youtube_id === songId)) {
      // The browser's Back button has opened the page of an earlier song of the radio, which has no context in its address.
      while (model.queue.current?.youtube_id !== songId) model.dispatch({ type: 'back' })
      return void loader.start()
    }
    model.contextId = contextId
    model.contextTitle = ''
    model.dispatch({ type: 'shuffle', shuffle })
    video.pause()
    loader.open(songId, listIndex)
    if (!staysPaused) return
    loader.setPlayWhenLoaded(false)
    playback.setStatus('paused')
  }

  /** Lets the context go on after the row `listIndex`, if the current song `songId` is at that row and the context goes on after another one. */
  function goOnAfterRow(songId: string, listIndex = -1) {
    const { context, current } = model.queue
    const isAtIndex = current?.youtube_id === songId && context.songs[listIndex]?.youtube_id === songId
    if (isAtIndex && findAnchorIndex(model.queue) !== listIndex) reopenContext(listIndex, context)
  }

  /** Changes the context of the current song, which continues to play, so that other songs follow it. */
  function changeContext(songContextId: string | undefined, listIndex: number | undefined) {
    model.contextId = songContextId
    model.contextTitle = ''
    model.detail = undefined
    reopenContext(listIndex)
  }

  /** Lets the songs after `listIndex` follow the current song. The context is loaded if it is not given. */
  function reopenContext(anchorIndex: number | undefined, context?: QueueContext) {
    if (model.queue.current) model.dispatch({ type: 'open', song: model.queue.current, links: undefined, context, anchorIndex })
    if (sessionSaver.isActive) void loader.refreshDetail()
  }

  function startPlaying() {
    onPlayRequest()
    sessionSaver.activate()
    const { queue, songId } = model
    if (loader.setPlayWhenLoaded(true)) return playback.setStatus('loading')
    if (!queue.current && songId === undefined) return
    if (playback.status === 'failed') retrySong()
    else if (playback.loadedId !== queue.current?.youtube_id) void loader.start(playback.position().positionSeconds)
    else playback.play()
  }

  function pausePlaying() {
    loader.setPlayWhenLoaded(false)
    endingRules.cancelSkip()
    playback.pause()
    sessionSaver.save()
  }

  function retrySong(staysPaused = false) {
    const { queue, songId, contextId } = model
    const { positionSeconds, durationSeconds } = playback.position()
    if (queue.current && queue.current.youtube_id === songId) {
      if (staysPaused) playback.cue(durationSeconds, positionSeconds)
      else void loader.start(positionSeconds)
    } else if (songId !== undefined) {
      openSong({ songId, contextId, shuffle: queue.shuffle }, staysPaused)
    }
  }

  return {
    open: openSong,
    play: startPlaying,
    pause: pausePlaying,
    toggle: () => (playback.isPlayingOrLoading ? pausePlaying() : startPlaying()),
    seek(positionSeconds) {
      playback.seek(positionSeconds)
      sessionSaver.save()
    },
    next() {
      endingRules.resetSkipCount()
      const step = stepOnSkip(model.queue)
      if (step.kind !== 'none') loader.advance(step)
    },
    previous() {
      endingRules.resetSkipCount()
      loader.goBack(stepOnBack(model.queue))
    },
    retry: retrySong,
    forgetSession() {
      const { songId, queue } = model
      const cancelledLoad = loader.cancel()
      model.contextId = undefined
      model.contextTitle = ''
      model.detail = undefined
      model.dispatch({ type: 'forget' })
      if (cancelledLoad && songId !== undefined) {
        // The song is loaded again without its context, because the response of the cancelled load would name the context.
        model.songId = undefined
        openSong({ songId, shuffle: queue.shuffle }, !cancelledLoad.play)
      }
      sessionSaver.disown()
    },
  }
}

/**
 * The player's commands that change which songs follow. After each command, the playback session of this page replaces the stored session.
 */
type QueueCommands = Pick<
  Player,
  | 'setEndless'
  | 'setLoop'
  | 'setShuffle'
  | 'playNext'
  | 'enqueue'
  | 'playFromQueue'
  | 'moveInQueue'
  | 'removeFromQueue'
  | 'clearQueue'
  | 'undoClearQueue'
  | 'completeQueue'
>

interface QueueCommandsDeps {
  model: PlayerModel
  loader: SongLoader
  endingRules: EndingRules
  sessionSaver: SessionSaver
  store: PlaybackSessionStore
  openSong: Player['open']
}

export function createQueueCommands({ model, loader, endingRules, sessionSaver, store, openSong }: QueueCommandsDeps): QueueCommands {
  function dispatchAction(action: QueueAction) {
    sessionSaver.activate()
    model.dispatch(action)
  }

  function queueSong(actionType: 'play-next' | 'enqueue', song: Song) {
    if (model.songId === undefined) openSong({ songId: song.youtube_id })
    else dispatchAction({ type: actionType, song })
  }

  return {
    setEndless(endless, isStored) {
      const action = { type: 'endless', endless } as const
      if (isStored) {
        if (model.getSnapshot().status !== 'playing') sessionSaver.yieldToOtherTab()
        return model.dispatch(action)
      }
      dispatchAction(action)
      store.writeEndless(endless)
    },
    setLoop: (loop) => dispatchAction({ type: 'loop', loop }),
    setShuffle(shuffle) {
      // The new order needs the songs of the context, which a restored queue lacks.
      if (model.queue.restored) void loader.refreshDetail()
      dispatchAction({ type: 'shuffle', shuffle })
    },
    playNext: (song) => queueSong('play-next', song),
    enqueue: (song) => queueSong('enqueue', song),
    playFromQueue(index) {
      if (!model.queue.entries[index]) return
      endingRules.resetSkipCount()
      dispatchAction({ type: 'take', index })
      void loader.start()
    },
    moveInQueue: (from, to) => dispatchAction({ type: 'move', from, to }),
    removeFromQueue: (index) => dispatchAction({ type: 'remove', index }),
    clearQueue: () => dispatchAction({ type: 'clear' }),
    undoClearQueue: () => dispatchAction({ type: 'undo-clear' }),
    completeQueue() {
      if (model.queue.restored?.tailId === undefined || model.isContextLoading) return
      void loader.refreshDetail()
      model.publish()
    },
  }
}
