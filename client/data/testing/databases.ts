import { createDeviceDatabase } from '../device-database.ts'
import type { LocalDatabase } from '../local-database.ts'
import { createMemoryDatabase } from '../memory-database.ts'
import { openDiskDatabase } from '../open-database.ts'

/** Wraps a database, by default one in memory, in a device database whose state is `open`. */
export const wrapInDeviceDatabase = (disk: LocalDatabase = createMemoryDatabase()) =>
  createDeviceDatabase({ kind: 'open', disk, health: 'persistent' })

/** Opens the IndexedDB database `name` with the current schema, and wraps it in a device database. */
export const openDeviceDatabase = async (name: string, timeoutMs?: number) => createDeviceDatabase(await openDiskDatabase(name, timeoutMs))
