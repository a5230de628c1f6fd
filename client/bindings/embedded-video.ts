/**
 * Plays a YouTube video that is independent of the player, in an iframe inside `host`. It and the other players of the origin pause each other (`tab-sync.ts`).
 * Resolves with the function that ends it. Rejects if the player's chunk cannot be loaded.
 */
export async function playEmbeddedVideo(host: HTMLElement, videoId: string, volume: number, onError: () => void): Promise<() => void> {
  const { createYoutubeVideo, createTabSync, openTabChannel } = await import('../player/player.ts')
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
