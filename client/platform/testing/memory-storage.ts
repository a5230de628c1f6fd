import { createWebStorage } from '../web-storage.ts'

/** Creates an in-memory storage. `initialItems` are the texts that it already contains, by key. */
export function createMemoryStorage(initialItems: Record<string, string> = {}) {
  const valueByKey = new Map(Object.entries(initialItems))
  const storageArea = {
    getItem: (key: string) => valueByKey.get(key) ?? null,
    setItem: (key: string, text: string) => void valueByKey.set(key, text),
    removeItem: (key: string) => void valueByKey.delete(key),
  }
  return { ...createWebStorage(() => storageArea), values: valueByKey }
}
