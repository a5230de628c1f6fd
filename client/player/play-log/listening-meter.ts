import type { Song } from '../../../contract/song.ts'
import { createCleanupScope } from '../../primitives/scope.ts'
import type { Player } from '../player-interface.ts'

/** How long a song was played in one month since the previous report. */
export interface ListeningReport {
  /** The month in the device's time zone, such as `2026-11`. */
  month: string
  song: Pick<Song, 'youtube_id' | 'title' | 'author_name'>
  /** The time in milliseconds of wall-clock time, a whole number. */
  heardMs: number
  playCount: number
}

interface ListeningMeterDeps {
  player: Pick<Player, 'getSnapshot' | 'subscribe' | 'position' | 'onPosition'>
  report: (listening: ListeningReport) => void
  /** Returns the time of a monotonic clock in milliseconds. */
  elapsedMs?: () => number
  today?: () => Date
}

/** The slowest playback rate of the video platform (https://developers.google.com/youtube/iframe_api_reference#setPlaybackRate). */
const SLOWEST_PLAYBACK_RATE = 0.25
/** The interval of reports in milliseconds. If the tab is killed, at most this much time is not reported. */
export const REPORT_EVERY_MS = 30_000

const formatMonth = (date: Date) => `${String(date.getFullYear()).padStart(4, '0')}-${String(date.getMonth() + 1).padStart(2, '0')}`

/**
 * Measures how long songs are played: the wall-clock time in which a song plays and its position moves forwards. Once a song counts as
 * played, its time is reported at each pause, when another song or month begins, and every half minute.
 */
export function createListeningMeter({
  player,
  report,
  elapsedMs = () => performance.now(),
  today = () => new Date(),
}: ListeningMeterDeps) {
  const scope = createCleanupScope()
  let songId: string | undefined
  /** The current song once it counts as played. */
  let playedSong: ListeningReport['song'] | undefined
  let monthText = formatMonth(today())
  let heardMs = 0
  let playCount = 0
  let lastPoint: { atMs: number; positionSeconds: number } | undefined

  function reportListeningTime() {
    const wholeMs = Math.floor(heardMs)
    if (!playedSong || (wholeMs === 0 && playCount === 0)) return
    report({ month: monthText, song: playedSong, heardMs: wholeMs, playCount })
    heardMs -= wholeMs
    playCount = 0
  }

  function measureListening() {
    const { status, current } = player.getSnapshot()
    const currentPoint = { atMs: elapsedMs(), positionSeconds: player.position().positionSeconds }
    if (current?.youtube_id !== songId) {
      reportListeningTime()
      songId = current?.youtube_id
      playedSong = undefined
      heardMs = 0
      lastPoint = undefined
    }
    if (lastPoint) {
      const movedMs = (currentPoint.positionSeconds - lastPoint.positionSeconds) * 1000
      // The smaller of the two differences is counted: while the device sleeps, the time advances without the position; after a seek, the
      // position has advanced further than the time.
      if (movedMs > 0) heardMs += Math.max(0, Math.min(currentPoint.atMs - lastPoint.atMs, movedMs / SLOWEST_PLAYBACK_RATE))
    }
    lastPoint = status === 'playing' ? currentPoint : undefined
    if (status !== 'playing' || heardMs >= REPORT_EVERY_MS) reportListeningTime()
    const monthNow = formatMonth(today())
    if (monthNow === monthText) return
    reportListeningTime()
    monthText = monthNow
  }

  measureListening()
  scope.add(player.subscribe(measureListening))
  scope.add(player.onPosition(measureListening))
  return {
    /** Counts `plays` plays of `song`, and reports its listening time from now on: 0 if the song goes on with a play that was counted before. */
    countPlay(song: ListeningReport['song'], plays: 0 | 1 = 1) {
      measureListening()
      if (song.youtube_id !== songId) return plays && report({ month: monthText, song, heardMs: 0, playCount: plays })
      playedSong = song
      playCount += plays
      reportListeningTime()
    },
    reportHeard: reportListeningTime,
    close: scope.dispose,
  }
}
