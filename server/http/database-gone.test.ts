import { afterEach, beforeEach, expect, it } from 'vitest'
import { StorageError } from '../storage/errors.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
let nowMs = Date.parse('2026-03-01T12:00:00Z')
let isGone = false
const gone = () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  return new StorageError('unreachable', 'The database server cannot be reached.', { cause })
}
const breakable = <T extends object>(store: T): T =>
  new Proxy(store, {
    get: (target, name, receiver) => {
      if (isGone) throw gone()
      return Reflect.get(target, name, receiver)
    },
  })
beforeEach(async () => {
  isGone = false
  site = await createTestApp(
    {},
    {
      nowMs: () => nowMs,
      wrapStorage: (storage) => ({ ...storage, songs: breakable(storage.songs), playlists: breakable(storage.playlists) }),
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
