import { expect, it } from 'vitest'
import {
  classifyPath,
  isReplaceablePicture,
  isShellPath,
  isSiteDocument,
  listDocumentAssets,
  listPicturePathsInOtherWidths,
} from './routes.ts'

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
  ['/img/playlist/night-drive/1x2y3z/640', 'picture'],
  ['/assets/index-abc.js', 'asset'],
  ['/icon.svg', 'site-file'],
  ['/manifest.webmanifest', 'site-file'],
])('routes: %s is of kind %s', (path, kind) => {
  expect(classifyPath(path)).toBe(kind)
})

it("routes: the pages of a host are the paths in the shell's header", () => {
  expect(isShellPath('/song', '/,/song')).toBe(true)
  expect(isShellPath('/song/', '/,/song')).toBe(true)
  expect(isShellPath('/', '/,/song')).toBe(true)
  expect(isShellPath('/so', '/,/song')).toBe(false)
  expect(isShellPath('/anything/else', '*')).toBe(true)
})

it('routes: a truncated document and a document of another site are not recognised as documents of the site', () => {
  const pageHtml = '<!doctype html><html><script type="application/json" id="site">{}</script></html>'
  expect(isSiteDocument(`${pageHtml}\n`)).toBe(true)
  expect(isSiteDocument(pageHtml.slice(0, -4))).toBe(false)
  expect(isSiteDocument('')).toBe(false)
  expect(isSiteDocument('<html>Log in to the hotel</html>')).toBe(false)
})

it('routes: scripts and style sheets of a document are listed, each once', () => {
  const html = '<link href="/assets/a-1_x.css"><script src="/assets/b.js"></script><link href="/assets/b.js"><link href="/assets/f.woff2">'
  expect(listDocumentAssets(html)).toEqual(['/assets/a-1_x.css', '/assets/b.js'])
})

it('routes: the other widths of a picture are ordered by their distance from the requested width', () => {
  expect(listPicturePathsInOtherWidths('/img/song/x9/320')).toEqual(['/img/song/x9/160', '/img/song/x9/640', '/img/song/x9/1280'])
})

it.each([
  ['/img/song/abcdefghijk/320', false],
  ['/img/playlist/night-drive/1x2y3z/640', false],
  ['/img/playlist/night-drive/640', true],
  ['/img/supporter/aria/160', true],
])('routes: the picture of %s can be replaced: %s', (path, isExpected) => {
  expect(isReplaceablePicture(path)).toBe(isExpected)
})
