import { get } from 'node:http'
import type { Page } from '@playwright/test'
import { pagePaths } from '../contract/pages.ts'
import { brands, expect, test } from './fixtures.ts'
import { createCredentials, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { createSharedListPath } from './own-playlist-steps.ts'
import { fetchApi, waitForHydration } from './steps.ts'

/** Returns the links of an open page to the same site, without fragments. */
const readLinks = (page: Page, siteHost: string) =>
  page.evaluate(
    (host) =>
      [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
        .map(({ href }) => new URL(href))
        .filter((url) => url.protocol.startsWith('http') && (url.host === host || url.host.endsWith(`.${host}`)))
        .map((url) => url.origin + url.pathname + url.search),
    siteHost,
  )

/** Returns the status of a request for a URL on any host of the site. The server at `port` serves all hosts. */
const requestStatus = (port: number, { host, pathname, search }: URL) =>
  new Promise<number | undefined>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: pathname + search, headers: { host }, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

for (const brand of brands) {
  for (const visitorRole of ['visitor', 'user', 'subscriber'] as const) {
    test(`crawl, ${brand.name}: no internal link of any page or host leads to a 404, as ${visitorRole}`, async ({
      page,
      site,
      faults,
      platform: _,
    }) => {
      test.setTimeout(600_000)
      faults.expect(/./)
      await page.route('https://discord.com/**', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
      const origin = site.origin(brand.subdomain)
      const siteHost = new URL(site.origin()).host
      if (visitorRole !== 'visitor') {
        const credentials = createCredentials()
        await signUpByRequest(site.origin(), credentials)
        if (visitorRole === 'subscriber') await site.runAdmin('user', 'grant', '--email', credentials.email, '--role', 'subscriber')
        await signInByRequest(page, site.origin(), credentials, origin)
      }
      const [playlist] = await fetchApi(site, 'GET /playlist/all')
      const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
      const songIds = songs.map((song) => song.youtube_id)
      const examplePaths: Record<string, string> = {
        '/list': await createSharedListPath(site, songIds),
        '/playlist': `/playlist?p=${playlist?.id}`,
        '/song': `/song?s=${songIds[0]}&p=${playlist?.id}`,
        '/search': '/search?q=love',
      }
      await page.goto(origin)
      // The page about the genre has a different path in each brand.
      const genrePagePath = await page.evaluate(
        () => JSON.parse(document.getElementById('site')?.textContent ?? '{}').settings.WHAT_IS_PATH as string,
      )
      const createHostOrigin = (name: string) => origin.replace('//', `//${name}.`)
      const pageUrls = [
        ...[...pagePaths, genrePagePath].map((path) => origin + (examplePaths[path] ?? path)),
        createHostOrigin('fm'),
        createHostOrigin('aria'),
        `${createHostOrigin('aria')}/nothing`,
        `${origin}/nothing`,
      ]
      const linkingPageByUrl = new Map<string, string>()
      for (const pageUrl of pageUrls) {
        const response = await page.goto(pageUrl)
        if (!pageUrl.endsWith('/nothing')) expect([pageUrl, response?.status()]).toEqual([pageUrl, 200])
        await waitForHydration(page)
        await page.waitForLoadState('networkidle').catch(() => undefined)
        for (const link of await readLinks(page, siteHost)) if (!linkingPageByUrl.has(link)) linkingPageByUrl.set(link, pageUrl)
      }
      expect(linkingPageByUrl.size).toBeGreaterThan(50)
      const brokenLinks: string[] = []
      for (const [linkUrl, linkingPage] of linkingPageByUrl) {
        const url = new URL(linkUrl)
        const status = await requestStatus(site.port, url)
        // The 404 page's skip link leads to the 404 page itself, which is not a broken link.
        if (status === 404 && linkUrl !== linkingPage) brokenLinks.push(`${linkUrl} on ${linkingPage}`)
      }
      expect(brokenLinks).toEqual([])
      console.info(`${linkingPageByUrl.size} links of ${pageUrls.length} pages, as ${visitorRole}`)
    })
  }
}
