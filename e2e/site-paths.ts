import type { Page } from '@playwright/test'
import { listPagePathsOfHost } from '../contract/pages.ts'
import type { Site } from './server.ts'
import { fetchApi } from './steps.ts'

/** Returns the paths of the pages of the main host at `siteOrigin`, with parameters for pages that need them, and the paths of error pages. */
export async function listPagePaths(page: Page, site: Site, siteOrigin: string): Promise<string[]> {
  const [playlist] = await fetchApi(site, 'GET /playlist/all')
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const parameterExamples: Record<string, string> = {
    '/playlist': `?p=${playlist?.id}`,
    '/song': `?s=${songs[0]?.youtube_id}&p=${playlist?.id}`,
    '/search': '?q=love',
    '/reset-password': '?oobCode=none',
    '/verify-email': '?oobCode=none',
  }
  await page.goto(siteOrigin)
  const siteSettings = await page.evaluate(() => JSON.parse(document.getElementById('site')?.textContent ?? '{}').settings)
  const pagePaths = listPagePathsOfHost('main', siteSettings)
  if (pagePaths === '*') throw new Error('A main host has no list of pages')
  return [
    ...pagePaths.map((path) => path + (parameterExamples[path] ?? '')),
    ...['/search', '/search?q=zzzzqqq', '/no-such-page', '/playlist?p=no-such-list', '/song?s=AAAAAAAAAAA'],
  ]
}
