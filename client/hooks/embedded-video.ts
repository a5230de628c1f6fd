import type { Song } from '../../contract/song.ts'

interface EmbeddedVideoOptions {
  videoId: string
  /** The volume, 0 to 1. */
  volume: number
  onError: () => void
  /** The song that the operating system shows beside its media controls. Without `song`, YouTube's iframe decides what they show. */
  song?: Song
}

/**
 * Loads the player's chunk. The returned function plays a YouTube video in an iframe inside `host`, independent of the player, and returns a function
 * that ends the video. The video and the other players of the origin pause each other (`tab-sync.ts`).
 */
export async function loadEmbeddedVideo() {
  const { createYoutubeVideo, createTabSync, openTabChannel, connectVideoSession } = await import('../player/player.ts')
  return (host: HTMLElement, { videoId, volume, onError, song }: EmbeddedVideoOptions): (() => void) => {
    const video = createYoutubeVideo()
    const tabSync = createTabSync(openTabChannel(), () => video.pause())
    video.on('error', onError)
    video.on('playing', () => tabSync.announceStart())
    const disconnect = song && connectVideoSession(video, song)
    // The start is announced before the video plays, so that a player that is still loading does not start after it.
    tabSync.announceStart()
    video.attach(host)
    video.volume = volume
    video.load(videoId, 0)
    return () => {
      disconnect?.()
      tabSync.close()
      video.close()
    }
  }
}
