import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Endpoint, endpoints } from '../../contract/endpoints.ts'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { readMainThreadCpuMs } from '../testing/main-thread-cpu.ts'

/**
 * The length of a hostile text in a body, just below the limit of a body, and in a query or header, just below the limit of all headers.
 */
const BODY_TEXT_BYTES = 240_000
const QUERY_TEXT_BYTES = 15_000
const CPU_MAX_MS = 100
const BOUNDARY = 'x'.repeat(30)

const LONE_SURROGATE = '\ud800'
/**
 * The hostile texts are repetitions of these units: characters that Unicode normalisation reorders, characters that end or escape a parsed
 * construct, and beginnings of constructs.
 */
const hostileUnits = ['\u0301\u0316', '.', '(', '{"":', '@', '%', '0', '😀', LONE_SURROGATE, 'a.', 'ﷺ', '<b>', 'eyJ']

let site: TestApp
let idToken: string
beforeAll(async () => {
  site = await createTestApp({ RATE_LIMIT_SIGNUP: '1000000', RATE_LIMIT_CONTACT: '1000000', LOG_LEVEL: 'info' })
  idToken = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json().idToken
  await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
})
afterAll(() => site.close())

let clientCount = 0
/** Sends a request. Checks its status, and the processor time that the main thread used. */
async function expectCheapRequest(requestName: string, request: InjectOptions) {
  let cpuMs = Number.POSITIVE_INFINITY
  // A slow request is repeated, because the compiler or the garbage collector may have run during it.
  for (let attemptNumber = 1; attemptNumber <= 3 && cpuMs > CPU_MAX_MS; attemptNumber++) {
    clientCount++
    const startCpuMs = readMainThreadCpuMs()
    const response = await site.app.inject({
      remoteAddress: `10.${clientCount >> 16}.${(clientCount >> 8) & 255}.${clientCount & 255}`,
      ...request,
    })
    cpuMs = readMainThreadCpuMs() - startCpuMs
    expect(response.statusCode, `${requestName}: ${response.body.slice(0, 200)}`).toBeLessThan(500)
  }
  expect(cpuMs, `${requestName}: processor time in ms`).toBeLessThan(CPU_MAX_MS)
}

const percentEncode = (text: string) => (text === LONE_SURROGATE ? '%ED%A0%80' : encodeURIComponent(text))
const repeatToBytes = (unit: string, bytes: number) => unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)))
/** Returns a repeated unit in percent encoding, with at most `bytes` bytes. */
const encodeRepeatedText = (unit: string, bytes: number) => percentEncode(unit).repeat(Math.floor(bytes / percentEncode(unit).length))

/** Valid values for the other fields of a request, so that the parser reaches the hostile one. */
const validValues: Record<string, unknown> = {
  s: 'AAAAAAAAAA1',
  reason: '150',
  topic: 'bug-report',
  email: 'ann@example.com',
  discord: 'ann',
  youtube_url: 'https://www.youtube.com/@ann',
  message: 'Hello',
  domain_name: 'ann',
  name: 'Ann',
  youtube: 'https://www.youtube.com/@ann',
  youtube_channel: 'https://www.youtube.com/@ann',
  youtube_share: 'https://www.youtube.com/@ann',
  target: 'visit',
  file_name: 'a.wav',
  file_size: 1,
  speed: 1,
  pitch: 0,
  job_id: randomUUID(),
  return_url: '/account',
  refresh_token: 'x',
  domain: 'localhost',
  p: 'night-drive',
}

interface FieldSchema {
  properties?: Record<string, { maxLength?: number; type?: string }>
  required?: string[]
}
const hostileRequests = Object.entries(endpoints).flatMap(([endpointKey, { query, body }]: [string, Endpoint]) => {
  const [httpMethod = '', urlPath = ''] = endpointKey.split(' ')
  const { properties = {}, required = [] }: FieldSchema = query ?? body ?? {}
  const validFields = Object.fromEntries(required.map((name) => [name, validValues[name] ?? 'x']))
  return [...Object.keys(properties), 'firebase_auth_token'].map((fieldName) => ({
    method: httpMethod === 'GET' ? ('GET' as const) : ('POST' as const),
    url: `/api${urlPath}`,
    field: fieldName,
    maxLength: properties[fieldName]?.maxLength,
    validFields,
  }))
})

