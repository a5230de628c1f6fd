import { beforeEach, expect, test, vi } from 'vitest'
import type { EndpointInput } from '../../../contract/endpoints.ts'
import type { MakerPreset } from '../../../contract/presets.ts'
import type { AccountApi } from '../../platform/api.ts'
import { localStore } from '../../platform/web-storage.ts'
import { adoptEarlierPresets, changeOwnPresets, readOwnPresets, subscribeToOwnPresets, syncOwnPresets } from './own-presets.ts'

const settings = { speed: 0.8, pitch: 0, reverbSize: 50, reverbAmount: 35, bassDb: 3 }
const fasterSettings = { ...settings, speed: 1.2 }
const listNames = (uid = 'ann') => readOwnPresets(uid).map(({ name }) => name)

beforeEach(() => localStorage.clear())

/**
 * Simulates the server's presets of an account: the server stores the latest change for each name. `onCall` runs before a call is answered.
 */
function createAccount() {
  const presetByName = new Map<string, { settings: MakerPreset['settings'] | null; changed_at: string }>()
  const callCounts: number[] = []
  let onCall = () => {}
  const call = async (_key: string, { changes = [] }: EndpointInput<'POST /make/presets'>) => {
    onCall()
    callCounts.push(changes.length)
    for (const { name, ...change } of changes)
      if ((presetByName.get(name)?.changed_at ?? '') <= change.changed_at) presetByName.set(name, change)
    return [...presetByName]
      .flatMap(([name, row]) => (row.settings === null ? [] : [{ name, settings: row.settings, changed_at: row.changed_at }]))
      .sort((a, b) => (a.changed_at < b.changed_at ? -1 : 1))
  }
  return {
    // The cast is safe, because the test calls no other endpoint.
    api: { call } as unknown as AccountApi,
    calls: callCounts,
    rows: presetByName,
    before(work: () => void) {
      onCall = work
    },
  }
}

test('own presets: presets are sent to the account, and another device receives them with their settings', async () => {
  const account = createAccount()
  changeOwnPresets('ann', [{ name: 'Fog', settings }])
  await syncOwnPresets(account.api, 'ann')
  localStorage.clear()
  expect(listNames()).toEqual([])
  await syncOwnPresets(account.api, 'ann')
  expect(readOwnPresets('ann')).toEqual([{ name: 'Fog', settings }])
  expect(readOwnPresets('bob')).toEqual([])
  expect(account.calls).toEqual([1, 0])
})

test('own presets: without a connection, a changed or deleted preset stays so on the device, and the change is sent by the next call', async () => {
  const account = createAccount()
  changeOwnPresets('ann', [{ name: 'Fog', settings }])
  account.before(() => {
    throw new TypeError('no network')
  })
  await expect(syncOwnPresets(account.api, 'ann')).rejects.toThrow('no network')
  expect(listNames()).toEqual(['Fog'])
  account.before(() => {})
  await syncOwnPresets(account.api, 'ann')
  changeOwnPresets('ann', [{ name: 'Fog', settings: null }])
  expect(listNames()).toEqual([])
  await syncOwnPresets(account.api, 'ann')
  expect(account.rows.get('Fog')?.settings).toBeNull()
  expect(localStore.readJson('varispeed.presets.ann')).toEqual([])
})

test('own presets: a change during a call is kept, and is sent after it', async () => {
  const account = createAccount()
  changeOwnPresets('ann', [{ name: 'Fog', settings }])
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1000)
  account.before(() => {
    if (account.calls.length === 0) changeOwnPresets('ann', [{ name: 'Fog', settings: fasterSettings }])
  })
  await syncOwnPresets(account.api, 'ann')
  vi.restoreAllMocks()
  expect(readOwnPresets('ann')).toEqual([{ name: 'Fog', settings: fasterSettings }])
  expect(account.rows.get('Fog')?.settings?.speed).toBe(1.2)
  expect(account.calls).toEqual([1, 1])
})

test("own presets: presets that an earlier version stored become presets of the first account, but replace none of the account's own presets", async () => {
  localStore.write('varispeed.presets', JSON.stringify([{ name: 'Fog', settings }, { name: 'Old', settings }, { name: 3 }]))
  changeOwnPresets('ann', [{ name: 'Fog', settings: fasterSettings }])
  adoptEarlierPresets('ann')
  expect(readOwnPresets('ann')).toEqual([
    { name: 'Old', settings },
    { name: 'Fog', settings: fasterSettings },
  ])
  adoptEarlierPresets('bob')
  expect(listNames('bob')).toEqual([])
})

test('own presets: if the browser refuses to store presets, they last until the page is closed, and listeners are notified', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const onChange = vi.fn()
  const unsubscribe = subscribeToOwnPresets(onChange)
  changeOwnPresets('dee', [{ name: 'Fog', settings }])
  expect(listNames('dee')).toEqual(['Fog'])
  expect(readOwnPresets('dee')).toBe(readOwnPresets('dee'))
  expect(onChange).toHaveBeenCalledOnce()
  unsubscribe()
  vi.restoreAllMocks()
})
