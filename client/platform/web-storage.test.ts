import { expect, test } from 'vitest'
import { createWebStorage } from './web-storage.ts'

test('web storage: a stored text can be read until it is removed', () => {
  const valueByKey = new Map<string, string>()
  const storage = createWebStorage(() => ({
    getItem: (key) => valueByKey.get(key) ?? null,
    setItem: (key, text) => valueByKey.set(key, text),
    removeItem: (key) => valueByKey.delete(key),
  }))
  expect(storage.write('key', '{"a":1}')).toBe(true)
  expect(storage.read('key')).toBe('{"a":1}')
  expect(storage.readJson('key')).toEqual({ a: 1 })
  storage.write('key', '{')
  expect(storage.readJson('key')).toBeUndefined()
  storage.write('key', undefined)
  expect(storage.read('key')).toBeNull()
  expect(storage.readJson('key')).toBeUndefined()
})

test('web storage: no error is thrown if the browser denies access or refuses a text', () => {
  const deniedStorage = createWebStorage(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  expect([deniedStorage.read('key'), deniedStorage.readJson('key'), deniedStorage.write('key', 'text')]).toEqual([null, undefined, false])
  const fullStorage = createWebStorage(() => ({
    getItem: () => null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }))
  expect(fullStorage.write('key', 'text')).toBe(false)
})
