import { expect, it } from 'vitest'
import { createPageAddress } from './pages.ts'

it('page address: only parameters that the page knows remain, in a fixed order', () => {
  expect(createPageAddress('/song', '?utm_source=x&p=night&s=AAAAAAAAAA1')).toBe('/song?s=AAAAAAAAAA1&p=night')
  expect(createPageAddress('/search', 'q=neon+rain&q=caf%C3%A9&fbclid=1')).toBe('/search?q=caf%C3%A9')
  expect(createPageAddress('/song', 's=AAAAAAAAAA1&shuffle')).toBe('/song?s=AAAAAAAAAA1&shuffle=')
})

it('page address: the address of a page without parameters is its path without trailing slashes', () => {
  expect(createPageAddress('/', '?x=1')).toBe('/')
  expect(createPageAddress('/playlists//', '')).toBe('/playlists')
  expect(createPageAddress('/constructor', '?x=1')).toBe('/constructor')
  expect(createPageAddress('/song', '?q=%E0%A4%A')).toBe('/song')
})

it('page address: a path that consists only of slashes is processed in linear time', () => {
  // The time limit requires linear running time: a regular expression with quadratic backtracking would take minutes.
  const path = `${'/'.repeat(1_000_000)}x`
  expect(createPageAddress(path, '')).toBe(path)
})
