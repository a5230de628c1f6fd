import { expect, it } from 'vitest'
import { isDocument, isShellPath, kindOf, otherWidths, partsOf } from './routes.ts'

it.each([
  ['/', 'page'],
  ['/song', 'page'],
  ['/account/maker', 'page'],
  ['/api/song/get', 'server'],
  ['/api', 'server'],
  ['/api/docs', 'server'],
  ['/account/link_discord', 'server'],
  ['/robots.txt', 'server'],
  ['/sitemap.xml', 'server'],
  ['/latest.atom', 'server'],
  ['/img/og/song/abcdefghijk.jpg', 'server'],
  ['/img/og/site.jpg', 'server'],
  ['/shell', 'server'],
  ['/go/random', 'redirect'],
  ['/go/favorites', 'redirect'],
  ['/img/song/abcdefghijk/320', 'picture'],
  ['/img/playlist/night-drive/640', 'picture'],
  ['/assets/index-abc.js', 'asset'],
  ['/icon.svg', 'site-file'],
  ['/manifest.webmanifest', 'site-file'],
])('takes %s for: %s', (path, kind) => {
  expect(kindOf(path)).toBe(kind)
})

it('knows the pages of a host by what its shell names', () => {
  expect(isShellPath('/song', '/,/song')).toBe(true)
  expect(isShellPath('/song/', '/,/song')).toBe(true)
  expect(isShellPath('/', '/,/song')).toBe(true)
  expect(isShellPath('/so', '/,/song')).toBe(false)
  expect(isShellPath('/anything/else', '*')).toBe(true)
})

it('tells a whole page of the site from garbage', () => {
  const page = '<!doctype html><html><script type="application/json" id="site">{}</script></html>'
  expect(isDocument(`${page}\n`)).toBe(true)
  expect(isDocument(page.slice(0, -4))).toBe(false)
  expect(isDocument('')).toBe(false)
  expect(isDocument('<html>Log in to the hotel</html>')).toBe(false)
})

it('finds the scripts and style sheets of a document, each once', () => {
  const html = '<link href="/assets/a-1_x.css"><script src="/assets/b.js"></script><link href="/assets/b.js"><link href="/assets/f.woff2">'
  expect(partsOf(html)).toEqual(['/assets/a-1_x.css', '/assets/b.js'])
})

it('looks for another width of a picture, nearest first', () => {
  expect(otherWidths('/img/song/x9/320')).toEqual(['/img/song/x9/160', '/img/song/x9/640', '/img/song/x9/1280'])
})
