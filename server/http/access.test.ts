import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

// A call that is for subscribers: one of the table, which is for everyone outside of this file.

vi.mock('../../contract/endpoints.ts', async (load) => {
  const actual = await load<typeof import('../../contract/endpoints.ts')>()
  const random = { ...actual.endpoints['GET /song/random'], access: 'subscriber' }
  return { ...actual, endpoints: { ...actual.endpoints, 'GET /song/random': random } }
})

const LOCKED =
  'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.'
const START = Date.parse('2026-03-01T12:00:00Z')
const MINUTE = 60_000

let site: TestApp
let now = START
beforeEach(async () => {
  now = START
  site = await createTestApp({}, { nowMs: () => now })
})
afterEach(() => site.close())

const call = async (token?: string) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const { code, message, data } = (await site.app.inject({ url: '/api/song/random?p=rock', headers })).json()
  return code === 200 ? data.youtube_id : [code, message, data]
}

it('is open to subscribers, locked to others, and asks who it is of those who say nothing', async () => {
  const { idToken } = (await sdkCalls(site).signUp('ann@example.com', 'secret-1')).json()
  const { roles } = site.storage
  expect(await call()).toEqual([401, 'Please log in.', null])
  expect(await call('nonsense')).toEqual([401, expect.any(String), null])
  expect(await call(idToken)).toEqual([403, LOCKED, null])
  await roles.grant('ann@example.com', { role: 'donator', source: 'payment', untilMs: undefined })
  await roles.grant('bob@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
  expect(await call(idToken)).toEqual([403, LOCKED, null])
  await roles.grant('ann@example.com', { role: 'subscriber', source: 'payment', untilMs: START + MINUTE })
  expect(await call(idToken)).toBe('BBBBBBBBBB1')
  now += MINUTE
  expect(await call(idToken)).toEqual([403, LOCKED, null])
  await roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
  expect(await call(idToken)).toBe('BBBBBBBBBB1')
  await roles.revoke('ann@example.com', 'subscriber', 'admin')
  expect(await call(idToken)).toEqual([403, LOCKED, null])
})
