import type { Scope } from '../primitives/scope.ts'
import type { PlaybackSessionStore } from './playback-session-store.ts'
import type { VideoAdapter } from './video-adapter.ts'

/** Changes the volume of a video, and stores each change, also one that a person makes inside the frame. */
export interface VolumeControl {
  /** Sets a volume of 0 to 1; others are clamped. Above 0 the video is no longer muted. */
  setVolume(volume: number): void
  setMuted(muted: boolean): void
}

interface VolumeControlDeps {
  video: VideoAdapter
  store: PlaybackSessionStore
  scope: Scope
  onChange: () => void
}

export function createVolumeControl({ video, store, scope, onChange }: VolumeControlDeps): VolumeControl {
  const { volume: storedVolume, muted } = store.readVolume()
  video.volume = storedVolume
  video.muted = muted
  scope.add(video.on('volumechange', saveVolume))

  function saveVolume() {
    store.writeVolume({ volume: video.volume, muted: video.muted })
    onChange()
  }

  return {
    setVolume(volume) {
      video.volume = Math.min(1, Math.max(0, volume))
      if (volume > 0) video.muted = false
      saveVolume()
    },
    setMuted(isMuted) {
      video.muted = isMuted
      saveVolume()
    },
  }
}
