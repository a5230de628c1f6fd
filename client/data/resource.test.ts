import { expect, it, vi } from 'vitest'
import { PATIENCE_MS } from '../platform/api.ts'
import { createMemoryStore } from './memory-store.ts'
import { createResource } from './resource.ts'
import type { CatalogueStore } from './store.ts'

/** A store whose writes wait until `release`. */
function slowStore() {
  const store = createMemoryStore()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow: CatalogueStore = { ...store, change: async (work) => released.then(() => store.change(work)) }
  return { store: slow, release }
}

const row = (title: string) => ({ key: 'a', ids: [title], complete: true })

it('shows an answer before a slow disk has it, and what the store tells after that', async () => {
  const { store, release } = slowStore()
  const resource = createResource<string[]>({
    key: 'a',
    store,
    read: async (tables) => (await tables.lists.get('a'))?.ids,
    ask: async () => ({ rows: ['answered'], write: (tables) => tables.lists.put([row('written')]) }),
  })
  const refreshed = resource.refresh()
  await expect.poll(() => resource.getSnapshot()).toMatchObject({ data: ['answered'], status: 'ready' })
  await resource.opened()
  release()
  await refreshed
  expect(resource.getSnapshot()).toMatchObject({ data: ['written'], status: 'ready', error: undefined })
})

it('says after a while that no answer comes, shows what this device has instead, and takes the answer all the same', async () => {
  vi.useFakeTimers()
  try {
    let answer = (_rows: string[]) => {}
    const resource = createResource<string[]>({
      key: 'a',
      store: createMemoryStore(),
      read: async (tables) => (await tables.lists.get('a'))?.ids,
      readSpare: async () => ['spare'],
      ask: async () => {
        const rows = await new Promise<string[]>((resolve) => {
          answer = resolve
        })
        return { rows, write: (tables) => tables.lists.put([row('written')]) }
      },
    })
    const refreshed = resource.refresh()
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1)
    expect(resource.getSnapshot()).toMatchObject({ data: undefined, status: 'loading' })
    await vi.advanceTimersByTimeAsync(1)
    expect(resource.getSnapshot()).toMatchObject({ data: ['spare'], status: 'ready', error: { kind: 'network' } })
    answer(['answered'])
    await vi.advanceTimersByTimeAsync(1)
    await refreshed
    expect(resource.getSnapshot()).toMatchObject({ data: ['written'], status: 'ready', error: undefined })
  } finally {
    vi.useRealTimers()
  }
})
