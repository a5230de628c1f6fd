import { afterEach, beforeEach, expect, it } from 'vitest'
import { CONTENT_LOCKED } from '../../contract/locked.ts'
import { sdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const START = Date.parse('2026-03-01T12:00:00Z')
const DAY = 24 * 3_600_000
const ID = '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c'
const iso = (ms: number) => new Date(ms).toISOString()

let site: TestApp
let now = START
beforeEach(async () => {
  now = START
  site = await createTestApp({}, { nowMs: () => now })
})
afterEach(() => site.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const tokenOf = async (name: string) => (await sdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json().idToken as string
async function subscriber(name: string) {
  await site.storage.roles.grant(`${name}@example.com`, { role: 'subscriber', source: 'admin', untilMs: undefined })
  return tokenOf(name)
}
const list = async (token: string, query = '') =>
  (await site.app.inject({ url: `/api/make/history${query}`, headers: bearer(token) })).json()
const record = async (token: string, over: Record<string, unknown> = {}) =>
  (
    await site.app.inject({
      method: 'POST',
      url: '/api/make/history',
      headers: bearer(token),
      payload: { file_name: 'Stone (nightcore).wav', file_size: 1_000_044, speed: 1.25, pitch: 0, ...over },
    })
  ).json()

it('records what a subscriber made, and lists it, newest first', async () => {
  const ann = await subscriber('ann')
  expect(await list(ann)).toEqual({ code: 200, message: 'OK', data: [] })
  const first = { id: expect.any(String), file_name: 'Stone (nightcore).wav', file_size: 1_000_044, created: '2026-03-01T12:00:00.000Z' }
  expect(await record(ann)).toEqual({ code: 200, message: 'OK', data: first })
  now += 1000
  const { data: second } = await record(ann, { file_name: 'Café.mp3' })
  expect((await list(ann)).data).toEqual([second, first])
  expect((await list(ann, '?limit=1&offset=1')).data).toEqual([first])
  expect((await list(await subscriber('bob'))).data).toEqual([])
})

it('takes forms, and the token within them', async () => {
  const token = await subscriber('ann')
  const form = { file_name: 'a.wav', file_size: '44', speed: '0.85', pitch: '-2', firebase_auth_token: token }
  const answer = await site.app.inject({
    method: 'POST',
    url: '/api/make/history',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })
  expect(answer.json()).toMatchObject({ code: 200, data: { file_name: 'a.wav', file_size: 44 } })
})

it('is locked to others, and asks who it is of those who say nothing', async () => {
  const ann = await tokenOf('ann')
  for (const call of [list, record]) {
    expect(await call(ann)).toEqual({ code: 403, message: CONTENT_LOCKED, data: null })
    expect(await call('nonsense')).toMatchObject({ code: 401 })
  }
  expect(CONTENT_LOCKED).toBe(
    'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.',
  )
})

it('applies a change once, however often it is sent, and by whom', async () => {
  const [ann, bob] = [await subscriber('ann'), await subscriber('bob')]
  const { data: row } = await record(ann, { change_id: ID })
  expect(row.id).toBe(ID)
  now += 1000
  expect((await record(ann, { change_id: ID.toUpperCase(), file_name: 'other' })).data).toEqual(row)
  expect((await list(ann)).data).toEqual([row])
  expect((await record(bob, { change_id: ID, file_name: 'Bob.wav' })).data).toMatchObject({ id: ID, file_name: 'Bob.wav' })
})

it.each([
  [START - DAY, START - DAY],
  [START - 364 * DAY, START - 364 * DAY],
  [START - 366 * DAY, START],
  [START + 1, START],
  [0, START],
])('a file that says it was made at %s counts as made at %s', async (said, counted) => {
  expect((await record(await subscriber('ann'), { exported_at: iso(said) })).data.created).toBe(iso(counted))
})

it('refuses what no export can be, and keeps nothing of it', async () => {
  const ann = await subscriber('ann')
  for (const [over, message] of [
    [{ file_name: undefined }, 'file_name is required'],
    [{ file_name: '' }, 'file_name must not be empty'],
    [{ file_name: 'x'.repeat(256) }, 'file_name must have at most 255 characters'],
    [{ file_name: 'a\0b' }, 'file_name must not hold a null character'],
    [{ file_size: 0 }, 'file_size must be a whole number from 1 to 4294967303'],
    [{ file_size: 2 ** 32 + 8 }, 'file_size must be a whole number from 1 to 4294967303'],
    [{ file_size: 1.5 }, 'file_size must be a whole number from 1 to 4294967303'],
    [{ speed: 0.09 }, 'speed must be a number from 0.1 to 2'],
    [{ speed: 'fast' }, 'speed must be a number from 0.1 to 2'],
    [{ pitch: 12.5 }, 'pitch must be a number from -12 to 12'],
    [{ pitch: [1, 2] }, 'pitch must be given once'],
    [{ change_id: '1' }, 'change_id has the wrong format'],
    [{ exported_at: 'yesterday' }, 'exported_at has the wrong format'],
  ] as const)
    expect(await record(ann, over), message).toEqual({ code: 400, message, data: null })
  expect((await list(ann)).data).toEqual([])
})

it('is among one’s own data, and gone with the account', async () => {
  const ann = await subscriber('ann')
  const { data: row } = await record(ann)
  const own = async () => (await site.app.inject({ url: '/api/account/export', headers: bearer(ann) })).json().data
  expect((await own()).make_history).toEqual([{ ...row, speed: 1.25, pitch: 0 }])
  // What was made is one's own, whatever became of the role.
  await site.storage.roles.clear('ann@example.com')
  const { uid, make_history } = await own()
  expect(make_history).toHaveLength(1)
  await site.app.inject({ method: 'POST', url: '/api/account/delete', headers: bearer(ann) })
  expect(await site.storage.makeHistory.all(uid, { limit: 9, offset: 0 })).toEqual([])
})
