import { type BrowserContext, expect, type Locator, type Page, type Route } from '@playwright/test'
import type { EndpointData, EndpointKey } from '../contract/endpoints.ts'
import type { Site } from './server.ts'
import type { VideoPlatform } from './stand-ins/video-platform.ts'

/** Requests an endpoint of the API. Returns the response's data. */
export async function fetchApi<K extends EndpointKey & `GET ${string}`>(
  site: Site,
  endpointKey: K,
  queryParams: Record<string, string> = {},
): Promise<EndpointData<K>> {
  const response = await fetch(`http://127.0.0.1:${site.port}/api${endpointKey.slice('GET '.length)}?${new URLSearchParams(queryParams)}`)
  const envelope: { data: EndpointData<K> } = await response.json()
  return envelope.data
}

/** The search box of the navigation bar. */
export const locateSearchBox = (page: Page) => mainNavigation(page).getByRole('combobox', { name: 'Search songs and artists' })

export const mainNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
export const mainRegion = (page: Page) => page.getByRole('main')
export const pageHeading = (page: Page) => page.getByRole('heading', { level: 1 })
export const playerRegion = (page: Page) => page.getByRole('region', { name: 'Player', exact: true })
export const locatePlayerButton = (page: Page, name: string): Locator => playerRegion(page).getByRole('button', { name, exact: true })

/** Returns the links to songs, in the order of the page. */
export const locateSongLinks = (page: Page) => mainRegion(page).locator('a[href^="/song?"]')
export const locatePlaylistLinks = (page: Page) => mainRegion(page).locator('a[href^="/playlist?"]')

/** Returns the items of the news page, newest first. */
export const locateNewsItems = (page: Page) => mainRegion(page).getByRole('article')

export async function expectPlaying(page: Page, platform: VideoPlatform, videoId: string) {
  await expect
    .poll(async () => {
      const state = await platform.readState(page)
      return state === undefined ? 'no frame' : `${state.videoId} in state ${state.state}`
    }, 'the state of the video player')
    .toBe(`${videoId} in state 1`)
}

/** Waits until React has hydrated the page and the page no longer records early events. */
export const waitForHydration = (page: Page) => page.waitForFunction(() => Reflect.get(window, 'early') === undefined)

/**
 * Answers every request for a document with the app shell, as the service worker does, so that pages request all of their rows from the
 * API.
 */
export async function serveAppShell(context: BrowserContext) {
  await context.route(
    () => true,
    async (route) => {
      if (route.request().resourceType() !== 'document' || route.request().frame().parentFrame() !== null) return route.fallback()
      const { host, port } = new URL(route.request().url())
      // The Host header contains the subdomain, and the URL does not, because some systems do not resolve subdomains of `localhost`.
      const response = await route.fetch({ url: `http://127.0.0.1:${port}/shell`, headers: { ...route.request().headers(), host } })
      await route.fulfill({ response })
    },
  )
}

/** Holds back the requests that match `url`. Returns a function; once it is called, `proceedWith` handles them. */
export async function holdRequests(
  context: BrowserContext,
  url: string,
  proceedWith: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  let releaseRequests = () => {}
  const releasedPromise = new Promise<void>((resolve) => {
    releaseRequests = resolve
  })
  await context.route(url, async (route) => {
    await releasedPromise
    await proceedWith(route)
  })
  return releaseRequests
}

/** Opens a song by its URL, and waits until it plays. */
export async function openSong(page: Page, platform: VideoPlatform, siteOrigin: string, songId: string, songContextId?: string) {
  await page.goto(`${siteOrigin}/song?s=${songId}${songContextId === undefined ? '' : `&p=${songContextId}`}`)
  await expectPlaying(page, platform, songId)
}

/** Posts a file to the maker, as the operating system does when a file is shared with the installed app. */
export async function postSharedFile(page: Page, sharedFileName: string, fileContent: Buffer) {
  await page.evaluate(
    ([fileName, base64Content]) => {
      const form = Object.assign(document.createElement('form'), {
        method: 'post',
        enctype: 'multipart/form-data',
        action: '/account/maker',
      })
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'file' })
      const dataTransfer = new DataTransfer()
      const fileBytes = Uint8Array.from(atob(base64Content), (each) => each.charCodeAt(0))
      dataTransfer.items.add(new File([fileBytes], fileName, { type: 'audio/mpeg' }))
      input.files = dataTransfer.files
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    [sharedFileName, fileContent.toString('base64')] as const,
  )
}

/** Shares a file with the app while nobody is signed in, and expects that the file is stored until the login. */
export async function shareFileSignedOut(page: Page) {
  await postSharedFile(page, 'song.mp3', Buffer.alloc(200_000))
  // Expects the login page, because the maker requires a login.
  await expect(pageHeading(page)).toHaveText('Log in')
  const storedFile = await page.evaluate(async () => {
    const fileResponse = await caches.match('/received-file')
    return [fileResponse?.headers.get('x-file-name'), (await fileResponse?.blob())?.size]
  })
  expect(storedFile, 'name and size of the stored file').toEqual(['song.mp3', 200_000])
}

/** Follows a link without leaving the document, so that the song keeps playing. */
export const followLink = (page: Page, linkHref: string) =>
  page.evaluate((targetUrl) => {
    const link = Object.assign(document.createElement('a'), { href: targetUrl })
    document.body.append(link)
    link.click()
    link.remove()
  }, linkHref)
