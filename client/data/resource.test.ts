import { expect, it } from 'vitest'
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
