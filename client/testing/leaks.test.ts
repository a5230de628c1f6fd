import { expect, it } from 'vitest'
import { createCleanupScope } from '../primitives/scope.ts'
import { findLeaks } from './leaks.ts'

const eventTarget = new EventTarget()
const doNothing = () => {}

it('leak tracker: if everything is released, nothing is found', async () => {
  const abortController = new AbortController()
  const foundLeaks = await findLeaks(async () => {
    const scope = createCleanupScope()
    scope.listen(eventTarget, 'a', doNothing)
    scope.timeout(doNothing, 1000)
    scope.interval(doNothing, 1000)
    scope.createObjectUrl(new Blob(['text']))
    const broadcastChannel = new BroadcastChannel('leaks')
    scope.add(() => broadcastChannel.close())
    eventTarget.addEventListener('b', doNothing, { signal: abortController.signal })
    eventTarget.addEventListener('c', doNothing, { once: true })
    await new Promise<void>((resolve) => setTimeout(resolve, 1))
    eventTarget.dispatchEvent(new Event('c'))
    abortController.abort()
    scope.dispose()
  })
  expect(foundLeaks).toEqual([])
})

const leakCases: [string, () => () => void, RegExp][] = [
  [
    'a listener',
    () => {
      eventTarget.addEventListener('left', doNothing)
      return () => eventTarget.removeEventListener('left', doNothing)
    },
    /^listener 'left' on EventTarget acquired at \/client\/testing\/leaks\.test\.ts/,
  ],
  [
    'a capturing listener that was removed as a bubbling one',
    () => {
      eventTarget.addEventListener('left', doNothing, true)
      eventTarget.removeEventListener('left', doNothing)
      return () => eventTarget.removeEventListener('left', doNothing, true)
    },
    /^listener 'left'/,
  ],
  [
    'a timeout',
    () => {
      const timer = setTimeout(doNothing, 5000)
      return () => clearTimeout(timer)
    },
    /^timeout of 5000 ms/,
  ],
  [
    'an interval, even after its first call',
    () => {
      const timer = setInterval(doNothing, 1)
      return () => clearInterval(timer)
    },
    /^interval of 1 ms/,
  ],
  [
    'an object URL',
    () => {
      const url = URL.createObjectURL(new Blob(['text']))
      return () => URL.revokeObjectURL(url)
    },
    /^object URL blob:/,
  ],
  [
    'a broadcast channel',
    () => {
      const channel = new BroadcastChannel('leaks')
      return () => channel.close()
    },
    /^broadcast channel leaks/,
  ],
]

it.each(leakCases)('leak tracker: %s that is not released is found', async (_what, causeLeak, description) => {
  let releaseLeak = doNothing
  const foundLeaks = await findLeaks(async () => {
    releaseLeak = causeLeak()
    await new Promise((resolve) => setTimeout(resolve, 5))
  })
  releaseLeak()
  expect(foundLeaks).toHaveLength(1)
  expect(foundLeaks[0]).toMatch(description)
})
