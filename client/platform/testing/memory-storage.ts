import { createWebStorage } from '../web-storage.ts'

/** Creates an in-memory storage. `valueByKey` are the texts that it already contains. */
export function createMemoryStorage(initialItems: Record<string, string> = {}) {
  const valueByKey = new Map(Object.entries(initialItems))
  const storageArea = {
    getItem: (key: string) => valueByKey.get(key) ?? null,
    setItem: (key: string, text: string) => void valueByKey.set(key, text),
    removeItem: (key: string) => void valueByKey.delete(key),
  }
  return { ...createWebStorage(() => storageArea), values: valueByKey }
}
