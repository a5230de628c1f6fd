import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const fogSettings = { speed: 0.8, pitch: 0, reverb_size: 50, reverb_amount: 35, bass_db: 3 }

let site: TestApp
beforeEach(async () => {
  site = await createTestApp({}, { nowMs: () => NOW_MS })
})
afterEach(() => site.close())

async function createSubscriber(subscriberName: string): Promise<string> {
  const { idToken } = (await createSdkCalls(site).signUp(`${subscriberName}@example.com`, 'secret-1')).json()
  await site.storage.roles.grant(`${subscriberName}@example.com`, { role: 'subscriber', source: 'admin', untilMs: undefined })
  return idToken
}
const syncPresets = async (idToken: string, presetChanges?: readonly object[]) =>
  (
    await site.app.inject({
      method: 'POST',
      url: '/api/make/presets',
      headers: { authorization: `Bearer ${idToken}` },
      payload: presetChanges === undefined ? {} : { changes: presetChanges },
    })
  ).json()

it('maker presets: changes of two devices are joined, a deletion is not undone by an older change, and a time in the future counts as now', async () => {
  const annToken = await createSubscriber('ann')
  const fogPreset = { name: 'Fog', settings: fogSettings, changed_at: '2026-03-01T10:00:00.000Z' }
  expect(await syncPresets(annToken, [fogPreset])).toEqual({ code: 200, message: 'OK', data: [fogPreset] })
  const { data } = await syncPresets(annToken, [{ name: 'Late night', settings: fogSettings, changed_at: '2027-01-01T00:00:00Z' }])
  expect(data).toEqual([fogPreset, { name: 'Late night', settings: fogSettings, changed_at: '2026-03-01T12:00:00.000Z' }])
  await syncPresets(annToken, [{ name: 'Fog', settings: null, changed_at: '2026-03-01T11:00:00Z' }])
  await syncPresets(annToken, [{ ...fogPreset, changed_at: '2026-03-01T10:30:00Z' }])
  expect((await syncPresets(annToken)).data).toMatchObject([{ name: 'Late night' }])
  expect((await syncPresets(await createSubscriber('bob'))).data).toEqual([])
})

it.each([
  ['an empty name', { name: '' }],
  ['a long name', { name: 'x'.repeat(81) }],
  ['a speed out of range', { settings: { ...fogSettings, speed: 3 } }],
  ['missing settings', { settings: { speed: 1 } }],
  ['a time that is none', { changed_at: 'yesterday' }],
])('maker presets: %s is refused', async (_, invalidChange) => {
  const annToken = await createSubscriber('ann')
  expect(
    (await syncPresets(annToken, [{ name: 'Fog', settings: fogSettings, changed_at: '2026-03-01T10:00:00Z', ...invalidChange }])).code,
  ).toBe(400)
  expect((await syncPresets(annToken)).data).toEqual([])
})
