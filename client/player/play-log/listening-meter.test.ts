import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTestSong } from '../../data/testing/rows.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { idleState } from '../idle-player.ts'
import type { PlaybackPosition, PlayerState } from '../player-interface.ts'
import { createListeningMeter, type ListeningReport, REPORT_EVERY_MS } from './listening-meter.ts'

const POLL_INTERVAL_MS = 250

/** A simulated player with two clocks, a monotonic one and one that can be set, and the time for which songs have really played. */
function createMeterWorld() {
  const changeEmitter = createEmitter()
  const positionEmitter = createEmitter<PlaybackPosition>()
  const listeningReports: ListeningReport[] = []
  let playerState: PlayerState = { ...idleState, status: 'paused', current: createTestSong(1) }
  let positionSeconds = 0
  let elapsedMs = 0
  let dateMs = new Date(2026, 10, 26, 18).getTime()
  let playbackRate = 1
  let isPlaybackStalled = false
  let playingMs = 0
  let heardMs = 0

  const readPosition = () => ({ positionSeconds, durationSeconds: 0 })
  const emitPosition = () => positionEmitter.emit(readPosition())
  const openMeter = () =>
    createListeningMeter({
      player: {
        getSnapshot: () => playerState,
        subscribe: changeEmitter.subscribe,
        position: readPosition,
        onPosition: positionEmitter.subscribe,
      },
      report: (listening) => listeningReports.push(listening),
      elapsedMs: () => elapsedMs,
      today: () => new Date(dateMs),
    })
  let listeningMeter = openMeter()

  function setState(stateChange: Partial<PlayerState>) {
    playerState = { ...playerState, ...stateChange }
    changeEmitter.emit()
  }
  function passTime(durationMs: number) {
    elapsedMs += durationMs
    dateMs += durationMs
    if (playerState.status !== 'playing') return
    playingMs += durationMs
    if (isPlaybackStalled) return
    heardMs += durationMs
    positionSeconds += (durationMs * playbackRate) / 1000
  }

  return {
    reports: listeningReports,
    get playingMs() {
      return playingMs
    },
    get heardMs() {
      return heardMs
    },
    /** Advances the time. The player reports the position regularly, or only at the end, as in a tab with throttled timers. */
    wait(elapsedMs: number, isThrottled = false) {
      for (let leftMs = elapsedMs; leftMs > 0; leftMs -= POLL_INTERVAL_MS) {
        passTime(Math.min(leftMs, POLL_INTERVAL_MS))
        if (playerState.status === 'playing' && !isThrottled) emitPosition()
      }
      if (playerState.status === 'playing') emitPosition()
    },
    /** Advances the time without playback, as when a device sleeps. */
    sleep(durationMs: number) {
      elapsedMs += durationMs
      dateMs += durationMs
      if (playerState.status === 'playing') playingMs += durationMs
    },
    play: () => setState({ status: 'playing' }),
    pause: () => setState({ status: 'paused' }),
    seek(targetSeconds: number) {
      positionSeconds = targetSeconds
      emitPosition()
    },
    setRate(next: number) {
      playbackRate = next
    },
    setStalled(next: boolean) {
      isPlaybackStalled = next
    },
    open(songIndex: number) {
      setState({ status: 'loading', current: createTestSong(songIndex) })
      positionSeconds = 0
      emitPosition()
      setState({ status: 'playing' })
    },
    count: (plays: 0 | 1 = 1) => playerState.current && listeningMeter.countPlay(playerState.current, plays),
    setDate(ms: number) {
      dateMs = ms
    },
    killTab() {
      listeningMeter.close()
      listeningMeter = openMeter()
    },
  }
}

const sumHeardMs = (reports: readonly ListeningReport[]) => reports.reduce((sum, { heardMs }) => sum + heardMs, 0)

it('listening meter: wall-clock time is counted, at every playback rate, without pauses, seeks, stalls and sleep of the device', () => {
  const world = createMeterWorld()
  world.play()
  world.wait(10_000)
  world.count()
  world.setRate(2)
  world.wait(10_000)
  world.setRate(0.25)
  world.wait(10_000)
  world.wait(60_000, true)
  world.pause()
  expect(sumHeardMs(world.reports)).toBe(90_000)
  world.wait(40_000)
  world.seek(500)
  world.play()
  world.seek(900)
  world.seek(3)
  world.setStalled(true)
  world.wait(5_000)
  world.sleep(3_600_000)
  world.wait(1_000)
  world.pause()
  expect(sumHeardMs(world.reports)).toBe(90_000)
  expect(world.reports.reduce((sum, { playCount }) => sum + playCount, 0)).toBe(1)
})

