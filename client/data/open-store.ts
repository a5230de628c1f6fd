import { Dexie } from 'dexie'
import { CatalogueDb, createDexieStore, DATABASE_NAME, SCHEMA_VERSION } from './db.ts'
import { createFallbackStore, createMemoryOnlyStore } from './fallback-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { isSound, mendKept } from './row-shapes.ts'
import type { CatalogueStore, DeviceStore, KeptRow, OutboxRow } from './store.ts'

// Some browsers neither open nor refuse a database in private windows; an old tab may not let go of it.
const OPEN_TIMEOUT_MS = 3_000
/** How long what keeps a database from being read may last before it counts as broken. */
const SECOND_TRY_AFTER_MS = 1_000
/** What a browser says that gives no database at all: to begin anew would not help. */
const refusals = new Set(['SecurityError', 'InvalidStateError', 'MissingAPIError', 'QuotaExceededError', 'NotAllowedError'])

/**
 * Opens the database of this device. Always gives a store, and soon: where there is no database, one that lasts as long as
 * the page, and whose `health` says why. A database that cannot be read is begun anew, once.
 */
export async function openStore(name?: string, timeoutMs = OPEN_TIMEOUT_MS): Promise<DeviceStore> {
  // What offline search needs is here before the connection goes, where no worker keeps it.
  import('./song-texts.ts').catch(() => {})
  let first = await open(name, timeoutMs)
  // What cannot be read for a moment can be read the next; what is deleted is gone.
  if (first === 'broken') {
    await after(SECOND_TRY_AFTER_MS)
    first = await open(name, timeoutMs)
  }
  if (typeof first !== 'string') return first.outdated ? readingOnly(first.db) : keep(first.db, 'kept', timeoutMs)
  if (first !== 'broken') return createMemoryOnlyStore(first)
  const { kept, outbox } = await salvage(name, timeoutMs)
  if (!(await remove(name, timeoutMs))) return createMemoryOnlyStore('refused')
  const second = await open(name, timeoutMs)
  if (typeof second === 'string' || second.outdated) return createMemoryOnlyStore('refused')
  const store = keep(second.db, kept ? 'kept' : 'restarted', timeoutMs)
  await store.change(async (tables) => {
    await tables.kept.put(kept ?? [])
    await tables.outbox.put(outbox ?? [])
  })
  return store
}

/** Out of a database that is about to go: what a person chose to keep, to be fetched once more, and what was not sent yet. */
async function salvage(name: string | undefined, timeoutMs: number): Promise<{ kept?: KeptRow[]; outbox?: OutboxRow[] }> {
  // As it stands, whatever its tables are.
  const db = new Dexie(name ?? DATABASE_NAME)
  const opening = db.open()
  const rowsOf = <T>(table: string) => {
    const reading = opening.then(() => db.table<T, string>(table).toArray()).catch(() => undefined)
    return Promise.race([reading, after(timeoutMs)])
  }
  const [kept, outbox] = await Promise.all([rowsOf<KeptRow>('kept'), rowsOf<OutboxRow>('outbox')])
  db.close()
  return {
    ...(kept && { kept: kept.filter(({ id }) => typeof id === 'string').map(mendKept) }),
    ...(outbox && { outbox: outbox.filter(isSound.outbox) }),
  }
}

interface Opened {
  db: CatalogueDb
  /** A newer version has made it: it may be read, as far as its rows are as this version knows them. */
  outdated: boolean
}

async function open(name: string | undefined, timeoutMs: number): Promise<Opened | 'broken' | 'blocked' | 'refused'> {
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
  if (opened.backendDB().version > SCHEMA_VERSION * 10 + 9) return { db: opened, outdated: true }
  if (!hasOwnKeys(opened)) {
    opened.close()
    return 'broken'
  }
  return { db: opened, outdated: false }
}

/** Dexie adds what is missing, but a table whose rows have another key takes none of ours. */
function hasOwnKeys(db: CatalogueDb): boolean {
  const transaction = db.backendDB().transaction(db.tables.map((table) => table.name))
  return db.tables.every((table) => transaction.objectStore(table.name).keyPath === table.schema.primKey.keyPath)
}

function keep(db: CatalogueDb, health: 'kept' | 'restarted', timeoutMs: number): DeviceStore {
  const store = createFallbackStore(createDexieStore(db), health)
  // A page of a newer version waits for this one to let go: what is on screen stays, and goes on in memory.
  db.on('versionchange', () => {
    store.fallBack('outdated', readAgain(db.name, timeoutMs))
    db.close()
    return false
  })
  // The browser took it away (storage cleared by hand, say).
  db.on('close', () => store.fallBack('refused'))
  return store
}

/** The rows of a database that a newer version is taking over, once it has; none where it did not. */
function readAgain(name: string, timeoutMs: number): CatalogueStore {
  const opening = open(name, timeoutMs).then((opened) => {
    if (typeof opened === 'string') throw new Error(`It cannot be read again: ${opened}.`)
    if (!opened.outdated) {
      opened.db.close()
      throw new Error('It is gone.')
    }
    return readable(opened.db)
  })
  opening.catch(() => {
    // Each reader hears of it.
  })
  return {
    watch(read, observer) {
      let stop: (() => void) | undefined
      let stopped = false
      opening.then(
        (store) => {
          if (!stopped) stop = store.watch(read, observer)
        },
        (error: unknown) => observer.error(error),
      )
      return () => {
        stopped = true
        stop?.()
      }
    },
    change: () => Promise.reject(new Error('A newer version has taken it over.')),
  }
}

function readable(db: CatalogueDb): CatalogueStore {
  db.on('versionchange', () => {
    db.close()
    return false
  })
  return createDexieStore(db, { mends: false })
}

function readingOnly(db: CatalogueDb): DeviceStore {
  const store = createFallbackStore(createMemoryStore())
  store.fallBack('outdated', readable(db))
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
