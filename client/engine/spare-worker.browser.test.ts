import { expect, it } from 'vitest'
import { createSpareWorker } from './spare-worker.ts'

const startedWorkers: Worker[] = []

function startWorker(programUrl: string): Worker {
  const url = URL.createObjectURL(new Blob([programUrl], { type: 'text/javascript' }))
  const worker = new Worker(url)
  startedWorkers.push(worker)
  return worker
}

it('the spare worker is started once and returned by take() once; the next take() returns a new worker', () => {
  startedWorkers.length = 0
  const spareWorker = createSpareWorker(() => startWorker(''))
  spareWorker.prepare()
  spareWorker.prepare()
  expect(startedWorkers).toHaveLength(1)
  const takenWorkers = [spareWorker.take(), spareWorker.take()]
  expect(takenWorkers).toEqual(startedWorkers)
  expect(startedWorkers).toHaveLength(2)
  for (const worker of takenWorkers) worker.terminate()
})

it('take() never returns a spare worker that could not be loaded', async () => {
  startedWorkers.length = 0
  const spareWorker = createSpareWorker(() => startWorker('throw new Error("not loaded")'))
  spareWorker.prepare()
  const [failedWorker] = startedWorkers
  await new Promise((resolve) => failedWorker?.addEventListener('error', resolve))
  const worker = spareWorker.take()
  expect(worker).not.toBe(failedWorker)
  worker.terminate()
})
