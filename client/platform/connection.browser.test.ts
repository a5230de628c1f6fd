import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Connection, createConnection } from './connection.ts'
import { createAppInstaller } from './install.ts'

let connection: Connection
let isReachable = false
const probeServer = vi.fn(() => (isReachable ? Promise.resolve() : Promise.reject(new TypeError('Failed to fetch'))))
beforeEach(() => {
  vi.useFakeTimers()
  isReachable = false
  probeServer.mockClear()
  connection = createConnection(probeServer)
})
afterEach(() => {
  connection.close()
  vi.useRealTimers()
})

it('connection: while the site does not answer, the state is offline and the site is probed with growing delays; its first answer notifies subscribers', async () => {
  const notifiedStates: boolean[] = []
  connection.subscribe(() => notifiedStates.push(connection.offline))
  expect(connection.offline).toBe(false)
  connection.reportUnreachable()
  connection.reportUnreachable()
  expect(notifiedStates).toEqual([true])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(probeServer.mock.calls.length).toBeGreaterThan(1)
  expect(connection.offline).toBe(true)
  isReachable = true
  await vi.advanceTimersByTimeAsync(30_000)
  expect(notifiedStates).toEqual([true, false])
  const probeCount = probeServer.mock.calls.length
  await vi.advanceTimersByTimeAsync(120_000)
  expect(probeServer).toHaveBeenCalledTimes(probeCount)
})

it('connection: the response to a call that was made before the network was lost is ignored', () => {
  const startMs = performance.now()
  vi.advanceTimersByTime(100)
  dispatchEvent(new Event('offline'))
  connection.reportResponse(startMs)
  expect(connection.offline).toBe(true)
  vi.advanceTimersByTime(100)
  // A site on the same machine can respond even though the device has no network.
  connection.reportResponse(performance.now())
  expect(connection.offline).toBe(false)
})

it("connection: the browser's event sets the state to offline; only a successful probe sets it to online", async () => {
  dispatchEvent(new Event('offline'))
  expect(connection.offline).toBe(true)
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.offline).toBe(true)
  isReachable = true
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.offline).toBe(false)
})

it('connection: an unreachable server is distinguished from a device without a network', async () => {
  const notifiedStates: string[] = []
  const describeConnection = () => (connection.serverUnreachable ? 'server unreachable' : connection.offline ? 'offline' : 'online')
  connection.subscribe(() => notifiedStates.push(describeConnection()))
  connection.reportUnreachable()
  dispatchEvent(new Event('offline'))
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  isReachable = true
  await vi.advanceTimersByTimeAsync(30_000)
  expect(notifiedStates).toEqual(['server unreachable', 'offline', 'server unreachable', 'online'])
})

it('connection: if a response arrived after the network was lost, navigator.onLine is read again at the next call without a response', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
  connection.reportResponse(performance.now())
  connection.reportUnreachable()
  expect([connection.offline, connection.serverUnreachable]).toEqual([true, false])
  onLine.mockRestore()
})

it('installation is offered after beforeinstallprompt, and no longer once the app is installed', async () => {
  const appInstaller = createAppInstaller()
  expect(appInstaller.method).toBe('none')
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: async () => ({ outcome: 'accepted' }) })
  dispatchEvent(event)
  expect(event.defaultPrevented).toBe(true)
  expect(appInstaller.method).toBe('press')
  expect(await appInstaller.install()).toBe(true)
  expect(appInstaller.method).toBe('none')
  dispatchEvent(new Event('appinstalled'))
  expect(appInstaller.method).toBe('installed')
})