it('listening meter: a song that does not count as played is not reported; a song that does is reported from its first second on', () => {
  const world = createMeterWorld()
  world.play()
  world.wait(4_000)
  world.open(2)
  world.wait(6_000)
  world.count()
  world.wait(4_000)
  world.open(3)
  world.wait(4_000)
  world.pause()
  expect(new Set(world.reports.map(({ song }) => song.youtube_id))).toEqual(new Set([createTestSong(2).youtube_id]))
  expect(sumHeardMs(world.reports)).toBe(10_000)
})

it('listening meter: a repetition is a further play; a song that is resumed adds its time to the play that was counted', () => {
  const world = createMeterWorld()
  const readTotals = () => [world.reports.reduce((sum, { playCount }) => sum + playCount, 0), sumHeardMs(world.reports)]
  world.play()
  world.wait(10_000)
  world.count()
  world.seek(0)
  world.wait(5_000)
  world.count()
  world.pause()
  expect(readTotals()).toEqual([2, 15_000])
  world.killTab()
  world.play()
  world.wait(5_000)
  world.count(0)
  world.wait(5_000)
  world.pause()
  expect(readTotals()).toEqual([2, 25_000])
})

it('listening meter: a play at the turn of the year counts in both months, by the time of the device', () => {
  const world = createMeterWorld()
  world.setDate(new Date(2026, 11, 31, 23, 59, 50).getTime())
  world.play()
  world.wait(6_000)
  world.count()
  world.wait(14_000)
  world.pause()
  const sumHeardMsIn = (month: string) => sumHeardMs(world.reports.filter((report) => report.month === month))
  expect(sumHeardMsIn('2026-12') + sumHeardMsIn('2027-01')).toBe(20_000)
  expect(Math.abs(sumHeardMsIn('2027-01') - 10_000)).toBeLessThanOrEqual(POLL_INTERVAL_MS)
})

type MeterFixture = ReturnType<typeof createMeterWorld>
const commandByName: Record<string, (world: MeterFixture, value: number) => void> = {
  wait: (world, value) => world.wait(1 + value * 20_000),
  waitThrottled: (world, value) => world.wait(1 + value * 60_000, true),
  play: (world) => world.play(),
  pause: (world) => world.pause(),
  seek: (world, value) => world.seek(value * 300),
  rate: (world, value) => world.setRate(0.25 + value * 1.75),
  stall: (world, value) => world.setStalled(value > 0.5),
  sleep: (world, value) => world.sleep(value * 3_600_000),
  open: (world, value) => world.open(Math.ceil(value * 4)),
  count: (world) => world.count(),
  setDate: (world, value) => world.setDate(value * Date.UTC(2099, 11, 31)),
  killTab: (world) => world.killTab(),
}
const commandNames = Object.keys(commandByName)
const anySteps = fc.array(fc.tuple(fc.constantFrom(...commandNames), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 60 })

it('listening meter: after any sequence of play, pause, seek, rate, stall, sleep, set clock and killed tab, the reported time is never longer than the time that passed while songs played', () => {
  fc.assert(
    fc.property(anySteps, (stepSequence) => {
      const world = createMeterWorld()
      for (const [name, value] of stepSequence) commandByName[name]?.(world, value)
      world.pause()
      expect(sumHeardMs(world.reports)).toBeLessThanOrEqual(world.playingMs)
      for (const { heardMs } of world.reports) expect(Number.isInteger(heardMs) && heardMs >= 0).toBe(true)
    }),
    { numRuns: 300 },
  )
})

it('listening meter: if the tab is killed, at most half a minute is not reported', () => {
  fc.assert(
    fc.property(fc.integer({ min: 6_000, max: 600_000 }), (playedMs) => {
      const world = createMeterWorld()
      world.play()
      world.wait(5_500)
      world.count()
      world.wait(playedMs - 5_500)
      world.killTab()
      expect(sumHeardMs(world.reports)).toBeLessThanOrEqual(playedMs)
      expect(sumHeardMs(world.reports)).toBeGreaterThan(playedMs - REPORT_EVERY_MS - POLL_INTERVAL_MS)
    }),
    { numRuns: 50 },
  )
})
