import { catalogueIds } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signInByRequest, signOut, signUpByRequest } from './identity/steps.ts'
import { expectPlaying, mainRegion, pageHeading } from './steps.ts'

test('recent plays: a played song is listed on the home page and on the page of recent plays, with its playlist, until the account signs out', {
  tag: '@long',
}, async ({ page, testCatalogueSite, platform }) => {
  const origin = testCatalogueSite.origin()
  const credentials = createCredentials()
  await signUpByRequest(origin, credentials)
  await signInByRequest(page, origin, credentials)
  await page.goto(`${origin}/song?s=${catalogueIds.accented}&p=${catalogueIds.accentPlaylist}`)
  await expectPlaying(page, platform, catalogueIds.accented)
  const playResponsePromise = page.waitForResponse((response) => response.url().endsWith('/api/song/play'), { timeout: 60_000 })
  await playResponsePromise

  // Navigates within the page, because leaving the document could interrupt storing the play.
  await page.getByRole('navigation').getByRole('link', { name: 'Nightcore Meridian' }).click()
  const homeList = mainRegion(page).getByRole('list', { name: 'Continue listening' })
  await expect(homeList.getByRole('link', { name: 'Señorita Über Café' })).toHaveAttribute(
    'href',
    `/song?s=${catalogueIds.accented}&p=${catalogueIds.accentPlaylist}`,
  )
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => Object.assign(window, { recentCount: document.documentElement.dataset.recent })),
  )
  await openHydratedPage(page, `${origin}/`)
  // Before the site's scripts have run, the page knows how many songs the list has, and reserves space for them.
  expect(await page.evaluate(() => Reflect.get(window, 'recentCount'))).toBe('1')
  await expect(homeList.getByRole('link', { name: 'Señorita Über Café' })).toBeVisible()
  await mainRegion(page).getByRole('link', { name: 'Recently played' }).click()
  await expect(pageHeading(page)).toHaveText('Recently played')
  const recentList = mainRegion(page).getByRole('list', { name: 'Recently played' })
  await expect(recentList.getByRole('listitem')).toHaveCount(1)

  await mainRegion(page).getByRole('link', { name: 'Your year' }).click()
  await expect(mainRegion(page).getByRole('list', { name: 'Songs' }).getByRole('listitem')).toContainText('1 play')

  await signOut(page)
  await openHydratedPage(page, `${origin}/recent`)
  await expect(mainRegion(page).getByRole('heading', { name: 'Nothing played yet' })).toBeVisible()
  await mainRegion(page).getByRole('link', { name: 'Your year' }).click()
  await expect(mainRegion(page).getByRole('heading', { name: 'Nothing counted yet' })).toBeVisible()
})

test('pages of the device: the first page of a visit shows the stored rows without waiting for input or for an idle page', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
  for (const [urlPath, headingText] of [
    ['/recent', 'Nothing played yet'],
    ['/year', 'Nothing counted yet'],
  ]) {
    await page.goto(site.origin() + urlPath)
    await expect(mainRegion(page).getByRole('heading', { name: headingText ?? '' }), urlPath).toBeVisible()
  }
})
