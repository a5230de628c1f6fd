import type { Locator, Page } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { catalogueIds } from './catalogue.ts'
import { type brands, expect, tagSecondBrand, test } from './fixtures.ts'
import { buttonNamed } from './identity/steps.ts'
import { mainRegion, pageHeading, playlistLinks, songLinks } from './steps.ts'

type Route = readonly [path: string, content: (page: Page) => Locator]

const textOf = (visibleText: string | RegExp) => (page: Page) => mainRegion(page).getByText(visibleText)

const mainRoutes: readonly Route[] = [
  ['/', playlistLinks],
  [`/playlist?p=${catalogueIds.accentPlaylist}`, songLinks],
  [
    `/song?s=${catalogueIds.accented}&p=${catalogueIds.accentPlaylist}`,
    (page) => mainRegion(page).getByRole('heading', { name: 'Explore more' }),
  ],
]

const otherRoutes: readonly Route[] = [
  ['/playlists', playlistLinks],
  [`/playlist?p=${catalogueIds.longPlaylist}`, songLinks],
  [`/playlist?p=${catalogueIds.emptyPlaylist}`, textOf('No songs found')],
  ['/search?q=cafe', songLinks],
  ['/search?q=zzzz', textOf('No songs found')],
  ['/search?q=Bj%C3%B6rk+%C3%85ngstr%C3%B6m&type=artist', songLinks],
  ['/playlist?p=no-such-list', textOf(/not found/i)],
  ['/song?s=AAAAAAAAAAA', textOf(/not found/i)],
  ['/faq', textOf('Got more questions? Ask us!')],
  ['/about-us', (page) => mainRegion(page).getByRole('list', { name: 'Timeline' })],
  ['/privacy', textOf(/^Last updated/)],
  ['/subscribe', textOf('Most Popular')],
  ['/network', (page) => mainRegion(page).getByRole('heading', { name: 'Supporters' })],
  ['/members', (page) => mainRegion(page).getByRole('list', { name: 'Members' })],
  ['/get-in-touch', (page) => buttonNamed(page, 'Send')],
  ['/latest', (page) => mainRegion(page).getByRole('article')],
  ['/no-such-page', textOf('Page not found')],
  ['/storage', textOf('Nothing kept yet')],
  ['/recent', textOf('Nothing played yet')],
  ['/year', textOf('Nothing counted yet')],
  [`/embed/playlist?p=${catalogueIds.accentPlaylist}`, (page) => mainRegion(page).getByRole('list', { name: 'Songs' })],
  [`/embed/song?s=${catalogueIds.accented}`, (page) => mainRegion(page).getByRole('button')],
  // `/account/maker` redirects to the login page.
  ['/account/maker', (page) => buttonNamed(page, 'Log in')],
]

function testPages(brand: (typeof brands)[number], width: number, pagesDescription: string, routes: readonly Route[]) {
  test(
    `axe, ${brand.name} at ${width} px: ${pagesDescription} have no violation`,
    tagSecondBrand(brand),
    async ({ page, testCatalogueSite, faults, platform: _ }) => {
      test.setTimeout(180_000)
      faults.expect(/status of 404/)
      await page.setViewportSize({ width, height: 900 })
      for (const [urlPath, locateContent] of routes) {
        await test.step(urlPath, async () => {
          await page.goto(`${testCatalogueSite.origin(brand.subdomain)}${urlPath}`)
          await expect(locateContent(page).first()).toBeVisible()
          await expect(pageHeading(page)).toHaveCount(1)
          await expectNoViolation(page, urlPath)
        })
      }
    },
  )
}

export const declareMainRouteAxeTests = (brand: (typeof brands)[number], width: number) =>
  testPages(brand, width, 'home, a playlist and a song', mainRoutes)

export function declareRouteAxeTests(brand: (typeof brands)[number], width: number) {
  declareMainRouteAxeTests(brand, width)
  testPages(brand, width, 'lists, missing content, storage and locked pages', otherRoutes)
}
