/** The seconds of playback after which a song counts as played. */
const COUNT_AFTER_SECONDS = 5
/** The seconds of playback after which a video counts as playable. */
const CONFIRMED_AFTER_SECONDS = 1
/** The longest step in seconds between two reported positions that still counts as playback; a longer one is a seek. */
const LONGEST_STEP_SECONDS = 3

interface PlayCounterEvents {
  onPlaybackConfirmed: () => void
  onCounted: () => void
}

/** Sums up the seconds of a video that were played, without seeks. Calls each event at most once per `start`. */
export function createPlayCounter({ onPlaybackConfirmed: playbackConfirmed, onCounted }: PlayCounterEvents) {
  let lastSeconds = 0
  let playedSeconds = 0
  return {
    start(atSeconds: number) {
      lastSeconds = atSeconds
      playedSeconds = 0
    },
    seek(toSeconds: number) {
      lastSeconds = toSeconds
    },
    update(positionSeconds: number) {
      const stepSeconds = positionSeconds - lastSeconds
      lastSeconds = positionSeconds
      if (stepSeconds <= 0 || stepSeconds > LONGEST_STEP_SECONDS) return
      const secondsBefore = playedSeconds
      playedSeconds += stepSeconds
      if (secondsBefore < CONFIRMED_AFTER_SECONDS && playedSeconds >= CONFIRMED_AFTER_SECONDS) playbackConfirmed()
      if (secondsBefore < COUNT_AFTER_SECONDS && playedSeconds >= COUNT_AFTER_SECONDS) onCounted()
    },
  }
}
