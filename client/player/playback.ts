import type { Scope } from '../primitives/scope.ts'
import type { PlaybackPosition, PlayerError, PlayerStatus } from './player-interface.ts'
import type { VideoAdapter, VideoEvent } from './video-adapter.ts'

interface PlaybackEvents {
  /** Emitted when status, error, duration or frame of the video have changed. */
  onChange(): void
  onMove(position: PlaybackPosition): void
  onStart(): void
  onEnd(): void
  onUnplayable(code: number): void
  /** Emitted when the video has played for a second, which shows that earlier failures are over. */
  onPlaybackConfirmed(): void
  /**
   * Emitted when the video has played long enough to count as a play. `lengthSeconds` is the length of the video; 0 if the length is not certain.
   */
  onCounted(lengthSeconds: number, kind: PlayKind): void
}

/**
 * How a play began. `repeated`: the video played again after its end, without being loaded again, and the play before was counted. `resumed`: the video
 * was loaded again, after a reload of the page or a failure of the network, and goes on with a play that was counted before.
 */
export type PlayKind = 'new' | 'repeated' | 'resumed'

/** Plays one song in the video and tracks its status, until the scope is disposed, which closes the video. It does not know which song is next. */
export function createPlayback(video: VideoAdapter, scope: Scope, events: PlaybackEvents) {
  let status: PlayerStatus = 'idle'
  let error: PlayerError | undefined
  let loadedVideoId: string | undefined
  /** The song's length in seconds according to the catalogue; 0 if unknown. */
  let catalogueLengthSeconds = 0
  /** Start position in seconds of a song whose video is not loaded. */
  let cuedSeconds = 0
  let cancelStartTimeout = () => {}
  let confirmedSeconds = 0
  /** Whether the current play of the song was counted. */
  let isPlayCounted = false
  let playKind: PlayKind = 'new'
  const playCounter = createPlayCounter({
    onPlaybackConfirmed() {
      confirmedSeconds = video.duration
      events.onPlaybackConfirmed()
    },
    // If the length changed during playback, one of the two lengths may be that of an advertisement.
    onCounted() {
      isPlayCounted = true
      events.onCounted(Math.abs(video.duration - confirmedSeconds) < 1 ? video.duration : 0, playKind)
    },
  })

  function setStatus(nextStatus: PlayerStatus, failure?: PlayerError) {
    if (nextStatus !== 'loading') cancelStartTimeout()
    status = nextStatus
    error = failure
    events.onChange()
  }

  function readCurrentPosition(): PlaybackPosition {
    const lengthSeconds = (loadedVideoId !== undefined && video.duration) || catalogueLengthSeconds
    return { positionSeconds: loadedVideoId === undefined ? cuedSeconds : video.currentTime, durationSeconds: lengthSeconds }
  }

  function restartStartTimeout() {
    cancelStartTimeout()
    cancelStartTimeout = scope.timeout(() => {
      if (status !== 'loading') return
      if (video.ready && video.online) setStatus('blocked')
      else failToLoad()
    }, video.startTimeoutMs)
  }

  function failToLoad() {
    cuedSeconds = readCurrentPosition().positionSeconds
    loadedVideoId = undefined
    setStatus('failed', { kind: 'network', message: 'The video could not be loaded.', wasPaused: status === 'paused' })
  }

  scope.add(() => video.close())
  const listenToVideo = (type: VideoEvent, listener: () => void) => scope.add(video.on(type, listener))
  listenToVideo('playing', () => {
    // A person can also press play inside the frame, after this page paused the video or reported it as failed.
    const hasStarted = status !== 'playing'
    setStatus('playing')
    if (hasStarted) events.onStart()
  })
  listenToVideo('pause', () => {
    if (status === 'playing') setStatus('paused')
  })
  listenToVideo('blocked', () => setStatus('blocked'))
  listenToVideo('ended', () => {
    playCounter.start(0)
    if (isPlayCounted) playKind = 'repeated'
    isPlayCounted = false
    events.onEnd()
  })
  listenToVideo('error', () => {
    const videoError = video.error
    // While there is no network, the platform's error codes say nothing about the video.
    if (videoError?.kind !== 'video' || !video.online) return failToLoad()
    cancelStartTimeout()
    events.onUnplayable(videoError.code)
  })
  listenToVideo('durationchange', events.onChange)
  listenToVideo('ready', events.onChange)
  listenToVideo('timeupdate', () => {
    playCounter.update(video.currentTime)
    events.onMove(readCurrentPosition())
  })

  return {
    get status() {
      return status
    },
    get isPlayingOrLoading() {
      return status === 'playing' || status === 'loading'
    },
    get error() {
      return error
    },
    /** The id of the video that the adapter loaded. */
    get loadedId() {
      return loadedVideoId
    },
    get isPlayCounted() {
      return isPlayCounted
    },
    position: readCurrentPosition,
    /** Sets a status that does not depend on the video: the song is being loaded, or was not found. */
    setStatus,
    /**
     * Shows a song as paused. Its video is not loaded before a person presses play. `wasPlayCounted` says whether the play that goes on at
     * `startSeconds` was counted before.
     */
    cue(lengthSeconds: number, startSeconds: number, wasPlayCounted = isPlayCounted) {
      isPlayCounted = wasPlayCounted
      loadedVideoId = undefined
      catalogueLengthSeconds = lengthSeconds
      cuedSeconds = startSeconds
      setStatus('paused')
    },
    load(songId: string, lengthSeconds: number, startSeconds: number) {
      loadedVideoId = songId
      catalogueLengthSeconds = lengthSeconds
      cuedSeconds = startSeconds
      playCounter.start(startSeconds)
      // A song that is loaded from its start is a new play. Another start is the position of a play that was interrupted.
      isPlayCounted &&= startSeconds > 0
      playKind = isPlayCounted ? 'resumed' : 'new'
      setStatus('loading')
      restartStartTimeout()
      video.load(songId, startSeconds)
      events.onMove({ positionSeconds: startSeconds, durationSeconds: lengthSeconds })
    },
    play() {
      // A video that is already playing, for example after the Play key of a headset, reports no `playing` event.
      if (status === 'playing') return
      setStatus('loading')
      restartStartTimeout()
      video.play()
    },
    replay() {
      video.currentTime = 0
      playCounter.seek(0)
      video.play()
    },
    pause() {
      video.pause()
      if (status === 'playing' || status === 'loading' || status === 'blocked') setStatus('paused')
      else if (error?.kind === 'network') setStatus(status, { ...error, wasPaused: true })
    },
    seek(positionSeconds: number) {
      const { durationSeconds } = readCurrentPosition()
      const targetSeconds = Math.max(0, durationSeconds > 0 ? Math.min(positionSeconds, durationSeconds) : positionSeconds)
      if (loadedVideoId === undefined) cuedSeconds = targetSeconds
      else video.currentTime = targetSeconds
      playCounter.seek(targetSeconds)
      events.onMove({ positionSeconds: targetSeconds, durationSeconds })
    },
  }
}

