import { expectNoViolation } from './axe.ts'
import { ids } from './catalogue.ts'
import { type brands, expect, test } from './fixtures.ts'
import { button } from './identity/steps.ts'
import { heading, main, playlistLinks, songLinks } from './steps.ts'

export function testRoutes(brand: (typeof brands)[number], width: number) {
  test(`${brand.name} at ${width} px: axe finds nothing on any route`, async ({ page, ownSite, faults }) => {
    test.setTimeout(240_000)
    faults.expect(/status of 404/)
    await page.setViewportSize({ width, height: 900 })
    const origin = ownSite.origin(brand.subdomain)
    for (const [path, ready] of [
      ['/', playlistLinks(page).first()],
      ['/playlists', playlistLinks(page).first()],
      [`/playlist?p=${ids.accentPlaylist}`, songLinks(page).first()],
      [`/playlist?p=${ids.longPlaylist}`, songLinks(page).first()],
      [`/playlist?p=${ids.emptyPlaylist}`, main(page).getByText('No songs found').first()],
      [
        '/playlist?p=no-such-list',
        main(page)
          .getByText(/not found/i)
          .first(),
      ],
      ['/search?q=cafe', songLinks(page).first()],
      ['/search?q=zzzz', main(page).getByText('No songs found').first()],
      ['/search?q=Bj%C3%B6rk+%C3%85ngstr%C3%B6m&type=artist', songLinks(page).first()],
      [`/song?s=${ids.accented}&p=${ids.accentPlaylist}`, main(page).getByRole('heading', { name: 'Explore more' })],
      [
        '/song?s=AAAAAAAAAAA',
        main(page)
          .getByText(/not found/i)
          .first(),
      ],
      ['/no-such-page', main(page).getByText('Page not found')],
      ['/storage', main(page).getByText('Nothing is kept yet')],
      // Nobody is signed in here.
      ['/account/maker', button(page, 'Log in')],
    ] as const) {
      await page.goto(`${origin}${path}`)
      await expect(ready).toBeVisible()
      await expect(heading(page)).toHaveCount(1)
      await expectNoViolation(page, path)
    }
  })
}
