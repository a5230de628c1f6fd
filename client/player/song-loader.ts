import type { SongDetail } from '../../contract/song.ts'
import { ApiCallError } from '../platform/api.ts'
import { waitForNextTask } from '../primitives/next-task.ts'
import type { Playback } from './playback.ts'
import type { PlayerModel } from './player-model.ts'
import type { BackStep, NeighbourSongIds, QueueAction, QueueStep } from './queue.ts'
import type { SongSource } from './song-source.ts'
import type { VideoAdapter } from './video-adapter.ts'

interface SongLoaderDeps {
  model: PlayerModel
  playback: Playback
  video: VideoAdapter
  source: SongSource
  /** Called when another song is requested. */
  onRequest: () => void
  onStart: () => void
  /** Plays a related song once one is found. If the search fails, the current song plays on to its end. */
  playRelated: () => void
}

/** Loads songs from the catalogue and starts them in the video. An answer for a song that is no longer requested is dropped. */
export function createSongLoader({ model, playback, video, source, onRequest, onStart, playRelated }: SongLoaderDeps) {
  /** Identifies the latest request. Each request for another song, and each cancellation, increments it. */
  let latestRequestId = 0
  let pendingLoad: { play: boolean } | undefined

  function cancelRequests() {
    const cancelledLoad = pendingLoad
    pendingLoad = undefined
    latestRequestId += 1
    model.isContextLoading = false
    return cancelledLoad
  }

  function takeRequestId(): number {
    cancelRequests()
    onRequest()
    return latestRequestId
  }

  async function startCurrentSong(fromSeconds = 0) {
    const song = model.queue.current
    if (!song) return
    takeRequestId()
    model.songId = song.youtube_id
    playback.load(song.youtube_id, song.duration ?? 0, fromSeconds)
    const detailLoading = refreshSongDetail()
    onStart()
    await detailLoading
  }

  async function refreshSongDetail() {
    const requestId = latestRequestId
    const song = model.queue.current
    if (!song) return
    model.isContextLoading = model.queue.context.songs.length === 0 && !model.queue.isSongRadio
    try {
      const songDetail = model.detail?.youtube_id === song.youtube_id ? model.detail : await source.song(song.youtube_id, model.contextId)
      if (requestId !== latestRequestId) return
      model.detail = songDetail
      if (!model.queue.isSongRadio) model.contextTitle = songDetail.context_title
      model.publish()
      if (model.queue.isSongRadio) return
      model.dispatch({ type: 'links', songId: song.youtube_id, links: toNeighbourSongIds(songDetail) })
      if (model.queue.context.songs.length > 0) return
      const context = await source.context(model.contextId ?? songDetail.context_id, model.queue.anchorId)
      if (requestId === latestRequestId) model.dispatch({ type: 'context', context })
    } catch {
      // A failure is ignored: the song plays without the rest of its context.
    } finally {
      if (requestId === latestRequestId && model.isContextLoading) {
        model.isContextLoading = false
        model.publish()
      }
    }
  }

  /** Loads the song, dispatches `toAction(song)` and plays the song unless the player was paused during the loading. */
  async function loadSongDetail(songId: string | Promise<string>, toAction: (songDetail: SongDetail) => QueueAction) {
    const requestId = takeRequestId()
    const songLoad = { play: true }
    pendingLoad = songLoad
    if (typeof songId === 'string') model.songId = songId
    playback.setStatus('loading')
    try {
      const songDetail = await source.song(await songId, model.contextId)
      // The song of the page's HTML is known in the task that renders the page. It starts in the next one, so that neither task is long.
      await waitForNextTask()
      if (requestId !== latestRequestId) return
      pendingLoad = undefined
      model.detail = songDetail
      model.dispatch(toAction(songDetail))
      if (songLoad.play) return startCurrentSong()
      model.songId = songDetail.youtube_id
      playback.cue(songDetail.duration ?? 0, 0, false)
      await refreshSongDetail()
    } catch (cause) {
      if (requestId !== latestRequestId) return
      pendingLoad = undefined
      const isSongMissing = cause instanceof ApiCallError && cause.kind === 'api' && cause.code === 404
      video.pause()
      playback.setStatus(
        'failed',
        isSongMissing ? { kind: 'not-found' } : { kind: 'network', message: describeCause(cause), wasPaused: !songLoad.play },
      )
    }
  }

  return {
    /** Starts the queue's current song. Resolves when its neighbours, and the songs of its context, are loaded or could not be loaded. */
    start: startCurrentSong,
    /** Loads a song by its id, if the caller does not have its row. `anchorIndex` is its index in the context, if known. */
    open: (songId: string, anchorIndex?: number) =>
      void loadSongDetail(songId, (song) => ({ type: 'open', song, links: toNeighbourSongIds(song), context: undefined, anchorIndex })),
    /** Plays the next song. With the step `none`, the current song plays on, unless its video has ended or is paused. */
    advance(step: QueueStep) {
      if (step.kind === 'take' || step.kind === 'wrap') {
        model.dispatch(step.kind === 'take' ? { type: 'take', index: 0 } : { type: 'wrap' })
        void startCurrentSong()
      } else if (step.kind === 'linked') {
        void loadSongDetail(step.songId, (song) => ({ type: 'step', song, from: 'context' }))
      } else if (step.kind === 'random') {
        const { queue, contextId } = model
        const randomId = source.randomSongId(contextId, queue.current?.youtube_id ?? '', queue.context.songs)
        void loadSongDetail(randomId, (song) => ({ type: 'step', song, from: 'random' }))
      } else if (step.kind === 'related') playRelated()
      else playback.setStatus(video.paused ? 'paused' : 'playing')
    },
    goBack(step: BackStep) {
      if (step.kind === 'none') return
      if (step.kind === 'linked') return void loadSongDetail(step.songId, (song) => ({ type: 'step-back', song }))
      model.dispatch(step.kind === 'back' ? { type: 'back' } : { type: 'step-back', song: step.song })
      void startCurrentSong()
    },
    /** Sets whether the song that is being loaded will play once it is loaded. Returns false if no song is being loaded. */
    setPlayWhenLoaded(shouldPlay: boolean) {
      if (!pendingLoad) return false
      pendingLoad.play = shouldPlay
      return true
    },
    /** Loads the current song's neighbours, and the songs of its context if they are unknown. */
    refreshDetail: refreshSongDetail,
    /**
     * Ignores the responses of all requests that are still pending. If a song was being loaded, returns whether it would have played.
     */
    cancel: cancelRequests,
  }
}

export type SongLoader = ReturnType<typeof createSongLoader>

const toNeighbourSongIds = ({ next, previous, first_song }: SongDetail): NeighbourSongIds => ({
  next,
  previous,
  isLast: next === first_song,
})

const describeCause = (cause: unknown) => (cause instanceof ApiCallError ? cause.message : 'An error occurred while fetching data.')
