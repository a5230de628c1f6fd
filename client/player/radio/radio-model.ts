import type { Station } from '../../../contract/radio.ts'
import { createWatchUrl } from '../../../contract/youtube.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import type { Playback } from '../playback.ts'
import type { PlayerStatus } from '../player-interface.ts'
import type { SleepSetting } from '../queue.ts'
import type { VideoAdapter } from '../video-adapter.ts'
import type { RadioState, RadioStatus, SongOnAir } from './radio-player-interface.ts'
import type { StationFeed, StationFeedState } from './station-feed.ts'

/** The radio's mutable state, and the immutable snapshot that subscribers read. */
export interface RadioModel {
  /** Whether a person wants to listen. */
  isOn: boolean
  station: Station
  sleep: SleepSetting
  /** Notifies subscribers of a change of the model, of the feed, of the playback or of the video. */
  publish(): void
  getSnapshot(): RadioState
  subscribe(listener: () => void): () => void
}

interface RadioModelDeps {
  station: Station
  feed: StationFeed
  playback: Playback
  video: VideoAdapter
}

export function createRadioModel({ station, feed, playback, video }: RadioModelDeps): RadioModel {
  const changeEmitter = createEmitter()
  /** The current snapshot, which is created by the first read after a change. */
  let stateSnapshot: RadioState | undefined

  const model: RadioModel = {
    isOn: false,
    station,
    sleep: { kind: 'off' },
    publish() {
      stateSnapshot = undefined
      changeEmitter.emit()
    },
    getSnapshot() {
      stateSnapshot ??= createSnapshot(model, feed.getSnapshot(), playback, video)
      return stateSnapshot
    },
    subscribe: changeEmitter.subscribe,
  }
  return model
}

const statusByPlayerStatus: Record<PlayerStatus, RadioStatus> = {
  idle: 'silent',
  loading: 'loading',
  playing: 'playing',
  paused: 'paused',
  blocked: 'blocked',
  unplayable: 'unplayable',
  failed: 'failed',
}

function createSnapshot({ station, sleep }: RadioModel, feedState: StationFeedState, playback: Playback, video: VideoAdapter): RadioState {
  const { hasNoSongs, serverUnreachable, listeners, playsMain } = feedState
  return {
    status: statusByPlayerStatus[playback.status],
    canPause: ['playing', 'loading', 'unplayable'].includes(playback.status),
    station,
    playsMain,
    onAir: findOnAir(feedState),
    hasNoSongs,
    serverUnreachable,
    listeners,
    sleep,
    volume: video.volume,
    muted: video.muted,
    hasFrame: video.ready,
  }
}

function findOnAir({ answer, airings }: StationFeedState): SongOnAir | undefined {
  if (answer === undefined || airings === undefined) return undefined
  const { current, upcoming, history } = airings
  const isAnswerSongOnAir = answer.youtube_id === current.youtube_id
  return {
    ...current,
    youtube_url: isAnswerSongOnAir ? answer.youtube_url : createWatchUrl(current.youtube_id),
    category_id: isAnswerSongOnAir ? answer.category_id : undefined,
    category_name: isAnswerSongOnAir ? answer.category_name : undefined,
    next: upcoming[0],
    history,
  }
}
