import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import { afterEach, expect, it, vi } from 'vitest'
import { pages } from '../../contract/pages.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
afterEach(() => site.close())

const readUrl = async (url: string, host = 'localhost:8080') => site.app.inject({ url, headers: { host } })

/** Returns the texts of the elements with the name `elementName` in an XML document, whose elements must all be closed in order. */
function listTexts(xml: string, elementName: string): string[] {
  const elementTexts: string[] = []
  const openElementNames: string[] = []
  const xmlParser = new Parser(
    {
      onopentag: (tag) => openElementNames.push(tag) && tag === elementName && elementTexts.push(''),
      ontext: (text) => {
        if (openElementNames.at(-1) === elementName) elementTexts[elementTexts.length - 1] += text
      },
      onclosetag: (tag, isImplied) => {
        expect([openElementNames.pop(), isImplied && !xml.includes(`<${tag} `)]).toEqual([tag, false])
      },
    },
    { xmlMode: true },
  )
  xmlParser.end(xml)
  expect(openElementNames).toEqual([])
  return elementTexts
}

it('robots.txt names the sitemap of the brand, only on main hosts', async () => {
  site = await createTestApp()
  expect((await readUrl('/robots.txt')).body).toContain('Sitemap: http://localhost:8080/sitemap.xml')
  expect((await readUrl('/robots.txt', 'slowedreverb.localhost:8080')).body).toContain(
    'Sitemap: http://slowedreverb.localhost:8080/sitemap.xml',
  )
  expect((await readUrl('/robots.txt', 'fm.localhost:8080')).body).not.toContain('Sitemap')
  expect((await readUrl('/sitemap.xml', 'aria.localhost:8080')).statusCode).toBe(404)
  expect((await readUrl('/sitemap.xml', 'fm.localhost:8080')).headers['content-type']).toContain('text/html')
})

it('the sitemaps list every song, every playlist with songs, and the pages that search engines may index', async () => {
  site = await createTestApp()
  const indexResponse = await readUrl('/sitemap.xml')
  expect(indexResponse.headers['content-type']).toContain('application/xml')
  const sitemapUrls = listTexts(indexResponse.body, 'loc')
  expect(sitemapUrls).toEqual(['pages', 'songs-1', 'playlists-1'].map((name) => `http://localhost:8080/sitemaps/${name}.xml`))
  const [pageUrls = [], songUrls = [], playlistUrls = []] = await Promise.all(
    sitemapUrls.map(async (location) => listTexts((await readUrl(new URL(location).pathname)).body, 'loc')),
  )
  expect(pageUrls).toContain('http://localhost:8080/what-is-nightcore')
  for (const url of pageUrls) expect((await readUrl(new URL(url).pathname)).statusCode).toBe(200)
  const pagePaths = pageUrls.map((url) => new URL(url).pathname)
  for (const [path, page] of Object.entries(pages)) if ('access' in page || 'planned' in page) expect(pagePaths).not.toContain(path)
  for (const path of ['/recent', '/year', '/storage', '/reset-password', '/verify-email']) expect(pagePaths).not.toContain(path)
  expect(songUrls.toSorted()).toEqual(
    ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3', 'BBBBBBBBBB1'].map((id) => `http://localhost:8080/song?s=${id}`),
  )
  expect(playlistUrls).toContain('http://localhost:8080/playlist?p=night-drive')
  expect(playlistUrls).not.toContain('http://localhost:8080/playlist?p=empty')
  for (const url of playlistUrls) expect((await readUrl(url.slice('http://localhost:8080'.length))).statusCode).toBe(200)
  for (const path of ['/sitemaps/songs-2.xml', '/sitemaps/songs-0.xml', '/sitemaps/songs-x.xml', '/sitemaps/other-1.xml'])
    expect((await readUrl(path)).statusCode).toBe(404)
})

it('the Atom feed contains the news, and stays well-formed with any text', async () => {
  site = await createTestApp()
  await site.storage.feed.put([
    {
      id: 'a',
      title: ']]> <b>&\u000b',
      content: '<p>x &amp; <a href="/faq">y</a></p><script>z()</script>',
      date: '2026-02-01',
      url: '/faq',
    },
  ])
  const response = await readUrl('/latest.xml')
  expect(response.headers['content-type']).toContain('application/atom+xml')
  expect(listTexts(response.body, 'title')).toEqual(['Nightcore Meridian', ']]> <b>&', 'Hello'])
  expect(listTexts(response.body, 'content')[0]).toBe('<p>x &amp; <a href="/faq" rel="noopener noreferrer">y</a></p>')
  expect(listTexts(response.body, 'updated')).toEqual(['2026-02-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z'])
  expect(response.body).toContain('<link href="http://localhost:8080/faq"/>')
  expect(response.body).toContain('/latest#news-a</id>')

  // Feed readers find the feed through a link in the page of the news.
  const link = '<link rel="alternate" type="application/atom+xml" title="Nightcore Meridian" href="/latest.xml">'
  expect((await readUrl('/latest')).body).toContain(link)
  expect((await readUrl('/faq')).body).not.toContain('application/atom+xml')
})

