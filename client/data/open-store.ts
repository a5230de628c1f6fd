import { CatalogueDb, createDexieStore, SCHEMA_VERSION } from './db.ts'
import { createFallbackStore, type FallbackStore } from './fallback-store.ts'
import { createMemoryStore } from './memory-store.ts'
import type { DeviceStore, StoreHealth } from './store.ts'

// Some browsers neither open nor refuse a database in private windows; an old tab may not let go of it.
const OPEN_TIMEOUT_MS = 3_000
/** What a browser says that gives no database at all: to begin anew would not help. */
const refusals = new Set(['SecurityError', 'InvalidStateError', 'MissingAPIError', 'QuotaExceededError', 'NotAllowedError'])

/**
 * Opens the database of this device. Always gives a store, and soon: where there is no database, one that lasts as long as
 * the page, and whose `health` says why. A database that cannot be read is begun anew, once.
 */
export async function openStore(name?: string, timeoutMs = OPEN_TIMEOUT_MS): Promise<DeviceStore> {
  const first = await open(name, timeoutMs)
  if (typeof first !== 'string') return keep(first, 'kept')
  if (first !== 'broken') return inMemory(first)
  if (!(await remove(name, timeoutMs))) return inMemory('refused')
  const second = await open(name, timeoutMs)
  return typeof second === 'string' ? inMemory('refused') : keep(second, 'restarted')
}

async function open(name: string | undefined, timeoutMs: number): Promise<CatalogueDb | 'broken' | 'blocked' | 'refused' | 'outdated'> {
  const db = new CatalogueDb(name)
  let blocked = false
  let late = false
  db.on('blocked', () => {
    blocked = true
    return false
  })
  const opening = db.open().then(
    () => {
      // It came after the page went on without it: let go, so that it stands in nobody's way.
      if (late) db.close()
      return db
    },
    (error: unknown) => (isRefusal(error) ? ('refused' as const) : ('broken' as const)),
  )
  const opened = await Promise.race([opening, after(timeoutMs)])
  if (opened === undefined) {
    late = true
    return blocked ? 'blocked' : 'refused'
  }
  if (typeof opened === 'string') return opened
  // Dexie opens a newer schema as well; an older page must not write into it.
  if (opened.backendDB().version > SCHEMA_VERSION * 10 + 9) {
    opened.close()
    return 'outdated'
  }
  return opened
}

function keep(db: CatalogueDb, health: 'kept' | 'restarted'): DeviceStore {
  const store = createFallbackStore(createDexieStore(db), health)
  // A page of a newer version waits for this one to let go: what is on screen stays, and goes on in memory.
  db.on('versionchange', () => {
    store.fallBack('outdated')
    db.close()
    return false
  })
  // The browser took it away (storage cleared by hand, say).
  db.on('close', () => store.fallBack('refused'))
  return store
}

function inMemory(health: Exclude<StoreHealth, 'kept' | 'restarted'>): DeviceStore {
  const store: FallbackStore = createFallbackStore(createMemoryStore())
  store.fallBack(health)
  return store
}

async function remove(name: string | undefined, timeoutMs: number): Promise<boolean> {
  const removed = new CatalogueDb(name).delete().then(
    () => true,
    () => false,
  )
  return (await Promise.race([removed, after(timeoutMs)])) ?? false
}

const after = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms))

const isRefusal = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (('name' in error && typeof error.name === 'string' && refusals.has(error.name)) ||
    ('inner' in error && error.inner !== error && isRefusal(error.inner)))
