import type { Song } from '../../contract/song.ts'
import { type MediaSessionHandlers, openMediaSession } from './media-session.ts'
import type { PlaybackPosition } from './player-interface.ts'
import { createSeekHandlers } from './player-media-session.ts'
import { createTabSync, openTabChannel } from './tab-sync.ts'
import type { VideoAdapter } from './video-adapter.ts'
import { createYoutubeVideo } from './youtube-video.ts'

interface EmbeddedVideoOptions {
  videoId: string
  /** The volume, 0 to 1. */
  volume: number
  onError: () => void
  /**
   * The song that the operating system shows beside its media controls. Without `song`, YouTube's iframe sets the text of the media
   * controls.
   */
  song?: Song
  /** Called when the video has ended, and by the media key for the next song. */
  onNext?: () => void
}

/**
 * Plays a YouTube video in an iframe inside `hostElement`, independent of the player. Returns a function that ends the video. The video and the other players of
 * the origin pause each other (`tab-sync.ts`).
 */
export function playEmbeddedVideo(hostElement: HTMLElement, { videoId, volume, onError, song, onNext }: EmbeddedVideoOptions): () => void {
  const youtubeVideo = createYoutubeVideo()
  const tabSync = createTabSync(openTabChannel(), () => youtubeVideo.pause())
  youtubeVideo.on('error', onError)
  youtubeVideo.on('playing', () => tabSync.announceStart())
  if (onNext) youtubeVideo.on('ended', onNext)
  const disconnectSession = song && connectVideoSession(youtubeVideo, song, onNext)
  // The start is announced to the site's other players before the video plays, so that one that is still loading does not start later.
  tabSync.announceStart()
  youtubeVideo.attach(hostElement)
  youtubeVideo.volume = volume
  youtubeVideo.load(videoId, 0)
  return () => {
    disconnectSession?.()
    tabSync.close()
    youtubeVideo.close()
  }
}

/** Connects a video that plays a song to the media session. Returns the function that disconnects it. */
function connectVideoSession(video: VideoAdapter, song: Song, onNext: (() => void) | undefined): () => void {
  const sessionAccess = openMediaSession()
  const readPosition = (): PlaybackPosition => ({ positionSeconds: video.currentTime, durationSeconds: video.duration })
  const handlers: MediaSessionHandlers = {
    play: video.play,
    pause: video.pause,
    stop: video.pause,
    nexttrack: onNext ?? null,
    ...createSeekHandlers(readPosition, (seconds) => {
      video.currentTime = seconds
    }),
  }
  const updateSession = () => {
    sessionAccess.update({ song, album: '', isPlaying: !video.paused, handlers })
    sessionAccess.showPosition(readPosition())
  }
  const stopListening = (['playing', 'pause', 'ended', 'error', 'timeupdate'] as const).map((type) => video.on(type, updateSession))
  return () => {
    for (const stop of stopListening) stop()
    sessionAccess.close()
  }
}
