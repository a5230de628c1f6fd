import { createMemoryStore, readOnce } from './memory-store.ts'
import type { CatalogueStore, DeviceStore, StoreHealth } from './store.ts'

type Troubled = Exclude<StoreHealth, 'kept' | 'restarted'>

export interface FallbackStore extends DeviceStore {
  /** Leaves `base` for good, or, for `full`, until `recover`. `under`: what may still be read. */
  fallBack(health: Troubled, under?: CatalogueStore): void
}

/**
 * `base` as long as it works. From its first failure on, writes go to memory, and reads see both (memory alone, where
 * `base` may not be read either). A write that does not fit is tried once more after `makeRoom`.
 */
export function createFallbackStore(base: CatalogueStore, health: 'kept' | 'restarted' = 'kept'): FallbackStore {
  let current = base
  let state: StoreHealth = health
  let makeRoom: ((store: CatalogueStore) => Promise<void>) | undefined
  let making: Promise<void> | undefined
  const moved = new Set<() => void>()
  const listeners = new Set<() => void>()
  const writeListeners = new Set<() => void>()

  function move(to: CatalogueStore, next: StoreHealth) {
    current = to
    state = next
    for (const resubscribe of [...moved]) resubscribe()
    for (const listener of [...listeners]) listener()
  }

  function fallBack(next: Troubled, under = base) {
    if (current === base) move(createMemoryStore(under), next)
  }

  async function fitted(work: Parameters<CatalogueStore['change']>[0]): Promise<boolean> {
    if (!makeRoom) return false
    making ??= makeRoom(base).finally(() => {
      making = undefined
    })
    try {
      await making
      await base.change(work)
      return true
    } catch {
      return false
    }
  }

  return {
    get health() {
      return state
    },
    onHealth(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setMakeRoom(give) {
      makeRoom = give
    },
    onWritten(listener) {
      writeListeners.add(listener)
    },
    async recover() {
      if (state !== 'full') return
      const memory = current
      try {
        // What the site was not told yet is nowhere else.
        const unsent = await readOnce(
          memory,
          async ({ outbox, favoriteClocks }) => [await outbox.all(), await favoriteClocks.all()] as const,
        )
        const [rows, clocks] = unsent
        await base.change(async (tables) => {
          const left = new Set(rows.map(({ id }) => id))
          await tables.outbox.remove((await tables.outbox.keys()).filter((id) => !left.has(id)))
          await tables.outbox.put(rows)
          await tables.favoriteClocks.put(clocks)
        })
        if (current === memory) move(base, 'kept')
      } catch {
        // There is still no room: it stays as it was.
      }
    },
    fallBack,
    watch(read, observer) {
      let told = false
      const follow = (): (() => void) => {
        const from = current
        return current.watch(read, {
          next(value) {
            // Rows that only the store that was left knows stay on the page.
            if (value === undefined && told && state === 'outdated') return
            told ||= value !== undefined
            observer.next(value)
          },
          error: (error) => (from === base && current === base ? fallBack('refused') : observer.error(error)),
        })
      }
      let stop = follow()
      const resubscribe = () => {
        stop()
        stop = follow()
      }
      moved.add(resubscribe)
      return () => {
        moved.delete(resubscribe)
        stop()
      }
    },
    async change(work) {
      if (current === base) {
        try {
          await base.change(work)
          for (const listener of writeListeners) listener()
          return
        } catch (error) {
          // A fault of the work itself says nothing of the database.
          if (error instanceof TypeError || error instanceof RangeError) throw error
          const full = isQuota(error)
          if (full && (await fitted(work))) return
          fallBack(full ? 'full' : 'refused')
        }
      }
      await current.change(work)
    },
  }
}

/** Lasts as long as the page, for the reason that `health` tells. */
export function createMemoryOnlyStore(health: Troubled): DeviceStore {
  const store = createFallbackStore(createMemoryStore())
  store.fallBack(health)
  return store
}

/** Whether a write failed for want of space; a transaction tells it as the cause of its own end. */
export function isQuota(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if ('name' in error && error.name === 'QuotaExceededError') return true
  return 'inner' in error && error.inner !== error && isQuota(error.inner)
}
