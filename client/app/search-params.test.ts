import { expect, it } from 'vitest'
import { parseSearch, stringifySearch } from './search-params.ts'

it('keeps what looks like a number or JSON as text', () => {
  expect(parseSearch('?q=2024&p=null&s="x"')).toEqual({ q: '2024', p: 'null', s: '"x"' })
  expect(stringifySearch({ q: '2024' })).toBe('?q=2024')
})

it('writes addresses as the product names them', () => {
  expect(stringifySearch({ s: 'dQw4w9WgXcQ', p: 'favorite', shuffle: '' })).toBe('?s=dQw4w9WgXcQ&p=favorite&shuffle')
  expect(stringifySearch({ q: undefined })).toBe('')
})

it.each(['neon rain', 'a&b=c', '100%', 'Señorita ☂', '#?/', ' '])('gives %j back as it was', (q) => {
  expect(parseSearch(stringifySearch({ q }))).toEqual({ q })
})

it('survives what is no valid escape', () => {
  expect(parseSearch('?q=%E0%A4%A')).toHaveProperty('q')
})
