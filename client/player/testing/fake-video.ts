import { createVideoEvents, type VideoAdapter, type VideoEvent } from '../video-adapter.ts'

/** A video without sound that starts at once. */
export interface FakeVideo extends VideoAdapter {
  paused: boolean
  emit: (type: VideoEvent) => void
}

export function createFakeVideo(): FakeVideo {
  const { on, emit } = createVideoEvents()
  const startPlaying = () => {
    video.paused = false
    emit('playing')
  }
  const video: FakeVideo = {
    on,
    emit,
    ...{ currentTime: 0, duration: 100, paused: true, volume: 1, muted: false, playbackRate: 1 },
    ...{ error: undefined, ready: true, online: true, startTimeoutMs: 1_000_000 },
    load: startPlaying,
    play: startPlaying,
    pause() {
      video.paused = true
      emit('pause')
    },
    attach() {},
    close() {},
  }
  return video
}