export type Playback = ReturnType<typeof createPlayback>

/** The seconds of playback after which a song counts as played. */
const PLAY_COUNTED_AFTER_SECONDS = 5
/** The seconds of playback after which a video counts as playable. */
const PLAYBACK_CONFIRMED_AFTER_SECONDS = 1
/** The longest step in seconds between two reported positions that still counts as playback; a longer one is a seek. */
const LONGEST_PLAYBACK_STEP_SECONDS = 3

interface PlayCounterEvents {
  onPlaybackConfirmed: () => void
  onCounted: () => void
}

/** Sums up the seconds of a video that were played, without seeks. Calls each event at most once per `start`. */
function createPlayCounter({ onPlaybackConfirmed: notifyPlaybackConfirmed, onCounted }: PlayCounterEvents) {
  let lastPositionSeconds = 0
  let playedSeconds = 0
  return {
    start(atSeconds: number) {
      lastPositionSeconds = atSeconds
      playedSeconds = 0
    },
    seek(toSeconds: number) {
      lastPositionSeconds = toSeconds
    },
    update(positionSeconds: number) {
      const stepSeconds = positionSeconds - lastPositionSeconds
      lastPositionSeconds = positionSeconds
      if (stepSeconds <= 0 || stepSeconds > LONGEST_PLAYBACK_STEP_SECONDS) return
      const playedSecondsBefore = playedSeconds
      playedSeconds += stepSeconds
      if (playedSecondsBefore < PLAYBACK_CONFIRMED_AFTER_SECONDS && playedSeconds >= PLAYBACK_CONFIRMED_AFTER_SECONDS)
        notifyPlaybackConfirmed()
      if (playedSecondsBefore < PLAY_COUNTED_AFTER_SECONDS && playedSeconds >= PLAY_COUNTED_AFTER_SECONDS) onCounted()
    },
  }
}
