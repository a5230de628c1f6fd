/// <reference types="youtube" />
import { createCleanupScope, type Scope } from '../primitives/scope.ts'
import { loadOnce } from '../primitives/single-flight.ts'
import { toTrustedScriptUrl } from '../primitives/trusted-types.ts'

const SCRIPT_URL = 'https://www.youtube.com/iframe_api'
/** The platform's host for embeds that set no cookies before playback. */
const FRAME_ORIGIN = 'https://www.youtube-nocookie.com'
const LOAD_TIMEOUT_MS = 15_000

declare global {
  interface Window {
    onYouTubeIframeAPIReady?: () => void
  }
}

interface RequestedVideo {
  videoId: string
  startSeconds: number
  /** Whether the video plays once it is loaded. */
  shouldPlay: boolean
}

interface YoutubeFrameEvents {
  /** Emitted when the player is ready, before it carries out the requests that were made in the meantime. */
  onReady(): void
  /** @param state a value of YT.PlayerState */
  onState(state: number): void
  onError(code: number): void
  onAutoplayBlocked(): void
  /** Emitted when the platform's script or player could not be loaded. The frame is then removed. */
  onUnreachable(): void
}

/**
 * The platform's player in its frame. The first request creates the frame. Requests that are made before the player is ready are carried
 * out once it is ready.
 */
export function createYoutubeFrame(events: YoutubeFrameEvents) {
  let frameHost: HTMLElement | undefined
  let player: YT.Player | undefined
  /** Owns the timeout of the current frame. */
  let frameScope = createCleanupScope()
  /** The methods of `player` are undefined before its `onReady` event. */
  let isFrameReady = false
  let isFrameStarting = false
  let requestedVideo: RequestedVideo | undefined

  function discardFrame() {
    frameScope.dispose()
    frameScope = createCleanupScope()
    player?.destroy()
    frameHost?.replaceChildren()
    player = undefined
    isFrameReady = false
  }

  async function startVideo() {
    if (isFrameStarting || player || !frameHost || !requestedVideo) return
    isFrameStarting = true
    const scope = frameScope
    try {
      await loadScript()
      if (!frameHost || !requestedVideo) return
      await createPlayer(frameHost, requestedVideo, scope)
    } catch {
      // A video that was closed while its script or frame was loading reports no error.
      if (scope.signal.aborted) return
      discardFrame()
      events.onUnreachable()
    } finally {
      isFrameStarting = false
    }
  }

  /** Resolves when the player is ready. Rejects if that takes too long, or when the frame is discarded. */
  function createPlayer(parentElement: HTMLElement, firstVideo: RequestedVideo, scope: Scope): Promise<void> {
    const frameElement = document.createElement('div')
    parentElement.replaceChildren(frameElement)
    const { startSeconds } = firstVideo
    return new Promise((resolve, reject) => {
      // The promises are rejected without a reason, because every rejection is reported as a network failure.
      const cancelTimeout = scope.timeout(reject, LOAD_TIMEOUT_MS)
      scope.add(reject)
      const youtubePlayer = new YT.Player(frameElement, {
        host: FRAME_ORIGIN,
        videoId: firstVideo.videoId,
        width: '100%',
        height: '100%',
        playerVars: {
          autoplay: firstVideo.shouldPlay ? 1 : 0,
          playsinline: 1,
          rel: 0,
          start: Math.floor(startSeconds),
          origin: location.origin,
        },
        events: {
          onReady: () => {
            cancelTimeout()
            isFrameReady = true
            resolve()
            events.onReady()
            // Carries out a request for another video or position that was made while the player was created.
            if (!requestedVideo) return
            if (requestedVideo.videoId !== firstVideo.videoId) return loadInto(youtubePlayer, requestedVideo)
            if (requestedVideo.startSeconds !== startSeconds) youtubePlayer.seekTo(requestedVideo.startSeconds, true)
            if (requestedVideo.shouldPlay) youtubePlayer.playVideo()
            else youtubePlayer.pauseVideo()
          },
          onStateChange: (event) => events.onState(event.data),
          onError: (event) => events.onError(Number(event.data)),
          onAutoplayBlocked: events.onAutoplayBlocked,
        },
      })
      player = youtubePlayer
    })
  }

  return {
    /** The platform's player; undefined before its `onReady` event, because it has no methods until then. */
    get player() {
      return isFrameReady ? player : undefined
    },
    /** The position in seconds that was requested last; 0 without a video. */
    get startSeconds() {
      return requestedVideo?.startSeconds ?? 0
    },
    attach(element: HTMLElement) {
      if (frameHost === element) return
      frameHost = element
      void startVideo()
    },
    /** Plays a video from `startSeconds`. */
    load(videoId: string, startSeconds: number) {
      requestedVideo = { videoId, startSeconds, shouldPlay: true }
      if (!player) void startVideo()
      else if (isFrameReady) loadInto(player, requestedVideo)
    },
    play() {
      if (requestedVideo) requestedVideo.shouldPlay = true
      if (!player) void startVideo()
      else if (isFrameReady) player.playVideo()
    },
    pause() {
      if (requestedVideo) requestedVideo.shouldPlay = false
      if (isFrameReady) player?.pauseVideo()
    },
    seek(positionSeconds: number) {
      if (requestedVideo) requestedVideo.startSeconds = positionSeconds
      if (isFrameReady) player?.seekTo(positionSeconds, true)
    },
    /** Removes the frame. The next request creates another one. */
    close() {
      requestedVideo = undefined
      discardFrame()
    },
  }
}

function loadInto(player: YT.Player, { videoId, startSeconds, shouldPlay }: RequestedVideo) {
  if (shouldPlay) player.loadVideoById({ videoId, startSeconds })
  else player.cueVideoById({ videoId, startSeconds })
}

/** Loads the platform's script once per page. A failed load is repeated by the next call. */
const loadScript = loadOnce(async () => {
  if ('YT' in window && YT.Player) return
  const scope = createCleanupScope()
  const element = document.createElement('script')
  scope.add(() => element.remove())
  await new Promise<void>((resolve, reject) => {
    scope.timeout(reject, LOAD_TIMEOUT_MS)
    scope.listen(element, 'error', reject)
    window.onYouTubeIframeAPIReady = resolve
    element.src = toTrustedScriptUrl(SCRIPT_URL)
    document.head.append(element)
  }).finally(scope.dispose)
})
