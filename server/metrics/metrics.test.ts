import { request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FileStoreError } from '../files/file-store.ts'
import { createLog } from '../log.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { createMetrics } from './metrics.ts'
import { METRICS_PATH, startMetricsServer } from './metrics-server.ts'

let site: TestApp
let isDatabaseBroken = false
/** If defined, the database answers when this promise resolves. */
let databaseAnswer: Promise<void> | undefined
beforeAll(async () => {
  site = await createTestApp(
    { METRICS: '127.0.0.1:9464', LOG_LEVEL: 'warn' },
    {
      wrapStorage: (storage) => ({
        ...storage,
        mails: { ...storage.mails, countWaiting: () => databaseAnswer?.then(() => 0) ?? storage.mails.countWaiting() },
        checkHealth: () => databaseAnswer ?? (isDatabaseBroken ? Promise.reject(new Error('gone')) : storage.checkHealth()),
      }),
    },
  )
})
afterAll(() => site.close())

/** Returns the value of the series whose line starts with `seriesName`; undefined if there is none. */
async function readValue(seriesName: string): Promise<number | undefined> {
  const line = (await site.metrics?.read())?.split('\n').find((each) => each.startsWith(`${seriesName} `))
  return line === undefined ? undefined : Number(line.slice(seriesName.length + 1))
}

/** Returns the names and labels of all series. */
const listSeries = async () =>
  ((await site.metrics?.read()) ?? '').split('\n').flatMap((line) => (line.startsWith('varispeed_') ? [line.split(' ')[0]] : []))

const readRequestCount = (route: string, status = '2xx') =>
  readValue(`varispeed_http_request_duration_seconds_count{route="${route}",method="GET",status="${status}"}`)

test('requests are counted by route, including those that are answered from the cache', async () => {
  for (let count = 0; count < 3; count++) await site.app.inject('/api/song/get?s=AAAAAAAAAA1')
  await site.app.inject('/api/song/get?s=nothing')
  await site.app.inject({ url: '/playlists', headers: { accept: 'text/html' } })
  expect(await readRequestCount('/api/song/get')).toBe(3)
  expect(await readRequestCount('/api/song/get', '4xx')).toBe(1)
  expect(await readRequestCount('page')).toBe(1)
  expect(await readValue('varispeed_response_cache_lookups_total{outcome="hit"}')).toBe(2)
  expect(await readValue('varispeed_build_info{build="a-build"}')).toBe(1)
})

test('values that visitors send create no additional series', async () => {
  const sendText = async (metricsText: string) => {
    const headers = { accept: 'text/html', 'user-agent': metricsText, authorization: `Bearer ${metricsText}` }
    for (const url of [
      `/${metricsText}`,
      `/song?s=${metricsText}`,
      `/api/${metricsText}`,
      `/img/song/${metricsText}/160`,
      `/api/song/get?s=${metricsText}`,
    ])
      await site.app.inject({ url, headers })
  }
  await sendText('first')
  const before = (await listSeries()).length
  for (let count = 0; count < 20; count++) await sendText(`other-${count}`)
  expect(await listSeries()).toHaveLength(before)
})

test('database queries are counted by their first word; a slow query is logged without its values', async () => {
  const statementSeries = 'varispeed_query_duration_seconds_count{statement="select"}'
  const countBefore = (await readValue(statementSeries)) ?? 0
  expect(await site.storage.mails.countWaiting()).toBe(0)
  site.metrics?.observeQuery({ sql: 'select * from accounts where email = ?', durationMs: 900, hasFailed: true })
  expect(await readValue(statementSeries)).toBeGreaterThan(countBefore)
  expect(await readValue('varispeed_query_failures_total')).toBe(1)
  expect(site.takeLog().join('')).toContain('"sql":"select * from accounts where email = ?","ms":900')
})

test('calls of the file store are counted by function, with failed calls counted separately', async () => {
  const testMetrics = createMetrics({ build: 'a-build', log: createLog('silent') })
  const storedNames = new Set<string>()
  const refuseCall = () => Promise.reject(new FileStoreError('gone'))
  const observedStore = testMetrics.observeFileStore({
    put: async (name) => void storedNames.add(name),
    list: async () => [...storedNames],
    ...{ moveIn: refuseCall, open: refuseCall, size: refuseCall, localPath: refuseCall, delete: refuseCall },
  })
  await observedStore.put('a', '')
  expect(await observedStore.list('')).toEqual(['a'])
  await expect(observedStore.open('a')).rejects.toThrow('gone')
  const fileCallLines = (await testMetrics.read()).split('\n').filter((line) => line.startsWith('varispeed_file_store_calls_total'))
  expect(fileCallLines).toEqual(
    [
      ['put', 'done'],
      ['list', 'done'],
      ['open', 'failed'],
    ].map(([call, outcome]) => `varispeed_file_store_calls_total{call="${call}",outcome="${outcome}"} 1`),
  )
})

