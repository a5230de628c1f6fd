import { expect, it } from 'vitest'
import { findLeaks } from './leaks.ts'

it('leak tracker: a running worker, a pending animation frame and a listener on the window are found', async () => {
  const url = URL.createObjectURL(new Blob([''], { type: 'text/javascript' }))
  const noopListener = () => {}
  let leakedWorker: Worker | undefined
  let animationFrameId = 0
  const foundLeaks = await findLeaks(() => {
    new Worker(url).terminate()
    leakedWorker = new Worker(url)
    cancelAnimationFrame(requestAnimationFrame(noopListener))
    animationFrameId = requestAnimationFrame(noopListener)
    addEventListener('leaks', noopListener)
    window.addEventListener('resize', noopListener)
    removeEventListener('resize', noopListener)
  })
  leakedWorker?.terminate()
  cancelAnimationFrame(animationFrameId)
  removeEventListener('leaks', noopListener)
  URL.revokeObjectURL(url)
  expect(foundLeaks.map((leak) => leak.split(' acquired')[0])).toEqual([`worker ${url}`, 'animation frame ', "listener 'leaks' on Window"])
})
