import type { SongDetail } from '../../contract/song.ts'
import { createEmitter } from '../primitives/emitter.ts'
import type { Playback } from './playback.ts'
import type { PlaybackSession } from './playback-session-store.ts'
import type { PlayerState } from './player-interface.ts'
import { emptyQueue, type QueueAction, type QueueState, reduceQueue, stepOnBack, stepOnSkip } from './queue.ts'
import type { VideoAdapter } from './video-adapter.ts'

/** The player's mutable state, and the immutable snapshot that subscribers read. */
export interface PlayerModel {
  readonly queue: QueueState
  /**
   * The playlist, category or 'favorite' that was requested; `undefined` if no context was requested, so that the song's category is the
   * context.
   */
  contextId: string | undefined
  contextTitle: string
  /** The requested song until it is loaded, then the queue's current song. */
  songId: string | undefined
  detail: SongDetail | undefined
  isContextLoading: boolean
  /** Applies an action to the queue. Subscribers are notified only if the queue changes. */
  dispatch(action: QueueAction): void
  /** Notifies subscribers of a change of the model, of the playback or of the video. */
  publish(): void
  getSnapshot(): PlayerState
  subscribe(listener: () => void): () => void
}

interface PlayerModelDeps {
  restoredSession: PlaybackSession | undefined
  endless: boolean
  playback: Playback
  video: VideoAdapter
  onQueueChange: () => void
}

export function createPlayerModel({ restoredSession: session, endless, playback, video, onQueueChange }: PlayerModelDeps): PlayerModel {
  const changeEmitter = createEmitter()
  let queueState: QueueState = { ...(session?.queue ?? emptyQueue), endless }
  /** The current snapshot, which is created by the first read after a change. */
  let stateSnapshot: PlayerState | undefined

  const model: PlayerModel = {
    get queue() {
      return queueState
    },
    contextId: session?.contextId,
    contextTitle: session?.contextTitle ?? '',
    songId: queueState.current?.youtube_id,
    detail: undefined,
    isContextLoading: false,
    dispatch(playerAction) {
      const newQueue = reduceQueue(queueState, playerAction)
      if (newQueue === queueState) return
      queueState = newQueue
      model.publish()
      onQueueChange()
    },
    publish() {
      stateSnapshot = undefined
      changeEmitter.emit()
    },
    getSnapshot() {
      stateSnapshot ??= createSnapshot(model, playback, video)
      return stateSnapshot
    },
    subscribe: changeEmitter.subscribe,
  }
  return model
}

function createSnapshot(
  { queue, songId, contextId, contextTitle, detail, isContextLoading }: PlayerModel,
  playback: Playback,
  video: VideoAdapter,
): PlayerState {
  const currentSongId = queue.current?.youtube_id
  const nextKind = stepOnSkip(queue).kind
  const isAnotherSongLoading = playback.status === 'loading' && currentSongId !== songId
  return {
    status: playback.status,
    songId,
    current: queue.current,
    detail: detail?.youtube_id === currentSongId ? detail : undefined,
    contextId,
    contextTitle,
    upcoming: queue.entries,
    isContextLoading,
    nextKind,
    canNext: !isAnotherSongLoading && nextKind !== 'none',
    canPrevious: !isAnotherSongLoading && stepOnBack(queue).kind !== 'none',
    endless: queue.endless,
    isSongRadio: queue.isSongRadio,
    isExhausted: queue.isExhausted && !queue.cleared,
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
