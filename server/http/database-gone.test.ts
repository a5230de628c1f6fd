import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { StorageError, type StorageFault } from '../storage/errors.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { encodeRequest } from '../testing/fuzz/requests.ts'

let site: TestApp
let nowMs = Date.parse('2026-03-01T12:00:00Z')
let isGone = false
let isUploadGone = false
let fault: StorageFault = 'unreachable'
const gone = () => {
  if (fault !== 'unreachable') return new StorageError(fault, 'nothing of this change was kept')
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  return new StorageError('unreachable', 'The database server cannot be reached.', { cause })
}
const breakable = <T extends object>(store: T, isBroken = () => isGone): T =>
  new Proxy(store, {
    get: (target, name, receiver) => {
      if (isBroken()) throw gone()
      return Reflect.get(target, name, receiver)
    },
  })
beforeEach(async () => {
  isGone = false
  isUploadGone = false
  fault = 'unreachable'
  site = await createTestApp(
    {},
    {
      nowMs: () => nowMs,
      wrapStorage: (storage) => ({
        ...storage,
        songs: breakable(storage.songs),
        playlists: breakable(storage.playlists),
        accounts: breakable(storage.accounts),
        conversions: breakable(storage.conversions, () => isUploadGone),
      }),
    },
  )
})
afterEach(() => site.close())

it('while the database cannot be reached, requests are answered as the last time, and others with 503 and Retry-After', async () => {
  const known = '/api/song/get?s=AAAAAAAAAA1'
  const before = await site.app.inject(known)
  expect(before.statusCode).toBe(200)
  isGone = true
  // No response is current any more.
  nowMs += 3_600_000
  const during = await site.app.inject(known)
  expect([during.statusCode, during.body, during.headers.etag]).toEqual([200, before.body, before.headers.etag])
  for (const request of ['/api/song/get?s=AAAAAAAAAA2', { url: known, headers: { authorization: 'Bearer x' } }])
    expect((await site.app.inject(request)).statusCode).not.toBe(200)
  const unknown = await site.app.inject('/api/song/get?s=AAAAAAAAAA2')
  expect([unknown.statusCode, unknown.headers['retry-after']]).toEqual([503, '5'])
  isGone = false
  expect((await site.app.inject('/api/song/get?s=AAAAAAAAAA2')).statusCode).toBe(200)
})

it('while the database cannot be reached, a page in memory is sent, and another one is answered with 503 and Retry-After', async () => {
  const read = (url: string) => site.app.inject({ url, headers: { accept: 'text/html' } })
  const before = await read('/song?s=AAAAAAAAAA1')
  expect(before.statusCode).toBe(200)
  isGone = true
  nowMs += 3_600_000
  const during = await read('/song?s=AAAAAAAAAA1')
  expect([during.statusCode, during.body]).toEqual([200, before.body])
  const unknown = await read('/song?s=AAAAAAAAAA2')
  expect([unknown.statusCode, unknown.headers['retry-after']]).toEqual([503, '5'])
  expect(unknown.body).toContain('Please try again in a moment')
})

it.each(['unreachable', 'full', 'busy'] as const)(
  'a database that is %s is no failure of the server: API and log-in say when to ask again',
  async (kind) => {
    fault = kind
    isGone = true
    const credentials = { email: 'ann@example.org', password: 'a long secret' }
    const url = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any'
    for (const request of ['/api/song/get?s=AAAAAAAAAA1', { method: 'POST', url, payload: credentials } as const]) {
      const response = await site.app.inject(request)
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
    }
  },
)

it('an upload for which the database is missing is answered with 503 and Retry-After, not as a malformed one', async () => {
  const { idToken } = (await createSdkCalls(site).signUp('ann@example.org', 'a long secret')).json()
  await site.storage.roles.grant('ann@example.org', { role: 'subscriber', source: 'admin', untilMs: undefined })
  isUploadGone = true
  const around = {
    method: 'POST',
    caller: 'subscriber',
    tokenPlace: 'header',
    host: 'localhost:8080',
    headers: {},
    address: '192.0.2.1',
  } as const
  const file = { field: 'file', name: 'a.wav', content: Buffer.alloc(4000) }
  const response = await site.app.inject(encodeRequest('/api/make/convert', { speed: 25 }, 'multipart', around, idToken, [file]))
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
})
