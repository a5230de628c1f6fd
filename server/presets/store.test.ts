import { expect, test } from 'vitest'
import { describeStores } from '../storage/testing/databases.ts'

const exampleSettings = { speed: 0.8, pitch: -2, reverb_size: 50, reverb_amount: 35, bass_db: 3 }

describeStores('maker presets', (fixture) => {
  const listNames = async (uid = 'ann') => (await fixture.storage.presets.list(uid)).map(({ name }) => name)
  const changePreset = (name: string, changedMs: number, changed: typeof exampleSettings | null = exampleSettings, uid = 'ann') =>
    fixture.storage.presets.change(uid, [{ name, settings: changed, changedMs }])

  test('presets are listed for each account in the order of their changes', async () => {
    await changePreset('Fog', 2000)
    await changePreset('夜', 1000)
    await changePreset('Fog', 1000, null, 'bob')
    await fixture.reopen()
    expect(await fixture.storage.presets.list('ann')).toEqual([
      { name: '夜', settings: exampleSettings, changed_at: '1970-01-01T00:00:01.000Z' },
      { name: 'Fog', settings: exampleSettings, changed_at: '1970-01-01T00:00:02.000Z' },
    ])
    expect(await listNames('bob')).toEqual([])
  })

  test('the latest change of a preset counts, also if it is a deletion; a change of the same time replaces the earlier change', async () => {
    await changePreset('Fog', 2000)
    await changePreset('Fog', 1000, null)
    expect(await listNames()).toEqual(['Fog'])
    await changePreset('Fog', 3000, null)
    await changePreset('Fog', 2500)
    expect(await listNames()).toEqual([])
    await changePreset('Fog', 3000, { ...exampleSettings, speed: 1.2 })
    expect(await fixture.storage.presets.list('ann')).toMatchObject([{ settings: { speed: 1.2 } }])
  })

  test('an account keeps the 200 presets that were changed last, deleted ones included', async () => {
    const presetChanges = Array.from({ length: 201 }, (_, index) => ({
      name: `preset ${index}`,
      settings: index < 100 ? exampleSettings : null,
      changedMs: index,
    }))
    await changePreset('bob’s', 0, exampleSettings, 'bob')
    await fixture.storage.presets.change('ann', presetChanges)
    expect(await listNames()).toHaveLength(99)
    expect((await listNames())[0]).toBe('preset 1')
    expect(await listNames('bob')).toEqual(['bob’s'])
  })
})
