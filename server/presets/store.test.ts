import { expect, test } from 'vitest'
import { describeStores } from '../storage/testing/databases.ts'

const settings = { speed: 0.8, pitch: -2, reverb_size: 50, reverb_amount: 35, bass_db: 3 }

describeStores('maker presets', (fixture) => {
  const listNames = async (uid = 'ann') => (await fixture.storage.presets.list(uid)).map(({ name }) => name)
  const change = (name: string, changedMs: number, changed: typeof settings | null = settings, uid = 'ann') =>
    fixture.storage.presets.change(uid, [{ name, settings: changed, changedMs }])

  test('presets are listed for each account in the order of their changes', async () => {
    await change('Fog', 2000)
    await change('夜', 1000)
    await change('Fog', 1000, null, 'bob')
    await fixture.reopen()
    expect(await fixture.storage.presets.list('ann')).toEqual([
      { name: '夜', settings, changed_at: '1970-01-01T00:00:01.000Z' },
      { name: 'Fog', settings, changed_at: '1970-01-01T00:00:02.000Z' },
    ])
    expect(await listNames('bob')).toEqual([])
  })

  test('the latest change of a name counts, also if it is a deletion; a change of the same time replaces the earlier change', async () => {
    await change('Fog', 2000)
    await change('Fog', 1000, null)
    expect(await listNames()).toEqual(['Fog'])
    await change('Fog', 3000, null)
    await change('Fog', 2500)
    expect(await listNames()).toEqual([])
    await change('Fog', 3000, { ...settings, speed: 1.2 })
    expect(await fixture.storage.presets.list('ann')).toMatchObject([{ settings: { speed: 1.2 } }])
  })

  test('an account keeps the 200 rows that were changed last, deletions included', async () => {
    const changes = Array.from({ length: 201 }, (_, index) => ({
      name: `preset ${index}`,
      settings: index < 100 ? settings : null,
      changedMs: index,
    }))
    await change('bob’s', 0, settings, 'bob')
    await fixture.storage.presets.change('ann', changes)
    expect(await listNames()).toHaveLength(99)
    expect((await listNames())[0]).toBe('preset 1')
    expect(await listNames('bob')).toEqual(['bob’s'])
  })
})
