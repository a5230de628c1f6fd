import { afterEach, expect, it, vi } from 'vitest'
import { createTabSync, openTabChannel, type TabChannel } from './tab-sync.ts'

/** Two tabs whose messages are delivered by `deliver`, at times of a clock that the test sets. */
function openTabs() {
  const clock = { ms: 1000 }
  const pending: (() => void)[] = []
  const channels = [0, 1].map(
    (index): TabChannel => ({
      onmessage: null,
      postMessage: (data) => void pending.push(() => channels[1 - index]?.onmessage?.(new MessageEvent('message', { data }))),
      close() {},
    }),
  )
  const pausedTabs: number[] = []
  const [firstTab, secondTab] = channels.map((channel, index) =>
    createTabSync(
      channel,
      () => pausedTabs.push(index),
      () => clock.ms,
    ),
  )
  if (firstTab === undefined || secondTab === undefined) throw new Error('two tabs were opened')
  const deliver = () => {
    for (const deliverMessage of pending.splice(0)) deliverMessage()
  }
  return { clock, firstTab, secondTab, pausedTabs, deliver }
}

it('a tab that starts pauses the other one', () => {
  const { clock, firstTab, secondTab, pausedTabs, deliver } = openTabs()
  firstTab.announceStart()
  deliver()
  clock.ms += 5000
  secondTab.noteRequest()
  secondTab.announceStart()
  deliver()
  expect(pausedTabs).toEqual([1, 0])
})

it.each([0, 300])('a message that arrives after the tab was started itself does not pause it, %i ms later', (requestDelayMs) => {
  const { clock, firstTab, secondTab, pausedTabs, deliver } = openTabs()
  firstTab.announceStart()
  clock.ms += requestDelayMs
  secondTab.noteRequest()
  deliver()
  expect(pausedTabs).toEqual([])
  clock.ms += 1
  secondTab.announceStart()
  deliver()
  expect(pausedTabs).toEqual([0])
})

it('of two tabs that start at almost the same time, one plays', () => {
  const { clock, firstTab, secondTab, pausedTabs, deliver } = openTabs()
  firstTab.noteRequest()
  secondTab.noteRequest()
  clock.ms += 500
  firstTab.announceStart()
  clock.ms += 1
  secondTab.announceStart()
  deliver()
  expect(pausedTabs).toEqual([0])
})

it('a clock that is set back does not let two tabs play', () => {
  const { clock, firstTab, secondTab, pausedTabs, deliver } = openTabs()
  firstTab.announceStart()
  deliver()
  clock.ms -= 3_600_000
  secondTab.announceStart()
  deliver()
  expect(pausedTabs).toEqual([1, 0])
})

it('other messages of the channel are ignored', () => {
  const channel: TabChannel = { onmessage: null, postMessage() {}, close() {} }
  let pauses = 0
  createTabSync(channel, () => pauses++)
  for (const data of [undefined, null, 0, 'started', {}, [], { startedAtMs: {} }, { startedAtMs: 'now' }, { startedAtMs: Number.NaN }])
    channel.onmessage?.(new MessageEvent('message', { data }))
  expect(pauses).toBe(0)
})

afterEach(() => vi.unstubAllGlobals())

it('openTabChannel returns undefined in a browser without channels, or one that refuses them', () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  expect(openTabChannel()).toBeUndefined()
  // Firefox throws this error if it refuses cookies.
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      }
    },
  )
  expect(openTabChannel()).toBeUndefined()
})
