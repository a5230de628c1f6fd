import { afterEach, expect, it, vi } from 'vitest'
import { createTabSync, openTabChannel, type TabChannel } from './tab-sync.ts'

/** Creates two tabs. Their messages are delivered when the test calls `deliverMessages`, and the test sets their clock. */
function openTabs() {
  const clock = { ms: 1000 }
  const pendingDeliveries: (() => void)[] = []
  const messageChannels = [0, 1].map(
    (index): TabChannel => ({
      onmessage: null,
      postMessage: (data) =>
        void pendingDeliveries.push(() => messageChannels[1 - index]?.onmessage?.(new MessageEvent('message', { data }))),
      close() {},
    }),
  )
  const pausedTabNumbers: number[] = []
  const [firstTab, secondTab] = messageChannels.map((tabChannel, index) =>
    createTabSync(
      tabChannel,
      () => pausedTabNumbers.push(index),
      () => clock.ms,
    ),
  )
  if (firstTab === undefined || secondTab === undefined) throw new Error('two tabs were opened')
  const deliverMessages = () => {
    for (const deliverMessage of pendingDeliveries.splice(0)) deliverMessage()
  }
  return { clock, firstTab, secondTab, pausedTabs: pausedTabNumbers, deliver: deliverMessages }
}

it('starting playback in one tab pauses the other tab', () => {
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

it('if two tabs start at almost the same time, only one of them plays', () => {
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

it('setting the clock back does not let two tabs play at the same time', () => {
  const { clock, firstTab, secondTab, pausedTabs, deliver } = openTabs()
  firstTab.announceStart()
  deliver()
  clock.ms -= 3_600_000
  secondTab.announceStart()
  deliver()
  expect(pausedTabs).toEqual([1, 0])
})

it('other messages on the channel are ignored', () => {
  const tabChannel: TabChannel = { onmessage: null, postMessage() {}, close() {} }
  let pauseCount = 0
  createTabSync(tabChannel, () => pauseCount++)
  for (const data of [undefined, null, 0, 'started', {}, [], { startedAtMs: {} }, { startedAtMs: 'now' }, { startedAtMs: Number.NaN }])
    tabChannel.onmessage?.(new MessageEvent('message', { data }))
  expect(pauseCount).toBe(0)
})

afterEach(() => vi.unstubAllGlobals())

it('openTabChannel returns undefined in a browser that lacks or refuses broadcast channels', () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  expect(openTabChannel()).toBeUndefined()
  // Firefox throws this error if it blocks cookies.
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
