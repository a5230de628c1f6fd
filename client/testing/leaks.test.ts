import { expect, it } from 'vitest'
import { createScope } from '../primitives/scope.ts'
import { findLeaks } from './leaks.ts'

const target = new EventTarget()
const doNothing = () => {}

it('leak tracker: if everything is released, nothing is found', async () => {
  const abortController = new AbortController()
  const leaks = await findLeaks(async () => {
    const scope = createScope()
    scope.listen(target, 'a', doNothing)
    scope.timeout(doNothing, 1000)
    scope.interval(doNothing, 1000)
    scope.objectUrl(new Blob(['text']))
    const broadcastChannel = new BroadcastChannel('leaks')
    scope.add(() => broadcastChannel.close())
    target.addEventListener('b', doNothing, { signal: abortController.signal })
    target.addEventListener('c', doNothing, { once: true })
    await new Promise<void>((resolve) => setTimeout(resolve, 1))
    target.dispatchEvent(new Event('c'))
    abortController.abort()
    scope.dispose()
  })
  expect(leaks).toEqual([])
})

const leakCases: [string, () => () => void, RegExp][] = [
  [
    'a listener',
    () => {
      target.addEventListener('left', doNothing)
      return () => target.removeEventListener('left', doNothing)
    },
    /^listener 'left' on EventTarget acquired at \/client\/testing\/leaks\.test\.ts/,
  ],
  [
    'a capturing listener that was removed as a bubbling one',
    () => {
      target.addEventListener('left', doNothing, true)
      target.removeEventListener('left', doNothing)
      return () => target.removeEventListener('left', doNothing, true)
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

it.each(leakCases)('leak tracker: %s that is not released is found', async (_what, leak, description) => {
  let release = doNothing
  const leaks = await findLeaks(async () => {
    release = leak()
    await new Promise((resolve) => setTimeout(resolve, 5))
  })
  release()
  expect(leaks).toHaveLength(1)
  expect(leaks[0]).toMatch(description)
})
