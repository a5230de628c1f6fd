import { expectNoViolation } from './axe.ts'
import { catalogueIds } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { fetchApi, mainRegion, pageHeading, waitForHydration } from './steps.ts'

test('an artist can be followed without an account: the new songs are on Latest and in the badge, also offline, and the account follows the artist after the login', {
  tag: '@long',
}, async ({ browser, context, page, testCatalogueSite: site, faults }) => {
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: catalogueIds.accentPlaylist })
  const artistName = songs[0]?.author_name ?? ''
  const otherSong = songs.find(({ author_name }) => author_name !== artistName)
  const followedSection = page.getByRole('region', { name: 'Songs of artists you follow' })
  const followButton = mainRegion(page).getByRole('button', { name: 'Follow', exact: true })
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'setAppBadge', {
      value: async (count: number) => {
        document.documentElement.dataset.badge = String(count)
      },
    })
  })

  await test.step('the Follow button is pressed by keyboard, and stays pressed after a reload', async () => {
    await openHydratedPage(page, `${site.origin()}/search?${new URLSearchParams({ q: artistName, type: 'artist' })}`)
    await expect(followButton).toHaveAttribute('aria-pressed', 'false')
    await followButton.press('Enter')
    await expect(followButton).toHaveAttribute('aria-pressed', 'true')
    await expectNoViolation(page, 'a followed artist')
    await page.reload()
    await expect(followButton).toHaveAttribute('aria-pressed', 'true')
  })

  await test.step('a new song is counted in the badge until the page Latest is opened', async () => {
    const newSong = { ...songs[0], youtube_id: otherSong?.youtube_id, title: 'Brand new', date_added: '2999-01-01T00:00:00.000Z' }
    await context.route('**/api/follow/songs', async (route) => {
      const { data, ...envelope } = await (await route.fetch()).json()
      await route.fulfill({ json: { ...envelope, data: [newSong, ...data] } })
    })
    await openHydratedPage(page, `${site.origin()}/faq`)
    await expect(page.locator('html')).toHaveAttribute('data-badge', '1')
    await openHydratedPage(page, `${site.origin()}/latest`)
    await expect(followedSection).toContainText('Brand new')
    await expect(followedSection).toContainText('1 new')
    await expect(page.locator('html')).toHaveAttribute('data-badge', '0')
    await expectNoViolation(page, 'Latest with songs of followed artists')
  })

  await test.step('space for the songs is reserved before the first paint, so that the news do not move', async () => {
    await page.reload()
    await expect(followedSection).toContainText('Brand new')
    await waitForHydration(page)
    const layoutShift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let shiftSum = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) shiftSum += Number(Reflect.get(entry, 'value'))
          }).observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => resolve(shiftSum), 500)
        }),
    )
    expect(layoutShift).toBeLessThan(0.001)
  })

  await test.step('without a network, the new songs are shown', async () => {
    await context.unroute('**/api/follow/songs')
    faults.expect(/net::ERR_FAILED/)
    await context.route('**/api/**', (route) => route.abort())
    await page.reload()
    await expect(followedSection).toContainText('Brand new')
    await context.unroute('**/api/**')
  })

  await test.step('after the login, the account follows the artist, and so does another device of the account', async () => {
    const credentials = createCredentials()
    await signUpByRequest(site.origin(), credentials)
    await signInByRequest(page, site.origin(), credentials)
    const sentPromise = page.waitForResponse(
      (response) => response.url().endsWith('/api/follow/sync') && response.request().postData()?.includes(artistName) === true,
    )
    await openHydratedPage(page, `${site.origin()}/latest`)
    await sentPromise
    await expect(followedSection).toBeVisible()
    const otherContext = await browser.newContext()
    const otherPage = await otherContext.newPage()
    await signInByRequest(otherPage, site.origin(), credentials)
    await openHydratedPage(otherPage, `${site.origin()}/latest`)
    await expect(otherPage.getByRole('region', { name: 'Songs of artists you follow' })).toContainText(songs[0]?.title ?? '')
    await otherContext.close()
  })

  await test.step('the artist is unfollowed on the page Latest, and followed again by Undo', async () => {
    await followedSection.getByRole('button', { name: '1 artist' }).click()
    await expect(followedSection.getByRole('list', { name: 'Artists you follow', exact: true })).toContainText(artistName)
    await expectNoViolation(page, 'the list of followed artists')
    await followedSection.getByRole('button', { name: `Unfollow ${artistName}` }).click()
    await expect(followedSection).toContainText('No songs yet.')
    await expect(followedSection.getByRole('list', { name: 'Artists you follow', exact: true })).toBeFocused()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect(followedSection).toContainText(songs[0]?.title ?? '')
    await expect(pageHeading(page)).toHaveText('Latest')
  })
})
