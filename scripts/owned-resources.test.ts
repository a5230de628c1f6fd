import { expect, it } from 'vitest'
import { findUnownedResources } from './owned-resources.mjs'

const findNames = (text: string) => findUnownedResources('planted.ts', text).map(({ line, name }) => `${line}: ${name}`)

it.each([
  ["document.addEventListener('click', onClick)", 'addEventListener'],
  ["addEventListener('resize', follow, { passive: true })", 'addEventListener'],
  ["element?.addEventListener('wheel', onWheel)", 'addEventListener'],
  ['const timer = setInterval(check, 1000)', 'setInterval'],
  ['window.setInterval(check, 1000)', 'setInterval'],
  ['const url = URL.createObjectURL(blob)', 'createObjectURL'],
  ['setTimeout(remove, 5000)', 'setTimeout'],
  ['later(() => setTimeout(remove, 5000))', 'setTimeout'],
])('owned resources: a resource without an owner is found: %s', (text, name) => {
  expect(findNames(`\n${text}\n`)).toEqual([`2: ${name}`])
})

it.each([
  "scope.listen(document, 'click', onClick)",
  "addEventListener('resize', follow, { signal })",
  "element.addEventListener('wheel', onWheel, { passive: false, signal: abort.signal })",
  "signal?.addEventListener('abort', stop, { once: true })",
  "self.addEventListener('message', answer)",
  'const timer = setTimeout(check, 1000)',
  'new Promise((resolve) => setTimeout(resolve, 1000))',
  'setTimeout(inTheNextTask)',
  '// document.addEventListener is refused',
])('owned resources: no fault is found in: %s', (text) => {
  expect(findNames(text)).toEqual([])
})
