import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const settings = { speed: 0.8, pitch: 0, reverb_size: 50, reverb_amount: 35, bass_db: 3 }

let site: TestApp
beforeEach(async () => {
  site = await createTestApp({}, { nowMs: () => NOW_MS })
})
afterEach(() => site.close())

async function createSubscriber(name: string): Promise<string> {
  const { idToken } = (await createSdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json()
  await site.storage.roles.grant(`${name}@example.com`, { role: 'subscriber', source: 'admin', untilMs: undefined })
  return idToken
}
const sync = async (token: string, changes?: readonly object[]) =>
  (
    await site.app.inject({
      method: 'POST',
      url: '/api/make/presets',
      headers: { authorization: `Bearer ${token}` },
      payload: changes === undefined ? {} : { changes },
    })
  ).json()

it('maker presets: changes of two devices are joined, a deletion is not undone by an older change, and a time in the future counts as now', async () => {
  const ann = await createSubscriber('ann')
  const fog = { name: 'Fog', settings, changed_at: '2026-03-01T10:00:00.000Z' }
  expect(await sync(ann, [fog])).toEqual({ code: 200, message: 'OK', data: [fog] })
  const { data } = await sync(ann, [{ name: 'Late night', settings, changed_at: '2027-01-01T00:00:00Z' }])
  expect(data).toEqual([fog, { name: 'Late night', settings, changed_at: '2026-03-01T12:00:00.000Z' }])
  await sync(ann, [{ name: 'Fog', settings: null, changed_at: '2026-03-01T11:00:00Z' }])
  await sync(ann, [{ ...fog, changed_at: '2026-03-01T10:30:00Z' }])
  expect((await sync(ann)).data).toMatchObject([{ name: 'Late night' }])
  expect((await sync(await createSubscriber('bob'))).data).toEqual([])
})

it.each([
  ['an empty name', { name: '' }],
  ['a long name', { name: 'x'.repeat(81) }],
  ['a speed out of range', { settings: { ...settings, speed: 3 } }],
  ['missing settings', { settings: { speed: 1 } }],
  ['a time that is none', { changed_at: 'yesterday' }],
])('maker presets: %s is refused', async (_, change) => {
  const ann = await createSubscriber('ann')
  expect((await sync(ann, [{ name: 'Fog', settings, changed_at: '2026-03-01T10:00:00Z', ...change }])).code).toBe(400)
  expect((await sync(ann)).data).toEqual([])
})
