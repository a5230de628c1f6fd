import { afterEach, expect, test } from 'vitest'
import { createWorkerClient, type WorkerClient } from './worker-client.ts'
import type { EchoCalls } from './workers/testing/echo-calls.ts'

let client: WorkerClient<EchoCalls> | undefined
afterEach(() => client?.terminate())

function openEchoWorker(signal?: AbortSignal): WorkerClient<EchoCalls> {
  const worker = new Worker(new URL('./workers/testing/echo-worker.ts', import.meta.url), { type: 'module' })
  client = createWorkerClient<EchoCalls>(worker, signal)
  return client
}

test('worker protocol: each response resolves its own call, and buffers are transferred in both directions', async () => {
  const echoWorker = openEchoWorker()
  const requestBytes = [1, 2, 3].map((value) => Uint8Array.of(value, value))
  const echoCalls = requestBytes.map((bytes) => echoWorker.call('echo', { bytes }, { transfer: [bytes.buffer] }))
  expect(requestBytes.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0])
  expect((await Promise.all(echoCalls)).map(({ bytes }) => [...bytes])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ])
})

test('worker protocol: a thrown error keeps its name, and later calls still work', async () => {
  const echoWorker = openEchoWorker()
  await expect(echoWorker.call('fail', { name: 'QuotaExceededError' })).rejects.toMatchObject({
    name: 'QuotaExceededError',
    message: 'failed on request',
  })
  expect(await echoWorker.call('countCancelled', undefined)).toBe(0)
})

test('worker protocol: an abort cancels a running or waiting call, in the worker too', async () => {
  const echoWorker = openEchoWorker()
  const controller = new AbortController()
  const reportedSteps: number[] = []
  const runningCall = echoWorker.call('run', undefined, {
    signal: controller.signal,
    onProgress: (step) => reportedSteps.push(step),
  })
  const waitingCall = echoWorker.call('echo', { bytes: new Uint8Array(1) }, { signal: controller.signal })
  await expect.poll(() => reportedSteps.length).toBeGreaterThanOrEqual(3)
  controller.abort(new Error('enough'))
  await expect(runningCall).rejects.toThrow('enough')
  await expect(waitingCall).rejects.toThrow('enough')
  expect(reportedSteps.slice(0, 3)).toEqual([1, 2, 3])
  const { length } = reportedSteps
  expect(await echoWorker.call('countCancelled', undefined)).toBe(1)
  expect(reportedSteps).toHaveLength(length)
  await expect(echoWorker.call('countCancelled', undefined, { signal: controller.signal })).rejects.toThrow('enough')
})

test('worker protocol: termination rejects pending and later calls', async () => {
  const echoWorker = openEchoWorker()
  const pendingCall = echoWorker.call('run', undefined)
  echoWorker.terminate()
  await expect(pendingCall).rejects.toMatchObject({ name: 'AbortError' })
  await expect(echoWorker.call('countCancelled', undefined)).rejects.toMatchObject({ name: 'AbortError' })
})

test("worker protocol: the client's signal terminates the worker", async () => {
  const controller = new AbortController()
  const echoWorker = openEchoWorker(controller.signal)
  const pendingCall = echoWorker.call('run', undefined)
  controller.abort(new Error('enough'))
  await expect(pendingCall).rejects.toThrow('enough')
  await expect(echoWorker.call('countCancelled', undefined)).rejects.toThrow('enough')
})

test('worker protocol: an error outside of a call rejects all calls, and so does a script that cannot be loaded', async () => {
  await expect(openEchoWorker().call('crash', undefined)).rejects.toThrow('crashed')
  const missingWorker = createWorkerClient<EchoCalls>(new Worker('/no-such-worker.js', { type: 'module' }))
  await expect(missingWorker.call('countCancelled', undefined)).rejects.toThrow()
})