/** Declares a test for each unit. `npm test` runs the first three, and `npm run test:long` the others. */
function declareUnitTests(testTitle: string, runTest: (unit: string) => Promise<void>) {
  it.each(hostileUnits.slice(0, 3))(testTitle, runTest)
  it.each(hostileUnits.slice(3))(testTitle, { tags: ['long'] }, runTest)
}

const createAuthorizedHeaders = (field: string) => (field === 'firebase_auth_token' ? {} : { authorization: `Bearer ${idToken}` })

declareUnitTests('every text of a JSON body may be 240 KB of %j', async (textUnit) => {
  const longText = repeatToBytes(textUnit, BODY_TEXT_BYTES)
  for (const { method, url, field, validFields, maxLength } of hostileRequests.filter((each) => each.method === 'POST')) {
    const sendValue = (fieldValue: unknown) =>
      expectCheapRequest(`${url} ${field} ${JSON.stringify(textUnit)}`, {
        method,
        url,
        headers: createAuthorizedHeaders(field),
        payload: { ...validFields, [field]: fieldValue },
      })
    await sendValue(longText)
    if (maxLength !== undefined) await sendValue(longText.slice(0, maxLength))
  }
})

declareUnitTests('every text of a query may be 15 KB of %j', async (textUnit) => {
  const longText = encodeRepeatedText(textUnit, QUERY_TEXT_BYTES)
  for (const { method, url, field, validFields } of hostileRequests) {
    const otherBodies = Object.entries(validFields).flatMap(([name, value]) =>
      name === field ? [] : [`${name}=${percentEncode(String(value))}`],
    )
    await expectCheapRequest(`${url} ${field} ${JSON.stringify(textUnit)}`, {
      method,
      url: `${url}?${[...otherBodies, `${field}=${longText}`].join('&')}`,
      headers: createAuthorizedHeaders(field),
    })
  }
})

