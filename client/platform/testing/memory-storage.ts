import { createWebStorage } from '../web-storage.ts'

/** Creates a storage in memory. `values` are the stored texts. */
export function createMemoryStorage(initialItems: Record<string, string> = {}) {
  const values = new Map(Object.entries(initialItems))
  const area = { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, text: string) => void values.set(key, text) }
  return { ...createWebStorage(() => area), values }
}
