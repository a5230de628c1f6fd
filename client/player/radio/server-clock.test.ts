import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createServerClock } from './server-clock.ts'

const SERVER_START_MS = Date.parse('2026-03-01T12:00:00Z')
/** The device's monotonic clock at the start. It is independent of the wall clock. */
const DEVICE_START_MS = 4_321.5

/**
 * Simulates requests to a server whose clock runs `1 + driftRate` times as fast as the device's. Times are those of the device, in
 * milliseconds.
 */
function createExchange(driftRate: number) {
  let deviceClockMs = DEVICE_START_MS
  const clock = createServerClock(() => deviceClockMs)
  const computeServerMsAt = (atMs: number) => SERVER_START_MS + (atMs - DEVICE_START_MS) * (1 + driftRate)
  return {
    clock,
    errorMs: () => Math.abs((clock.nowMs() ?? 0) - computeServerMsAt(deviceClockMs)),
    wait(ms: number) {
      deviceClockMs += ms
    },
    exchange(requestDelayMs: number, responseDelayMs: number) {
      const sentMs = deviceClockMs
      deviceClockMs += requestDelayMs
      const serverMs = Math.floor(computeServerMsAt(deviceClockMs))
      deviceClockMs += responseDelayMs
      clock.addSample({ sentMs, receivedMs: deviceClockMs, serverMs })
    },
  }
}

const anyLatencyMs = fc.double({ min: 0, max: 12_000, noNaN: true })
const anyExchanges = fc.array(
  fc.record({ waitMs: fc.double({ min: 0, max: 600_000, noNaN: true }), thereMs: anyLatencyMs, backMs: anyLatencyMs }),
  {
    minLength: 1,
    maxLength: 30,
  },
)

test('the estimate is wrong by at most half of the shortest round trip plus the drift since then, whatever the latencies', () => {
  fc.assert(
    fc.property(anyExchanges, fc.double({ min: -0.0005, max: 0.0005, noNaN: true }), (exchangeList, driftRate) => {
      const deviceExchange = createExchange(driftRate)
      let maxErrorMs = Number.POSITIVE_INFINITY
      for (const { waitMs, thereMs, backMs } of exchangeList) {
        deviceExchange.wait(waitMs)
        deviceExchange.exchange(thereMs, backMs)
        const elapsedMs = waitMs + thereMs + backMs
        maxErrorMs = Math.min(maxErrorMs + 0.0005 * elapsedMs, (thereMs + backMs + 1) / 2 + 0.0005 * (thereMs + backMs))
        // At times of this size, floating-point numbers have a resolution of a quarter of a microsecond.
        expect(deviceExchange.errorMs()).toBeLessThanOrEqual(maxErrorMs + 0.01)
        expect(deviceExchange.errorMs()).toBeLessThanOrEqual(deviceExchange.clock.errorMs() + 0.01)
      }
    }),
  )
})

test('the delays of requests and those of responses each limit the estimate', () => {
  const deviceExchange = createExchange(0)
  deviceExchange.exchange(300, 2)
  deviceExchange.exchange(2, 300)
  expect(deviceExchange.errorMs()).toBeLessThan(3)
})

test('a single delayed response does not change the estimate', () => {
  const deviceExchange = createExchange(0)
  deviceExchange.exchange(10, 10)
  deviceExchange.exchange(9_000, 10)
  expect(deviceExchange.errorMs()).toBeLessThanOrEqual(11)
})

test('the estimate is reset after the device slept and its monotonic clock was stopped', () => {
  let deviceClockMs = 0
  const clock = createServerClock(() => deviceClockMs)
  expect([clock.nowMs(), clock.errorMs()]).toEqual([undefined, Number.POSITIVE_INFINITY])
  clock.addSample({ sentMs: 0, receivedMs: 20, serverMs: 10_000 })
  deviceClockMs = 1_000
  clock.addSample({ sentMs: 1_000, receivedMs: 1_020, serverMs: 3_600_000 })
  deviceClockMs = 1_020
  expect(Math.abs((clock.nowMs() ?? 0) - 3_600_010)).toBeLessThanOrEqual(11)
})
