import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { StorageError, type StorageFault } from '../storage/errors.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { encodeRequest } from '../testing/fuzz/requests.ts'

let site: TestApp
let nowMs = Date.parse('2026-03-01T12:00:00Z')
let isDatabaseGone = false
let areUploadsGone = false
let fault: StorageFault = 'unreachable'
const failStorage = () => {
  if (fault !== 'unreachable') return new StorageError(fault, 'nothing of this change was kept')
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  return new StorageError('unreachable', 'The database server cannot be reached.', { cause })
}
const makeBreakable = <T extends object>(wrappedStore: T, isBroken = () => isDatabaseGone): T =>
  new Proxy(wrappedStore, {
    get: (proxiedStore, memberName, receiver) => {
      if (isBroken()) throw failStorage()
      return Reflect.get(proxiedStore, memberName, receiver)
    },
  })
beforeEach(async () => {
  isDatabaseGone = false
  areUploadsGone = false
  fault = 'unreachable'
  site = await createTestApp(
    {},
    {
      nowMs: () => nowMs,
      wrapStorage: (storage) => ({
        ...storage,
        songs: makeBreakable(storage.songs),
        playlists: makeBreakable(storage.playlists),
        accounts: makeBreakable(storage.accounts),
        conversions: makeBreakable(storage.conversions, () => areUploadsGone),
      }),
    },
  )
})
afterEach(() => site.close())

it('while the database cannot be reached, repeated requests get their last response, and others 503 and Retry-After', async () => {
  const knownUrl = '/api/song/get?s=AAAAAAAAAA1'
  const responseBefore = await site.app.inject(knownUrl)
  expect(responseBefore.statusCode).toBe(200)
  isDatabaseGone = true
  // After an hour, all cached responses have expired.
  nowMs += 3_600_000
  const responseDuringOutage = await site.app.inject(knownUrl)
  expect([responseDuringOutage.statusCode, responseDuringOutage.body, responseDuringOutage.headers.etag]).toEqual([
    200,
    responseBefore.body,
    responseBefore.headers.etag,
  ])
  for (const request of ['/api/song/get?s=AAAAAAAAAA2', { url: knownUrl, headers: { authorization: 'Bearer x' } }])
    expect((await site.app.inject(request)).statusCode).not.toBe(200)
  const unknownSongAnswer = await site.app.inject('/api/song/get?s=AAAAAAAAAA2')
  expect([unknownSongAnswer.statusCode, unknownSongAnswer.headers['retry-after']]).toEqual([503, '5'])
  isDatabaseGone = false
  expect((await site.app.inject('/api/song/get?s=AAAAAAAAAA2')).statusCode).toBe(200)
})

it('while the database cannot be reached, a cached page is sent, and any other page is answered with 503 and Retry-After', async () => {
  const readPage = (url: string) => site.app.inject({ url, headers: { accept: 'text/html' } })
  const pageBefore = await readPage('/song?s=AAAAAAAAAA1')
  expect(pageBefore.statusCode).toBe(200)
  isDatabaseGone = true
  nowMs += 3_600_000
  const pageDuringOutage = await readPage('/song?s=AAAAAAAAAA1')
  expect([pageDuringOutage.statusCode, pageDuringOutage.body]).toEqual([200, pageBefore.body])
  const unknown = await readPage('/song?s=AAAAAAAAAA2')
  expect([unknown.statusCode, unknown.headers['retry-after']]).toEqual([503, '5'])
  expect(unknown.body).toContain('Please try again in a moment')
})

it.each(['unreachable', 'full', 'busy'] as const)(
  'while the database is %s, the API and the log-in answer with 503 and Retry-After',
  async (databaseKind) => {
    fault = databaseKind
    isDatabaseGone = true
    const credentials = { email: 'ann@example.org', password: 'a long secret' }
    const url = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any'
    for (const request of ['/api/song/get?s=AAAAAAAAAA1', { method: 'POST', url, payload: credentials } as const]) {
      const response = await site.app.inject(request)
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
    }
  },
)

it('an upload while the database is unreachable is answered with 503 and Retry-After, not as a malformed body', async () => {
  const { idToken } = (await createSdkCalls(site).signUp('ann@example.org', 'a long secret')).json()
  await site.storage.roles.grant('ann@example.org', { role: 'subscriber', source: 'admin', untilMs: undefined })
  areUploadsGone = true
  const requestCircumstances = {
    method: 'POST',
    caller: 'subscriber',
    tokenPlace: 'header',
    host: 'localhost:8080',
    headers: {},
    address: '192.0.2.1',
  } as const
  const file = { field: 'file', name: 'a.wav', content: Buffer.alloc(4000) }
  const response = await site.app.inject(
    encodeRequest('/api/make/convert', { speed: 25 }, 'multipart', requestCircumstances, idToken, [file]),
  )
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
})