it('the Atom feed is created once for all requests, whatever their queries contain, and again when the news change', async () => {
  site = await createTestApp()
  const listMock = vi.spyOn(site.storage.feed, 'list')
  const simultaneousFeeds = await Promise.all(['/latest.xml', '/latest.xml', '/latest.xml?utm_source=a'].map((url) => readUrl(url)))
  const feedBodies = [...simultaneousFeeds, await readUrl('/latest.xml'), await readUrl('/latest.xml?utm_source=b')].map(({ body }) => body)
  expect(new Set(feedBodies).size).toBe(1)
  expect(listMock).toHaveBeenCalledTimes(1)
  await site.storage.feed.put([{ title: 'News', content: '', date: '2026-02-01' }])
  expect(listTexts((await readUrl('/latest.xml')).body, 'title')).toContain('News')
})

const listNewestTitles = (xml: string) => listTexts(xml, 'title').slice(1)
const findAlternate = (html: string) =>
  /<link rel="alternate" type="application\/atom\+xml" title="([^"]+)" href="([^"]+)">/.exec(html)?.slice(1)

it('the Atom feed of a playlist contains its songs, the newest first, and the page of the playlist names the feed', async () => {
  site = await createTestApp()
  const [feedTitle, urlPath] = findAlternate((await readUrl('/playlist?p=night-drive')).body) ?? []
  expect([feedTitle, urlPath]).toEqual(['Night Drive · Nightcore Meridian', '/playlist.xml?p=night-drive'])
  const playlistFeed = await readUrl('/playlist.xml?p=night-drive')
  expect(playlistFeed.headers['content-type']).toContain('application/atom+xml')
  const publishedTimes = listTexts(playlistFeed.body, 'published')
  expect(publishedTimes.length).toBeGreaterThan(1)
  expect(publishedTimes).toEqual(publishedTimes.toSorted().toReversed())
  expect(playlistFeed.body).toContain('<link href="http://localhost:8080/song?s=AAAAAAAAAA1"/>')
  expect((await readUrl('/playlist.xml?p=unknown')).statusCode).toBe(404)
  expect((await readUrl('/playlist.xml')).statusCode).toBe(404)
  expect((await readUrl('/playlist.xml?p=night-drive', 'fm.localhost:8080')).headers['content-type']).toContain('text/html')
})

it('the Atom feed of an artist contains the songs of all spellings of the name, without songs of the future', async () => {
  site = await createTestApp()
  const createSong = (youtube_id: string, title: string, author_name: string, date_added: string) => ({
    ...{ youtube_id, title, author_name, date_added, category_id: 'nightcore', category_name: 'Nightcore' },
  })
  const songsFile = join(site.dataDir, 'songs.json')
  const songs = [
    createSong('CCCCCCCCCC1', 'First & last', 'Beyoncé', '2026-02-01'),
    createSong('CCCCCCCCCC2', 'Second', 'BEYONCE', '2026-02-03'),
    createSong('CCCCCCCCCC3', 'Too early', 'Beyonce', '2999-01-01'),
    createSong('CCCCCCCCCC4', 'Somebody else', 'Beyonce & Friends', '2026-02-02'),
  ]
  await writeFile(songsFile, JSON.stringify({ songs }))
  await site.storage.catalogue.importFile(songsFile)
  const [feedTitle, urlPath = ''] = findAlternate((await readUrl('/search?q=beyonce&type=artist')).body) ?? []
  expect([feedTitle, urlPath]).toEqual(['Songs by BEYONCE · Nightcore Meridian', '/artist.xml?a=BEYONCE'])
  const listMock = vi.spyOn(site.storage.newestSongs, 'listOfArtists')
  for (const _attempt of ['made', 'cached']) expect(listNewestTitles((await readUrl(urlPath)).body)).toEqual(['Second', 'First & last'])
  expect(listMock).toHaveBeenCalledTimes(1)
  expect(listTexts((await readUrl('/artist.xml?a=beyonc%C3%A9')).body, 'name')).toEqual(['Nightcore Meridian', 'BEYONCE', 'Beyoncé'])
  for (const query of ['?a=nobody', '?a=', '', '?a=x&a=y', '?a=%00', `?a=${'x'.repeat(2000)}`])
    expect((await readUrl(`/artist.xml${query}`)).statusCode).toBe(404)
  expect(findAlternate((await readUrl('/search?q=beyonce')).body)).toBeUndefined()
  expect(findAlternate((await readUrl('/search?q=nobody&type=artist')).body)).toBeUndefined()
})
