import type { Api } from '../platform/api.ts'
import type { KeptPictures } from '../platform/device-storage.ts'
import { loadOnce } from '../platform/load-once.ts'
import type { Keeper, Keeping } from './keeper-interface.ts'
import { createLive } from './live.ts'
import { readOnce } from './memory-store.ts'
import type { CatalogueStore } from './store.ts'

interface KeeperDeps {
  api: Api
  store: CatalogueStore
  pictures: KeptPictures
  /** Device pixels per CSS pixel: what width of picture the rows ask for. */
  pixelRatio: number
  askToPersist(): Promise<boolean>
}

export function createKeeper({ askToPersist, ...deps }: KeeperDeps): Keeper {
  const { store } = deps
  const listeners = new Set<() => void>()
  let progress: ReadonlyMap<string, Keeping> = new Map()

  function tell(id: string, keeping: Keeping | undefined) {
    const next = new Map(progress)
    if (keeping) next.set(id, keeping)
    else next.delete(id)
    progress = next
    for (const listener of [...listeners]) listener()
  }

  const work = loadOnce(async () => (await import('./keeper-work.ts')).createKeeperWork({ ...deps, progress: () => progress, tell }))

  return {
    kept: createLive(store, async (tables) => (await tables.kept.all()).sort((a, b) => a.title.localeCompare(b.title))),
    progress: () => progress,
    onProgress(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async keep(id, title) {
      void askToPersist()
      const here = await work().catch(() => tell(id, { done: 0, total: 0, halted: 'failed' }))
      await here?.keep(id, title)
    },
    remove: async (id) => (await work()).remove(id),
    async resume() {
      const count = await readOnce(store, (tables) => tables.kept.count())
      // What does not come is asked for again when the connection is back.
      if (count > 0) await (await work().catch(() => undefined))?.resume()
    },
  }
}
