import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import type { Data, EndpointKey } from '../contract/endpoints.ts'
import type { Site } from './server.ts'
import type { VideoPlatform } from './stand-ins/video-platform.ts'

/** What the API answers, for a test to compare the page with. */
export async function ask<K extends EndpointKey & `GET ${string}`>(
  site: Site,
  key: K,
  query: Record<string, string> = {},
): Promise<Data<K>> {
  const answer = await fetch(`http://127.0.0.1:${site.port}/api${key.slice('GET '.length)}?${new URLSearchParams(query)}`)
  const envelope: { data: Data<K> } = await answer.json()
  return envelope.data
}

export const nav = (page: Page) => page.getByRole('navigation', { name: 'Main' })
export const main = (page: Page) => page.getByRole('main')
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })
export const player = (page: Page) => page.getByRole('region', { name: 'Player', exact: true })
export const playerButton = (page: Page, name: string): Locator => player(page).getByRole('button', { name, exact: true })

/** The links to songs in the page's list, in order. */
export const songLinks = (page: Page) => main(page).locator('a[href^="/song?"]')
export const playlistLinks = (page: Page) => main(page).locator('a[href^="/playlist?"]')

export async function expectPlaying(page: Page, platform: VideoPlatform, videoId: string) {
  await expect
    .poll(async () => {
      const playing = await platform.playing(page)
      return playing === undefined ? 'no frame' : `${playing.videoId} in state ${playing.state}`
    }, 'what the video platform plays')
    .toBe(`${videoId} in state 1`)
}

/** Until the program has taken over the HTML: from then on it notes no events for later. */
export const untilAlive = (page: Page) => page.waitForFunction(() => Reflect.get(window, 'early') === undefined)

/** Lets every address open as the service worker would have it: the frame alone, all rows from the API. */
export async function openFromShell(context: BrowserContext) {
  await context.route(
    () => true,
    async (route) => {
      if (route.request().resourceType() !== 'document' || route.request().frame().parentFrame() !== null) return route.fallback()
      const { host, port } = new URL(route.request().url())
      // Not every system resolves names below `localhost`; the server goes by the header.
      const response = await route.fetch({ url: `http://127.0.0.1:${port}/shell`, headers: { ...route.request().headers(), host } })
      await route.fulfill({ response })
    },
  )
}

/** Opens a song by its address and waits until it plays. */
export async function openSong(page: Page, platform: VideoPlatform, origin: string, songId: string, contextId?: string) {
  await page.goto(`${origin}/song?s=${songId}${contextId === undefined ? '' : `&p=${contextId}`}`)
  await expectPlaying(page, platform, songId)
}

/** As the system shares a file with the installed app. */
export async function postFile(page: Page, name: string, content: Buffer) {
  await page.evaluate(
    ([fileName, text]) => {
      const form = Object.assign(document.createElement('form'), {
        method: 'post',
        enctype: 'multipart/form-data',
        action: '/account/maker',
      })
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'file' })
      const files = new DataTransfer()
      const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
      files.items.add(new File([bytes], fileName, { type: 'audio/mpeg' }))
      input.files = files.files
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    [name, content.toString('base64')] as const,
  )
}

/** It waits until somebody is signed in. */
export async function shareFile(page: Page) {
  await postFile(page, 'song.mp3', Buffer.alloc(200_000))
  // The maker is for who is signed in, and nobody is.
  await expect(heading(page)).toHaveText('Log in')
  const waiting = await page.evaluate(async () => {
    const file = await caches.match('/received-file')
    return [file?.headers.get('x-file-name'), (await file?.blob())?.size]
  })
  expect(waiting, 'the file waits on this device').toEqual(['song.mp3', 200_000])
}
