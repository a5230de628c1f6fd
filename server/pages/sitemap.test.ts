import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { PageAddressStore } from '../catalogue/store-page-addresses.ts'
import { listSitemapPaths } from './indexing.ts'
import { renderRowsSitemap, renderSitemapIndex } from './sitemap.ts'

const SONG_COUNT = 100_001
const pageAddressStore: PageAddressStore = {
  count: async (kind) => (kind === 'songs' ? SONG_COUNT : 0),
  list: async (_kind, firstRow, rowLimit) =>
    Array.from({ length: Math.max(0, Math.min(rowLimit, SONG_COUNT + 1 - firstRow)) }, (_, index) => ({
      id: `song-${firstRow + index}`,
      addedMs: 0,
    })),
}

it('a sitemap has at most 50,000 addresses, and all parts together contain every song once', async () => {
  const index = await renderSitemapIndex('https://example.org', pageAddressStore)
  expect(index.match(/songs-\d/g)).toEqual(['songs-1', 'songs-2', 'songs-3'])
  const songIds: string[] = []
  for (const partNumber of [1, 2, 3]) {
    const songsSitemap = await renderRowsSitemap('https://example.org', pageAddressStore, 'songs', partNumber)
    const partIds = (await text(songsSitemap ?? Readable.from([]))).match(/song-\d+/g) ?? []
    expect(partIds.length).toBeLessThanOrEqual(50_000)
    songIds.push(...partIds)
  }
  expect(new Set(songIds).size).toBe(SONG_COUNT)
  expect(songIds).toHaveLength(SONG_COUNT)
  expect(await renderRowsSitemap('https://example.org', pageAddressStore, 'songs', 4)).toBeUndefined()
})

it('the sitemap of the pages lists the public, indexable, static pages that have a route', () => {
  expect(listSitemapPaths()).toEqual([
    '/',
    '/playlists',
    '/search',
    '/login',
    '/signup',
    '/forgot-password',
    '/subscribe',
    '/network',
    '/members',
    '/latest',
    '/get-in-touch',
    '/faq',
    '/about-us',
    '/privacy',
  ])
})
