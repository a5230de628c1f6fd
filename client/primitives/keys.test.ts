import { expect, it } from 'vitest'
import { isForInputMethod, readPressedKey } from './keys.ts'

// The cast is safe, because the functions read only these fields of the event.
const createKeyEvent = (fields: Partial<KeyboardEvent>) =>
  ({ shiftKey: false, isComposing: false, keyCode: 0, code: '', key: '', ...fields }) as KeyboardEvent

it.each([
  ['a Russian layout', 'л', 'KeyK', 'k'],
  ['a Russian layout with Caps Lock', 'Л', 'KeyK', 'k'],
  ['a Hebrew layout', 'צ', 'KeyM', 'm'],
  ['a Greek layout', 'μ', 'KeyM', 'm'],
  ['an Arabic layout', 'ن', 'KeyK', 'k'],
  ['a Dvorak layout, by its letter', 'k', 'KeyV', 'k'],
  ['a Dvorak layout, where a sign has the place of a letter', '.', 'KeyV', '.'],
  ['a key without a letter', 'ж', 'Semicolon', 'ж'],
  ['an arrow', 'ArrowUp', 'ArrowUp', 'arrowup'],
  ['a key of a script', '?', '', '?'],
])('readPressedKey: the value is correct for %s', (_, key, code, expected) => {
  expect(readPressedKey(createKeyEvent({ key, code }))).toBe(expected)
})

it('readPressedKey: the list of shortcuts opens on a Russian layout', () => {
  expect(readPressedKey(createKeyEvent({ key: ',', code: 'Slash', shiftKey: true }))).toBe('?')
  expect(readPressedKey(createKeyEvent({ key: ',', code: 'Comma' }))).toBe(',')
})

it('isForInputMethod: a pressed key belongs to an input method during a composition, and in Safari also once after the composition', () => {
  expect(isForInputMethod(createKeyEvent({ key: 'Enter', isComposing: true }))).toBe(true)
  expect(isForInputMethod(createKeyEvent({ key: 'Enter', keyCode: 229 }))).toBe(true)
  expect(isForInputMethod(createKeyEvent({ key: 'Enter', keyCode: 13 }))).toBe(false)
})
