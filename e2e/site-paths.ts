import type { Page } from '@playwright/test'
import { pagePathsOfHost } from '../contract/pages.ts'
import type { Site } from './server.ts'
import { fetchApi } from './steps.ts'

/** Returns the paths of the pages of the main host at `origin`, with parameters for pages that need them, and the paths of error pages. */
export async function listPagePaths(page: Page, site: Site, origin: string): Promise<string[]> {
  const [playlist] = await fetchApi(site, 'GET /playlist/all')
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const parameters: Record<string, string> = {
    '/playlist': `?p=${playlist?.id}`,
    '/song': `?s=${songs[0]?.youtube_id}&p=${playlist?.id}`,
    '/search': '?q=love',
    '/reset-password': '?oobCode=none',
    '/verify-email': '?oobCode=none',
  }
  await page.goto(origin)
  const settings = await page.evaluate(() => JSON.parse(document.getElementById('site')?.textContent ?? '{}').settings)
  const paths = pagePathsOfHost('main', settings)
  if (paths === '*') throw new Error('A main host has no list of pages')
  return [
    ...paths.map((path) => path + (parameters[path] ?? '')),
    ...['/search', '/search?q=zzzzqqq', '/no-such-page', '/playlist?p=no-such-list', '/song?s=AAAAAAAAAAA'],
  ]
}
