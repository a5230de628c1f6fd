import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type EndpointAccess, endpoints } from '../../contract/endpoints.ts'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const SUBSCRIBERS_ONLY_MESSAGE =
  'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.'
const START_MS = Date.parse('2026-03-01T12:00:00Z')
const MINUTE_MS = 60_000

let site: TestApp
let nowMs = START_MS
beforeEach(async () => {
  nowMs = START_MS
  // An endpoint without input. It has the same access rule as all endpoints for subscribers.
  vi.spyOn<{ access: EndpointAccess }, 'access'>(endpoints['GET /song/random'], 'access', 'get').mockReturnValue('subscriber')
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
  const { idToken } = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json()
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

it('every endpoint for accounts answers 401 without a token, and every endpoint for subscribers answers 403 to other users', async () => {
  vi.restoreAllMocks()
  const { idToken } = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json()
  for (const [endpointKey, { access }] of Object.entries(endpoints)) {
    if (access !== 'user' && access !== 'subscriber') continue
    const [httpMethod, urlPath] = endpointKey.split(' ')
    const callEndpoint = async (headers: Record<string, string>) => {
      const request = { url: `/api${urlPath}`, headers, ...(httpMethod === 'POST' && { payload: {} }) }
      return (await site.app.inject({ ...request, method: httpMethod === 'POST' ? 'POST' : 'GET' })).json()
    }
    expect([endpointKey, (await callEndpoint({})).code]).toEqual([endpointKey, 401])
    if (access === 'subscriber')
      expect([endpointKey, await callEndpoint({ authorization: `Bearer ${idToken}` })]).toEqual([
        endpointKey,
        { code: 403, message: SUBSCRIBERS_ONLY_MESSAGE, data: null },
      ])
  }
})

it('responses to requests with a token may not be cached, even if they are the same for everybody', async () => {
  vi.restoreAllMocks()
  const { idToken } = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json()
  await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
  for (const endpointKey of Object.keys(endpoints).filter(
    (each) => each.startsWith('GET ') && each !== 'GET /radio/get' && each !== 'GET /radio/setnewsong',
  )) {
    const { headers } = await site.app.inject({
      url: `/api${endpointKey.slice(4)}?s=AAAAAAAAAA1&p=night-drive&domain=localhost&domain_name=aria&job_id=0191c9a4-0000-4000-8000-000000000000`,
      headers: { authorization: `Bearer ${idToken}` },
    })
    expect([endpointKey, headers['cache-control']]).toEqual([endpointKey, 'no-store'])
  }
})

it('exactly the listed endpoints are for accounts, and exactly the listed ones for subscribers', () => {
  vi.restoreAllMocks()
  const listEndpointsWithAccess = (access: EndpointAccess) =>
    Object.entries(endpoints)
      .filter((entry) => entry[1].access === access)
      .map(([key]) => key.replace(/^GET |^POST /, ''))
  expect(new Set(listEndpointsWithAccess('user'))).toEqual(
    new Set([
      ...['/favorite/add', '/favorite/remove', '/favorite/get', '/favorite/getall', '/favorite/getlatest', '/favorite/random'],
      ...[
        '/favorite/sync',
        '/list/sync',
        '/list/share',
        '/list/find-videos',
        '/list/import-youtube',
        '/follow/sync',
        '/follow/push',
        '/account/getinfo',
        '/account/export',
        '/account/delete',
        '/account/disconnect_discord',
        '/account/discord_link',
        '/account/logins',
        '/account/end_login',
        '/account/end_logins',
        '/account/confirm_email',
        '/account/checkout',
      ],
    ]),
  )
  expect(new Set(listEndpointsWithAccess('subscriber'))).toEqual(
    new Set([
      ...[
        '/website/get',
        '/website/activate',
        '/website/save',
        '/website/banner',
        '/website/portrait',
        '/website/uploads',
        '/contact/artwork',
        '/promotion/get',
        '/promotion/save',
      ],
      ...['/make/history', '/make/convert', '/make/status', '/make/cancel', '/make/presets'],
    ]),
  )
})

it('another subscriber can neither read nor change what a subscriber stores', async () => {
  vi.restoreAllMocks()
  const createToken = async (personName: string) => {
    const token = String((await createSdkCalls(site).signUp(`${personName}@example.com`, 'secret-1')).json().idToken)
    await site.storage.roles.grant(`${personName}@example.com`, { role: 'subscriber', source: 'admin', untilMs: undefined })
    return token
  }
  const [annToken, bobToken] = [await createToken('ann'), await createToken('bob')]
  const callEndpoint = async (token: string, httpMethod: 'GET' | 'POST', urlPath: string, requestBody?: Record<string, unknown>) =>
    (
      await site.app.inject({
        method: httpMethod,
        url: `/api${urlPath}`,
        headers: { authorization: `Bearer ${token}` },
        ...(requestBody && { payload: requestBody }),
      })
    ).json()
  const secretMark = 'only-bob-knows'
  const createLinks = (personName: string) => ({
    youtube_channel: `https://www.youtube.com/@${personName}`,
    youtube_share: `https://www.youtube.com/@${personName}`,
  })
  const historyId = '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c'
  const exportedFile = { file_name: `${secretMark}.wav`, file_size: 44, speed: 1, pitch: 0, change_id: historyId }
  await callEndpoint(bobToken, 'POST', '/website/activate', { domain_name: 'bob' })
  const bobWebsite = { domain_name: 'bob', name: secretMark, youtube: 'https://www.youtube.com/@bob', enabled: 'no' }
  expect((await callEndpoint(bobToken, 'POST', '/website/save', bobWebsite)).code).toBe(200)
  expect((await callEndpoint(bobToken, 'POST', '/promotion/save', createLinks(secretMark))).code).toBe(200)
  expect((await callEndpoint(bobToken, 'POST', '/make/history', exportedFile)).code).toBe(200)
  const settings = { speed: 1, pitch: 0, reverb_size: 0, reverb_amount: 0, bass_db: 0 }
  const bobPreset = { name: secretMark, settings, changed_at: '2026-01-01T00:00:00Z' }
  expect((await callEndpoint(bobToken, 'POST', '/make/presets', { changes: [bobPreset] })).code).toBe(200)
  const exportBefore = await callEndpoint(bobToken, 'GET', '/account/export')
  expect(JSON.stringify(exportBefore)).toContain(secretMark)

  for (const [endpointKey, { access }] of Object.entries(endpoints)) {
    const [httpMethod, urlPath = ''] = endpointKey.split(' ')
    if (httpMethod === 'GET' && access !== 'public')
      expect(
        JSON.stringify(await callEndpoint(annToken, 'GET', `${urlPath}?job_id=${historyId}&uid=bob&domain_name=bob`)),
        endpointKey,
      ).not.toContain(secretMark)
  }
  expect((await callEndpoint(annToken, 'GET', '/subscriber/getinfo?domain_name=bob')).code).toBe(404)
  for (const [urlPath, requestBody] of [
    ['/website/activate', { domain_name: 'bob' }],
    ['/website/save', { ...bobWebsite, name: 'Ann' }],
    ['/promotion/save', createLinks('ann')],
    ['/make/history', { ...exportedFile, file_name: 'ann.wav' }],
    ['/make/cancel', { job_id: historyId }],
    ['/make/presets', { changes: [{ ...bobPreset, settings: null }] }],
    ['/account/delete', {}],
  ] as const)
    await callEndpoint(annToken, 'POST', urlPath, requestBody)
  expect(await callEndpoint(bobToken, 'GET', '/account/export')).toEqual(exportBefore)
})