it('every text of a form or a multipart body may have 240 KB', async () => {
  // Each field is tested with only one of the `hostileUnits`, because all were tested as JSON, and the other formats differ only in their
  // parsers.
  let unitIndex = 0
  for (const { method, url, field, validFields } of hostileRequests.filter((each) => each.method === 'POST')) {
    const textUnit = hostileUnits[unitIndex++ % hostileUnits.length] ?? ''
    const otherFields = Object.entries(validFields).filter(([name]) => name !== field)
    const requestName = `${url} ${field} ${JSON.stringify(textUnit)}`
    await expectCheapRequest(`form ${requestName}`, {
      method,
      url,
      headers: { ...createAuthorizedHeaders(field), 'content-type': 'application/x-www-form-urlencoded' },
      payload: [
        ...otherFields.map(([other, value]) => `${other}=${percentEncode(String(value))}`),
        `${field}=${encodeRepeatedText(textUnit, BODY_TEXT_BYTES)}`,
      ].join('&'),
    })
    const formParts = [
      ...otherFields,
      [field, repeatToBytes(textUnit, 60_000)],
      [repeatToBytes(textUnit, 60_000), 'x'],
      ['x', repeatToBytes(textUnit, BODY_TEXT_BYTES)],
    ]
    await expectCheapRequest(`multipart ${requestName}`, {
      method,
      url,
      headers: { ...createAuthorizedHeaders(field), 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      payload: `${formParts.map(([part, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${part}"\r\n\r\n${value}\r\n`).join('')}--${BOUNDARY}--\r\n`,
    })
  }
})

declareUnitTests('every text of the identity calls may be 240 KB of %j', async (textUnit) => {
  const longText = repeatToBytes(textUnit, BODY_TEXT_BYTES)
  const fieldsByAction: Record<string, string[]> = {
    signUp: ['email', 'password', 'idToken'],
    signInWithPassword: ['email', 'password'],
    lookup: ['idToken'],
    sendOobCode: ['email', 'idToken', 'requestType'],
    resetPassword: ['oobCode', 'newPassword'],
    update: ['idToken', 'oobCode', 'password', 'email'],
    delete: ['idToken'],
  }
  for (const [actionName, fieldNames] of Object.entries(fieldsByAction)) {
    const url = `/identitytoolkit.googleapis.com/v1/accounts:${actionName}`
    const validInput = {
      requestType: 'PASSWORD_RESET',
      email: 'bob@example.com',
      password: 'secret-1',
      oobCode: 'x',
      newPassword: 'secret-2',
    }
    const knownFields = Object.fromEntries(Object.entries(validInput).filter(([name]) => fieldNames.includes(name)))
    for (const fieldName of fieldNames) {
      for (const fieldValue of [longText, longText.slice(0, 254)])
        await expectCheapRequest(`${actionName} ${fieldName} ${JSON.stringify(textUnit)}`, {
          method: 'POST',
          url,
          payload: { ...knownFields, [fieldName]: fieldValue },
        })
    }
  }
  for (const requestBody of [
    `grant_type=${encodeRepeatedText(textUnit, BODY_TEXT_BYTES)}`,
    `grant_type=refresh_token&refresh_token=${encodeRepeatedText(textUnit, BODY_TEXT_BYTES)}`,
  ])
    await expectCheapRequest(`token ${JSON.stringify(textUnit)}`, {
      method: 'POST',
      url: '/securetoken.googleapis.com/v1/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: requestBody,
    })
})

it('lists and nested values of 240 KB are refused', async () => {
  const syncBody = {
    method: 'POST' as const,
    url: '/api/favorite/sync',
    headers: { ...createAuthorizedHeaders(''), 'content-type': 'application/json' },
  }
  const favoriteChange = { id: randomUUID(), s: 'AAAAAAAAAA1', favorite: true, at: '2026-01-01T00:00:00Z', device: randomUUID() }
  const bodyByEndpoint = {
    numbers: `{"changes":[${'1,'.repeat(260_000)}1]}`,
    objects: `{"changes":[${'{},'.repeat(170_000)}{}]}`,
    'wrong fields': `{"changes":[${`{"id":1,"s":${JSON.stringify('\u0301'.repeat(400))}},`.repeat(499)}{}]}`,
    'valid changes': JSON.stringify({ changes: Array.from({ length: 2500 }, () => favoriteChange) }),
    arrays: `{"changes":${'['.repeat(120_000)}${']'.repeat(120_000)}}`,
    'nested objects': `{"changes":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    properties: `{${Array.from({ length: 20_000 }, (_, n) => `"a${n}":1`).join(',')}}`,
    prototypes: `{"changes":[${'{"__proto__":1},'.repeat(15_000)}{}]}`,
    'a long number': `{"changes":1${'0'.repeat(240_000)}}`,
  }
  for (const [name, payload] of Object.entries(bodyByEndpoint)) await expectCheapRequest(name, { ...syncBody, payload })
  const form = { ...syncBody, headers: { ...createAuthorizedHeaders(''), 'content-type': 'application/x-www-form-urlencoded' } }
  for (const [name, unit] of Object.entries({ 'one field': 's=1&', 'empty fields': '&', 'long keys': 'a[0]=&' }))
    await expectCheapRequest(name, { ...form, payload: unit.repeat(BODY_TEXT_BYTES / unit.length) })
})

declareUnitTests('pages, pictures and headers may have 15 KB of %j', async (textUnit) => {
  const longText = encodeRepeatedText(textUnit, QUERY_TEXT_BYTES)
  for (const url of [
    ...[
      '/song?s=',
      '/song?s=https://',
      '/song?s=AAAAAAAAAA1&p=',
      '/playlist?p=',
      '/search?q=',
      '/search?type=',
      '/login?success=',
      '/a?',
      '/',
    ].map((start) => start + longText),
    `/img/song/${longText}/320`,
    `/img/og/song/${longText}.jpg`,
    `/api/${longText}`,
  ])
    await expectCheapRequest(url.slice(0, 60), { url })
  const headerValue = textUnit.match(/^[\x20-\x7e]+$/) ? repeatToBytes(textUnit, QUERY_TEXT_BYTES) : longText
  const headers = [
    'if-none-match',
    'accept',
    'accept-encoding',
    'accept-language',
    'cookie',
    'range',
    'user-agent',
    'host',
    'authorization',
    'origin',
    'referer',
    'content-type',
    'x-forwarded-for',
  ]
  for (const header of headers) {
    for (const url of ['/', '/api/playlist/all', '/img/song/AAAAAAAAAA1/320', '/radio', '/assets/main-abc123.js'])
      await expectCheapRequest(`${header} ${JSON.stringify(textUnit)}`, { url, headers: { [header]: headerValue } })
  }
  await expectCheapRequest('bearer', { url: '/api/account/getinfo', headers: { authorization: `Bearer ${headerValue}` } })
  await expectCheapRequest('gzip', {
    url: '/api/playlist/all',
    headers: { 'accept-encoding': `gzip${' '.repeat(7000)};${' '.repeat(7000)}` },
  })
})