test('the lengths of queues and the numbers of listeners are read at each request for the metrics', async () => {
  expect(await readValue('varispeed_mails_waiting')).toBe(0)
  expect(await readValue('varispeed_conversions{state="waiting"}')).toBe(0)
  await site.storage.settings.set('SHOW_LISTENERS', 'true', undefined)
  await site.app.inject('/api/radio/get')
  expect((await listSeries()).filter((series) => series?.startsWith('varispeed_radio_listeners'))).toHaveLength(1)
})

test('the metrics can still be read if the database does not answer: it counts as down, and values that it stores are left out', async () => {
  let answer = () => {}
  databaseAnswer = new Promise((resolve) => {
    answer = resolve
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const metricsPromises = [site.metrics?.read(), site.metrics?.read()]
    await vi.advanceTimersByTimeAsync(3000)
    for (const metricsText of await Promise.all(metricsPromises)) {
      expect(metricsText).toContain('varispeed_database_up 0')
      expect(metricsText).not.toContain('varispeed_mails_waiting 0')
      expect(metricsText).toContain('varispeed_conversions{state="waiting"} 0')
    }
  } finally {
    vi.useRealTimers()
    answer()
    await databaseAnswer
    databaseAnswer = undefined
  }
  expect(await readValue('varispeed_database_up')).toBe(1)
  expect(await readValue('varispeed_mails_waiting')).toBe(0)
})

test('overlapping requests for the metrics get the same values', async () => {
  const testMetrics = createMetrics({ build: 'a-build', log: createLog('silent') })
  testMetrics.add({ name: 'varispeed_mails', help: 'x', kind: 'gauge', read: () => Promise.resolve(5) })
  testMetrics.add({
    name: 'varispeed_lookups_total',
    help: 'x',
    kind: 'counter',
    labelNames: ['outcome'],
    read: async () => [{ labels: { outcome: 'hit' }, value: 7 }],
  })
  for (const metricsText of await Promise.all([testMetrics.read(), testMetrics.read()])) {
    expect(metricsText).toContain('varispeed_mails 5\n')
    expect(metricsText).toContain('varispeed_lookups_total{outcome="hit"} 7\n')
  }
})

test('a metric with labels that cannot be read is left out, and the others are served', async () => {
  const testMetrics = createMetrics({ build: 'a-build', log: createLog('silent') })
  testMetrics.add({
    name: 'varispeed_broken',
    help: 'x',
    kind: 'gauge',
    labelNames: ['station'],
    read: () => Promise.reject(new Error('broken')),
  })
  const metricsText = await testMetrics.read()
  expect(metricsText).toContain('varispeed_build_info{build="a-build"} 1')
  expect(metricsText).not.toMatch(/^varispeed_broken/m)
})

test('the metrics can still be read if the database fails, and report the failure', async () => {
  expect(await readValue('varispeed_database_up')).toBe(1)
  isDatabaseBroken = true
  expect(await readValue('varispeed_database_up')).toBe(0)
})

test('the metrics are served on a separate port, which serves nothing else', async () => {
  const log = createLog('silent')
  const testMetrics = createMetrics({ build: 'a-build', log })
  testMetrics.add({ name: 'varispeed_broken', help: 'Cannot be read.', kind: 'gauge', read: () => Promise.reject(new Error('broken')) })
  const server = await startMetricsServer(testMetrics, { host: '127.0.0.1', port: 0 }, log)
  const sendRequest = (urlPath: string, httpMethod = 'GET') =>
    new Promise<[number, string]>((resolve, reject) => {
      const clientRequest = request({ port: server.port, host: '127.0.0.1', path: urlPath, method: httpMethod }, (response) => {
        let responseText = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          responseText += chunk
        })
        response.on('end', () => resolve([response.statusCode ?? 0, responseText]))
      })
      clientRequest.on('error', reject)
      clientRequest.end()
    })
  try {
    const [statusCode, metricsText] = await sendRequest(METRICS_PATH)
    expect(statusCode).toBe(200)
    expect(metricsText).toContain('varispeed_build_info{build="a-build"} 1')
    expect(metricsText).toContain('nodejs_eventloop_lag')
    expect((await sendRequest('/'))[0]).toBe(404)
    expect((await sendRequest(METRICS_PATH, 'POST'))[0]).toBe(404)
    expect((await site.app.inject(METRICS_PATH)).statusCode).toBe(404)
  } finally {
    server.close()
  }
})
