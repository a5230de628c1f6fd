import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Access, endpoints } from '../../contract/endpoints.ts'
import { sdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const SUBSCRIBERS_ONLY_MESSAGE =
  'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.'
const START_MS = Date.parse('2026-03-01T12:00:00Z')
const MINUTE_MS = 60_000

let site: TestApp
let nowMs = START_MS
beforeEach(async () => {
  nowMs = START_MS
  // No endpoint of the table requires a subscriber yet.
  vi.spyOn<{ access: Access }, 'access'>(endpoints['GET /song/random'], 'access', 'get').mockReturnValue('subscriber')
  site = await createTestApp({}, { nowMs: () => nowMs })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await site.close()
})

const callEndpoint = async (token?: string) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const { code, message, data } = (await site.app.inject({ url: '/api/song/random?p=rock', headers })).json()
  return code === 200 ? data.youtube_id : [code, message, data]
}

it('an endpoint for subscribers answers 200 to subscribers, 403 to other users and 401 without a token', async () => {
  const { idToken } = (await sdkCalls(site).signUp('ann@example.com', 'secret-1')).json()
  const { roles } = site.storage
  expect(await callEndpoint()).toEqual([401, 'Please log in.', null])
  expect(await callEndpoint('nonsense')).toEqual([401, expect.any(String), null])
  expect(await callEndpoint(idToken)).toEqual([403, SUBSCRIBERS_ONLY_MESSAGE, null])
  await roles.grant('ann@example.com', { role: 'donator', source: 'payment', untilMs: undefined })
  await roles.grant('bob@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
  expect(await callEndpoint(idToken)).toEqual([403, SUBSCRIBERS_ONLY_MESSAGE, null])
  await roles.grant('ann@example.com', { role: 'subscriber', source: 'payment', untilMs: START_MS + MINUTE_MS })
  expect(await callEndpoint(idToken)).toBe('BBBBBBBBBB1')
  nowMs += MINUTE_MS
  expect(await callEndpoint(idToken)).toEqual([403, SUBSCRIBERS_ONLY_MESSAGE, null])
  await roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
  expect(await callEndpoint(idToken)).toBe('BBBBBBBBBB1')
  await roles.revoke('ann@example.com', 'subscriber', 'admin')
  expect(await callEndpoint(idToken)).toEqual([403, SUBSCRIBERS_ONLY_MESSAGE, null])
})
