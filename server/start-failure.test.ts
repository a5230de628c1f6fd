import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from './log.ts'
import { createMetrics } from './metrics/metrics.ts'
import { startMetricsServer } from './metrics/metrics-server.ts'
import { describeStartFailure } from './start-failure.ts'

const takingServer: Server = createServer()
let takenPort = 0
beforeAll(async () => {
  await once(takingServer.listen(0, '127.0.0.1'), 'listening')
  takenPort = (takingServer.address() as AddressInfo).port
})
afterAll(() => void takingServer.close())

/** Returns the message of a server with PORT 8080 that cannot start, because it cannot serve its metrics at this address. */
async function describeMetricsFailure(host: string, port: number): Promise<string> {
  const log = createLog('silent')
  const failure = await startMetricsServer(createMetrics({ build: 'a-build', log }), { host, port }, log).catch((error: unknown) => error)
  return describeStartFailure(failure, { PORT: '8080', METRICS: `${host}:${port}` })
}

test('if the port of METRICS is taken, the message names METRICS and not PORT', async () => {
  expect(await describeMetricsFailure('127.0.0.1', takenPort)).toBe(
    `Varispeed cannot start: METRICS 127.0.0.1:${takenPort} is in use by another program`,
  )
})

test('if METRICS names another machine or an unknown one, the message names METRICS and not HOST', async () => {
  for (const host of ['203.0.113.9', 'unknown.invalid'])
    expect(await describeMetricsFailure(host, 9464)).toBe(`Varispeed cannot start: METRICS ${host}:9464 is no address of this machine`)
})

test('if the port of the site is taken, the message names PORT', async () => {
  const [failure] = await once(createServer().listen(takenPort, '127.0.0.1'), 'error')
  expect(describeStartFailure(failure, { PORT: String(takenPort), METRICS: '127.0.0.1:9464' })).toBe(
    `Varispeed cannot start: PORT ${takenPort} on 127.0.0.1 is in use by another program`,
  )
})
