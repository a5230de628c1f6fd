import { expect, it } from 'vitest'
import { parseSearch, stringifySearch } from './search-params.ts'

it('search params: values that look like numbers or JSON stay strings', () => {
  expect(parseSearch('?q=2024&p=null&s="x"')).toEqual({ q: '2024', p: 'null', s: '"x"' })
  expect(stringifySearch({ q: '2024' })).toBe('?q=2024')
})

it('search params: keys are written in the order of the object, and a key with an empty value is written without `=`', () => {
  expect(stringifySearch({ s: 'dQw4w9WgXcQ', p: 'favorite', shuffle: '' })).toBe('?s=dQw4w9WgXcQ&p=favorite&shuffle')
  expect(stringifySearch({ q: undefined })).toBe('')
})

it.each(['neon rain', 'a&b=c', '100%', 'Señorita ☂', '#?/', ' '])('search params: %j survives a round trip', (q) => {
  expect(parseSearch(stringifySearch({ q }))).toEqual({ q })
})

it('search params: an invalid percent escape does not throw', () => {
  expect(parseSearch('?q=%E0%A4%A')).toHaveProperty('q')
})
