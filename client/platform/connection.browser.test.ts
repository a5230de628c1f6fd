import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Connection, createConnection } from './connection.ts'
import { createInstall } from './install.ts'

let connection: Connection
let reachable = false
const probe = vi.fn(() => (reachable ? Promise.resolve() : Promise.reject(new TypeError('Failed to fetch'))))
beforeEach(() => {
  vi.useFakeTimers()
  reachable = false
  probe.mockClear()
  connection = createConnection(probe)
})
afterEach(() => {
  connection.close()
  vi.useRealTimers()
})

it('counts a site that is down as offline, asks it now and then, and tells when it is back', async () => {
  const told: boolean[] = []
  connection.subscribe(() => told.push(connection.offline))
  expect(connection.offline).toBe(false)
  connection.unreachable()
  connection.unreachable()
  expect(told).toEqual([true])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(probe.mock.calls.length).toBeGreaterThan(1)
  expect(connection.offline).toBe(true)
  reachable = true
  await vi.advanceTimersByTimeAsync(30_000)
  expect(told).toEqual([true, false])
  const asked = probe.mock.calls.length
  await vi.advanceTimersByTimeAsync(120_000)
  expect(probe).toHaveBeenCalledTimes(asked)
})

it('does not take an answer to what was asked before the cable was out for a sign that it is in', () => {
  const before = performance.now()
  vi.advanceTimersByTime(100)
  dispatchEvent(new Event('offline'))
  connection.answered(before)
  expect(connection.offline).toBe(true)
  vi.advanceTimersByTime(100)
  // A site on the same machine answers without any cable.
  connection.answered(performance.now())
  expect(connection.offline).toBe(false)
})

it('believes the browser that it is offline, and asks the site before it believes that it is online', async () => {
  dispatchEvent(new Event('offline'))
  expect(connection.offline).toBe(true)
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.offline).toBe(true)
  reachable = true
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.offline).toBe(false)
})

it('tells a site that does not answer from a device without a network', async () => {
  const told: string[] = []
  const words = () => (connection.silent ? 'silent' : connection.offline ? 'offline' : 'online')
  connection.subscribe(() => told.push(words()))
  connection.unreachable()
  dispatchEvent(new Event('offline'))
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  reachable = true
  await vi.advanceTimersByTimeAsync(30_000)
  expect(told).toEqual(['silent', 'offline', 'silent', 'online'])
})

it('asks the browser again where an answer that was still under way came after the cable was out', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
  connection.answered(performance.now())
  connection.unreachable()
  expect([connection.offline, connection.silent]).toEqual([true, false])
  onLine.mockRestore()
})

it('offers to install once the browser would, by its own button only, and no more when it is done', async () => {
  const install = createInstall()
  expect(install.way).toBe('none')
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: async () => ({ outcome: 'accepted' }) })
  dispatchEvent(event)
  expect(event.defaultPrevented).toBe(true)
  expect(install.way).toBe('press')
  expect(await install.install()).toBe(true)
  expect(install.way).toBe('none')
  dispatchEvent(new Event('appinstalled'))
  expect(install.way).toBe('installed')
})
