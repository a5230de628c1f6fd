import { expect, test } from './fixtures.ts'
import {
  createCredentials,
  locateButton,
  locateField,
  openDashboard,
  openHydratedPage,
  signInByRequest,
  signUpByRequest,
} from './identity/steps.ts'
import type { Site } from './server.ts'
import { mainRegion, pageHeading } from './steps.ts'

const LOCKED_MESSAGE =
  'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.'

async function signInNewAccount(page: Parameters<typeof signInByRequest>[0], site: Site, memberRole?: 'subscriber') {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  if (memberRole !== undefined) await site.runAdmin('user', 'grant', '--email', credentials.email, '--role', memberRole)
  await signInByRequest(page, site.origin(), credentials)
  return credentials
}

test('account: the dashboard shows the plan, its source and its end; without a plan, tools of subscribers are locked', async ({
  page,
  site,
  faults,
}) => {
  faults.expect(/status of 403/)
  const credentials = await signInNewAccount(page, site)
  await openDashboard(page, credentials)
  const planRegion = mainRegion(page).getByRole('region', { name: 'Your plan' })
  await expect(planRegion).toContainText('No subscription')
  await expect(planRegion.getByRole('link', { name: 'Subscribe' })).toHaveAttribute('href', '/subscribe')
  for (const pageName of ['Promotion', 'Artwork', 'Maker']) {
    await mainRegion(page).getByRole('navigation', { name: 'Account' }).getByRole('link', { name: pageName, exact: true }).click()
    await expect(pageHeading(page)).toHaveText(pageName)
    await expect(mainRegion(page).getByRole('region', { name: 'Content locked' })).toContainText(LOCKED_MESSAGE)
  }

  await site.runAdmin('user', 'grant', '--email', credentials.email, '--role', 'subscriber', '--until', '2099-05-31')
  await openDashboard(page, credentials)
  await expect(planRegion).toContainText('Given by the team until May 31, 2099.')
  await expect(planRegion).not.toContainText('No subscription')
  const accountMenu = mainRegion(page).getByRole('navigation', { name: 'Account' })
  await expect(accountMenu.getByRole('link', { name: 'Favorites' })).toHaveAttribute('href', '/go/favorites')

  await site.runAdmin('user', 'revoke', '--email', credentials.email, '--role', 'subscriber')
  await openHydratedPage(page, '/account/promotion')
  await expect(mainRegion(page).getByRole('region', { name: 'Content locked' })).toBeVisible()
})

test('promotion: a saved promotion is shown with its day; invalid addresses and a missing connection are reported', {
  tag: '@long',
}, async ({ page, site, context, faults }) => {
  faults.expect(/ERR_INTERNET_DISCONNECTED/)
  await signInNewAccount(page, site, 'subscriber')
  await openHydratedPage(page, '/account/promotion')
  await expect(mainRegion(page)).toContainText('You have no promotions scheduled (yet).')
  await locateButton(page, 'Save').click()
  await expect(locateField(page, 'YouTube channel')).toBeFocused()
  await expect(mainRegion(page).getByRole('alert')).toHaveText('Please fill in this field.')
  await locateField(page, 'YouTube channel').fill('https://www.youtube.com/@aria')
  await locateField(page, 'What to share').fill('https://example.com/song')
  await locateButton(page, 'Save').click()
  await expect(mainRegion(page).getByRole('alert')).toHaveText('Please enter a YouTube address.')
  await expect(locateField(page, 'What to share')).toBeFocused()
  await locateField(page, 'What to share').fill('https://youtu.be/dQw4w9WgXcQ')
  await context.setOffline(true)
  await locateButton(page, 'Save').click()
  await expect(mainRegion(page).getByRole('alert')).toHaveText('You need a connection for this. What you typed is still here.')
  await context.setOffline(false)
  await locateButton(page, 'Save').click()
  await expect(mainRegion(page).getByText('Your channel promotion has been saved!')).toBeVisible()
  await expect(mainRegion(page).getByRole('region', { name: 'Schedule' }).getByRole('listitem')).toContainText(/^20\d\d-\d\d-\d\d/)
  await page.reload()
  await expect(locateField(page, 'YouTube channel')).toHaveValue('https://www.youtube.com/@aria')
})

test('artwork: a request reaches the team; the artwork form and its menu entry are hidden if the artwork setting is false', {
  tag: '@long',
}, async ({ page, site }) => {
  const { email } = await signInNewAccount(page, site, 'subscriber')
  await openHydratedPage(page, '/account/artwork')
  await locateField(page, 'Channel URL').fill('@aria')
  await locateButton(page, 'Send').click()
  await expect(locateField(page, 'What do you want?')).toBeFocused()
  await expect(locateField(page, 'Channel URL')).toHaveValue('https://www.youtube.com/@aria')
  await locateField(page, 'What do you want?').fill('A banner in red')
  await locateField(page, 'Discord name').fill('aria')
  await locateButton(page, 'Send').click()
  await expect(mainRegion(page).getByText('Your request has been sent!')).toBeVisible()
  await expect(locateField(page, 'What do you want?')).toHaveValue('')
  const storedMessages = await site.runAdmin('contact', 'list')
  expect(storedMessages).toContain('A banner in red')
  expect(storedMessages).toContain(email)
  expect(storedMessages).toContain('https://www.youtube.com/@aria')

  await site.runAdmin('settings', 'set', 'ARTWORK', 'false')
  try {
    const menuEntry = mainRegion(page).getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Artwork' })
    await expect(async () => {
      await page.reload()
      await expect(mainRegion(page).getByText('Artwork requests are closed.')).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await expect(menuEntry).toHaveCount(0)
  } finally {
    await site.runAdmin('settings', 'set', 'ARTWORK')
  }
})

test('subscriber site: when a video ends, the next song of the page follows, and the first one after the last', { tag: '@long' }, async ({
  page,
  site,
  platform,
}) => {
  await openHydratedPage(page, site.origin('aria'))
  const songButtons = mainRegion(page).getByRole('button', { name: /^Play .+ by / })
  const songTitles = (await songButtons.allInnerTexts()).map((text) => text.split('\n')[0])
  await songButtons.nth(songTitles.length - 2).click()
  for (const songTitle of [songTitles.at(-2), songTitles.at(-1), songTitles[0]]) {
    const videoRegion = page.getByRole('complementary', { name: `Video: ${songTitle}` })
    await expect(videoRegion).toBeFocused()
    await expect.poll(() => platform.readPlayingIds(page)).toHaveLength(1)
    await platform.finishVideo(page)
  }
})
