/**
 * Loads the player's chunk, and resolves with the function that plays a YouTube video independent of the player, in an iframe inside `host`. It and the other
 * players of the origin pause each other (`tab-sync.ts`). That function returns the one that ends the video.
 */
export async function loadEmbeddedVideo() {
  const { createYoutubeVideo, createTabSync, openTabChannel } = await import('../player/player.ts')
  return (host: HTMLElement, videoId: string, volume: number, onError: () => void): (() => void) => {
    const video = createYoutubeVideo()
    const tabSync = createTabSync(openTabChannel(), () => video.pause())
    video.on('error', onError)
    video.on('playing', () => tabSync.announceStart())
    // At once, so that a player that still loads does not start after it.
    tabSync.announceStart()
    video.attach(host)
    video.volume = volume
    video.load(videoId, 0)
    return () => {
      tabSync.close()
      video.close()
    }
  }
}
