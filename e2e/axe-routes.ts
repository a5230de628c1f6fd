import type { Locator, Page } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { catalogueIds } from './catalogue.ts'
import { type brands, expect, tagSecondBrand, test } from './fixtures.ts'
import { locateButton } from './identity/steps.ts'
import { locatePlaylistLinks, locateSongLinks, mainRegion, pageHeading } from './steps.ts'

type CheckedRoute = readonly [path: string, content: (page: Page) => Locator]

const locateText = (visibleText: string | RegExp) => (page: Page) => mainRegion(page).getByText(visibleText)

const mainRoutes: readonly CheckedRoute[] = [
  ['/', locatePlaylistLinks],
  [`/playlist?p=${catalogueIds.accentPlaylist}`, locateSongLinks],
  [
    `/song?s=${catalogueIds.accented}&p=${catalogueIds.accentPlaylist}`,
    (page) => mainRegion(page).getByRole('heading', { name: 'Explore more' }),
  ],
]

const otherRoutes: readonly CheckedRoute[] = [
  ['/playlists', locatePlaylistLinks],
  [`/playlist?p=${catalogueIds.longPlaylist}`, locateSongLinks],
  [`/playlist?p=${catalogueIds.emptyPlaylist}`, locateText('No songs found')],
  ['/search?q=cafe', locateSongLinks],
  ['/search?q=zzzz', locateText('No songs found')],
  ['/search?q=Bj%C3%B6rk+%C3%85ngstr%C3%B6m&type=artist', locateSongLinks],
  ['/playlist?p=no-such-list', locateText(/not found/i)],
  ['/song?s=AAAAAAAAAAA', locateText(/not found/i)],
  ['/faq', locateText('Got more questions? Ask us!')],
  ['/about-us', (page) => mainRegion(page).getByRole('list', { name: 'Timeline' })],
  ['/privacy', locateText(/^Last updated/)],
  ['/subscribe', locateText('Most Popular')],
  ['/network', (page) => mainRegion(page).getByRole('heading', { name: 'Supporters' })],
  ['/members', (page) => mainRegion(page).getByRole('list', { name: 'Members' })],
  ['/get-in-touch', (page) => locateButton(page, 'Send')],
  ['/latest', (page) => mainRegion(page).getByRole('article')],
  ['/no-such-page', locateText('Page not found')],
  ['/storage', locateText('Nothing kept yet')],
  ['/recent', locateText('Nothing played yet')],
  ['/year', locateText('Nothing counted yet')],
  [`/embed/playlist?p=${catalogueIds.accentPlaylist}`, (page) => mainRegion(page).getByRole('list', { name: 'Songs' })],
  [`/embed/song?s=${catalogueIds.accented}`, (page) => mainRegion(page).getByRole('button')],
  // `/account/maker` redirects to the login page.
  ['/account/maker', (page) => locateButton(page, 'Log in')],
]

function testPages(brand: (typeof brands)[number], viewportWidth: number, pagesDescription: string, routes: readonly CheckedRoute[]) {
  test(
    `axe, ${brand.name} at ${viewportWidth} px: ${pagesDescription} have no violation`,
    tagSecondBrand(brand),
    async ({ page, testCatalogueSite, faults, platform: _ }) => {
      test.setTimeout(180_000)
      faults.expect(/status of 404/)
      await page.setViewportSize({ width: viewportWidth, height: 900 })
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

export function declareRouteAxeTests(brand: (typeof brands)[number], viewportWidth: number) {
  declareMainRouteAxeTests(brand, viewportWidth)
  testPages(brand, viewportWidth, 'lists, missing content, storage and locked pages', otherRoutes)
}
