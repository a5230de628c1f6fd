import type { Song } from '../../../contract/song.ts'
import { createScope } from '../../primitives/scope.ts'
import type { Player } from '../player-interface.ts'

/** How much of a song was heard in one month since the previous report. */
export interface Listening {
  /** The month in the device's time zone, as `2026-11`. */
  month: string
  song: Pick<Song, 'youtube_id' | 'title' | 'author_name'>
  /** Milliseconds of wall time, a whole number. */
  heardMs: number
  playCount: number
}

interface ListeningMeterDeps {
  player: Pick<Player, 'getSnapshot' | 'subscribe' | 'position' | 'onPosition'>
  report: (listening: Listening) => void
  /** Returns the milliseconds of a clock that is never set. */
  elapsedMs?: () => number
  today?: () => Date
}

/** The slowest rate that the platform plays at (https://developers.google.com/youtube/iframe_api_reference#setPlaybackRate). */
const SLOWEST_RATE = 0.25
/** At most this much of what was heard is lost if the tab is killed. */
export const REPORT_EVERY_MS = 30_000

const monthOf = (date: Date) => `${String(date.getFullYear()).padStart(4, '0')}-${String(date.getMonth() + 1).padStart(2, '0')}`

/**
 * Measures for how long songs are heard: the wall time in which a song plays and its position moves forwards. What is heard of a song is reported from
 * the moment at which it counts as played: at each pause, when another song or month begins, and every half minute.
 */
export function createListeningMeter({
  player,
  report,
  elapsedMs = () => performance.now(),
  today = () => new Date(),
}: ListeningMeterDeps) {
  const scope = createScope()
  let songId: string | undefined
  /** The current song once it counts as played. */
  let playedSong: Listening['song'] | undefined
  let month = monthOf(today())
  let heardMs = 0
  let playCount = 0
  let lastMoment: { atMs: number; positionSeconds: number } | undefined

  function reportHeard() {
    const wholeMs = Math.floor(heardMs)
    if (!playedSong || (wholeMs === 0 && playCount === 0)) return
    report({ month, song: playedSong, heardMs: wholeMs, playCount })
    heardMs -= wholeMs
    playCount = 0
  }

  function measure() {
    const { status, current } = player.getSnapshot()
    const moment = { atMs: elapsedMs(), positionSeconds: player.position().positionSeconds }
    if (current?.youtube_id !== songId) {
      reportHeard()
      songId = current?.youtube_id
      playedSong = undefined
      heardMs = 0
      lastMoment = undefined
    }
    if (lastMoment) {
      const movedMs = (moment.positionSeconds - lastMoment.positionSeconds) * 1000
      // While the device sleeps, wall time passes and the position stays; after a seek, the position has moved further than the time.
      if (movedMs > 0) heardMs += Math.max(0, Math.min(moment.atMs - lastMoment.atMs, movedMs / SLOWEST_RATE))
    }
    lastMoment = status === 'playing' ? moment : undefined
    if (status !== 'playing' || heardMs >= REPORT_EVERY_MS) reportHeard()
    const monthNow = monthOf(today())
    if (monthNow === month) return
    reportHeard()
    month = monthNow
  }

  measure()
  scope.add(player.subscribe(measure))
  scope.add(player.onPosition(measure))
  return {
    /** Counts a play of `song`. */
    countPlay(song: Listening['song']) {
      measure()
      if (song.youtube_id !== songId) return report({ month, song, heardMs: 0, playCount: 1 })
      playedSong = song
      playCount += 1
      reportHeard()
    },
    reportHeard,
    close: scope.dispose,
  }
}
