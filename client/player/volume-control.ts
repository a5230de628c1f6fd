import type { Scope } from '../primitives/scope.ts'
import type { PlaybackSessionStore } from './playback-session-store.ts'
import type { VideoAdapter } from './video-adapter.ts'

interface VolumeControlDeps {
  video: VideoAdapter
  store: PlaybackSessionStore
  scope: Scope
  onChange: () => void
}

/** Changes the volume of a video, and stores each change, including changes that a person makes inside the frame. */
export function createVolumeControl({ video, store, scope, onChange }: VolumeControlDeps) {
  const { volume: storedVolume, muted } = store.readVolume()
  video.volume = storedVolume
  video.muted = muted
  scope.add(video.on('volumechange', saveVolume))

  function saveVolume() {
    store.writeVolume({ volume: video.volume, muted: video.muted })
    onChange()
  }

  return {
    /** Sets the volume, clamped to 0 to 1. A volume above 0 also unmutes the video. */
    setVolume(newVolume: number) {
      video.volume = Math.min(1, Math.max(0, newVolume))
      if (newVolume > 0) video.muted = false
      saveVolume()
    },
    setMuted(isMuted: boolean) {
      video.muted = isMuted
      saveVolume()
    },
  }
}
