import { expect, it } from 'vitest'
import { pageAddress } from './page-address.ts'

it('keeps what the page reads, in one order, and nothing else', () => {
  expect(pageAddress('/song', '?utm_source=x&p=night&s=AAAAAAAAAA1')).toBe('/song?s=AAAAAAAAAA1&p=night')
  expect(pageAddress('/search', 'q=neon+rain&q=caf%C3%A9&fbclid=1')).toBe('/search?q=caf%C3%A9')
  expect(pageAddress('/song', 's=AAAAAAAAAA1&shuffle')).toBe('/song?s=AAAAAAAAAA1&shuffle=')
})

it('is the path alone where nothing is read, without slashes at its end', () => {
  expect(pageAddress('/', '?x=1')).toBe('/')
  expect(pageAddress('/playlists//', '')).toBe('/playlists')
  expect(pageAddress('/constructor', '?x=1')).toBe('/constructor')
  expect(pageAddress('/song', '?q=%E0%A4%A')).toBe('/song')
})

it('takes a path of nothing but slashes in a moment', () => {
  const path = `${'/'.repeat(100_000)}x`
  const startedAt = performance.now()
  expect(pageAddress(path, '')).toBe(path)
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
