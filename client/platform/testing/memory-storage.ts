import { createWebStorage } from '../web-storage.ts'

/** Creates an in-memory storage. `values` are the texts that it already contains. */
export function createMemoryStorage(initialItems: Record<string, string> = {}) {
  const values = new Map(Object.entries(initialItems))
  const area = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, text: string) => void values.set(key, text),
    removeItem: (key: string) => void values.delete(key),
  }
  return { ...createWebStorage(() => area), values }
}
