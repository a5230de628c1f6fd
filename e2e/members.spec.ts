import type { Locator, Page } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { createMemberName, hostileMembers, MEMBER_COUNT } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { mainRegion, pageHeading, serveAppShell, waitForHydration } from './steps.ts'

const locateMemberList = (page: Page) => mainRegion(page).getByRole('list', { name: 'Members' })
const locateMemberButtons = (page: Page) => locateMemberList(page).getByRole('button')
const locateMember = (page: Page, name: string): Locator => locateMemberList(page).getByRole('button', { name, exact: true })
const locateSearchField = (page: Page) => mainRegion(page).getByRole('searchbox', { name: 'Find a member' })
const locateShownName = (page: Page) => page.getByRole('dialog').getByRole('heading', { level: 2 })

async function openMembers(page: Page, siteOrigin: string) {
  await page.goto(`${siteOrigin}/members`)
  await waitForHydration(page)
  await expect(locateMemberButtons(page).first()).toBeVisible()
}

test('members: the HTML has the names; a picture opens its member, arrows wrap around, and every way to close returns the focus to the picture', async ({
  page,
  site,
}) => {
  const pageHtml = await (await page.request.get(`${site.origin()}/members`)).text()
  expect(pageHtml).toContain('Mira Halden (example)')
  await openMembers(page, site.origin())
  await expect(page).toHaveTitle(/^Network members/)
  await expect(pageHeading(page)).toHaveText('Network members')
  await expect(mainRegion(page).getByRole('link', { name: 'Apply now' })).toHaveAttribute('href', '/get-in-touch?topic=apply-member')
  const firstMember = locateMember(page, 'Aria Volt (example)')
  const pictureBox = await firstMember.locator('img').boundingBox()
  expect([pictureBox?.width, pictureBox?.height], 'the size of a picture').toEqual([88, 88])

  await firstMember.click()
  const dialog = page.getByRole('dialog', { name: 'Aria Volt (example)' })
  await expect(dialog.getByRole('img', { name: 'Picture of Aria Volt (example)' })).toBeVisible()
  await expect(dialog).toContainText('Example: this channel is invented')
  const visitLink = dialog.getByRole('link', { name: 'Visit channel' })
  await expect(visitLink).toHaveAttribute('href', 'https://www.youtube.com/')
  await expect(visitLink).toHaveAttribute('target', '_blank')
  await expect(visitLink).toHaveAttribute('rel', /noopener/)
  await expectNoViolation(page, 'a member')

  const shownNames = await locateMemberList(page).getByRole('listitem').allTextContents()
  await page.getByRole('button', { name: 'Previous member' }).click()
  await expect(locateShownName(page)).toHaveText(shownNames.at(-1) ?? '')
  await page.getByRole('button', { name: 'Next member' }).click()
  await page.getByRole('button', { name: 'Next member' }).click()
  await expect(locateShownName(page)).toHaveText(shownNames[1] ?? '')

  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(firstMember).toBeFocused()
  await firstMember.click()
  await page.mouse.click(4, 4)
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(firstMember).toBeFocused()
})

test('members, by keyboard alone: search, open a member, step through the found members, and close; Back and a reload keep the text', {
  tag: '@long',
}, async ({ page, site }) => {
  await openMembers(page, site.origin())
  const memberNames = await locateMemberList(page).getByRole('listitem').allTextContents()
  const foundNames = memberNames.filter((name) => /\bar/i.test(name))
  expect(foundNames.length, 'names with a word that begins with "ar"').toBeGreaterThan(1)
  await mainRegion(page).getByRole('link', { name: 'Apply now' }).focus()
  await page.keyboard.press('Tab')
  await expect(locateSearchField(page)).toBeFocused()
  await page.keyboard.type('AR')
  await expect(locateMemberList(page).getByRole('listitem')).toHaveText(foundNames)
  await expect(mainRegion(page).getByText(`${foundNames.length} of ${memberNames.length} members`)).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(locateShownName(page)).toHaveText(foundNames[0] ?? '')
  await page.keyboard.press('ArrowLeft')
  await expect(locateShownName(page)).toHaveText(foundNames.at(-1) ?? '')
  await page.keyboard.press('ArrowRight')
  await expect(locateShownName(page)).toHaveText(foundNames[0] ?? '')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(locateMember(page, foundNames[0] ?? '')).toBeFocused()

  await locateSearchField(page).fill('aria')
  const memberItems = locateMemberList(page).getByRole('listitem')
  await expect(memberItems).toHaveText([/^Aria/])
  await mainRegion(page).getByRole('link', { name: 'Apply now' }).click()
  for (const comeBack of [() => page.goBack(), () => page.reload()]) {
    await comeBack()
    await expect(locateSearchField(page)).toHaveValue('aria')
    await expect(memberItems).toHaveText([/^Aria/])
  }

  await waitForHydration(page)
  await locateSearchField(page).fill('zzz')
  await expect(mainRegion(page)).toContainText('No member found')
  await page.getByRole('button', { name: 'Show all members' }).click()
  await expect(locateMemberButtons(page)).toHaveCount(memberNames.length)
  await expect(locateSearchField(page)).toBeFocused()
})

test('members: 10,000 members with hostile names have few elements in the document; scrolling and searching reach the last member', {
  tag: '@long',
}, async ({ page, testCatalogueSite }) => {
  await openMembers(page, testCatalogueSite.origin())
  await expect(locateMemberButtons(page).first()).toHaveText(hostileMembers.html)
  await expect(locateMember(page, 'UC test/3?'), 'a name without a visible character').toBeVisible()
  const firstPicture = locateMemberList(page).locator('img').first()
  await expect
    .poll(() => firstPicture.evaluate((picture: HTMLImageElement) => picture.naturalWidth), 'the first picture')
    .toBeGreaterThan(0)
  const visitLink = page.getByRole('link', { name: 'Visit channel' })
  // On a busy machine that still hydrates 10,000 members, a press can be lost. It is repeated until the dialog is open.
  await expect(async () => {
    if (!(await visitLink.isVisible())) await locateMember(page, hostileMembers.longWord).press('Enter', { timeout: 2_000 })
    await expect(visitLink).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(visitLink).toHaveAttribute('href', 'https://www.youtube.com/channel/UC%20test%2F4%3F')
  await page.keyboard.press('Escape')
  expect(await page.title()).toMatch(/^Network members/)

  const lastName = createMemberName(MEMBER_COUNT - Object.keys(hostileMembers).length - 1)
  await expect(locateMemberList(page).getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(MEMBER_COUNT))
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(50_000)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect(locateMember(page, lastName)).toBeInViewport()
  expect(await locateMemberButtons(page).count(), 'members in the document').toBeLessThan(400)
  await locateMember(page, lastName).click()
  await page.keyboard.press('ArrowRight')
  await expect(locateShownName(page)).toHaveText(hostileMembers.html)
  await page.keyboard.press('Escape')
  await expect(locateMember(page, lastName)).toBeFocused()

  await locateSearchField(page).fill(lastName)
  await expect(locateMemberButtons(page)).toHaveText([lastName])
})

test('members: the page says that it is loading; a failed network shows Retry; an error response leaves the list empty without a message', {
  tag: '@long',
}, async ({ page, site, context, faults }) => {
  faults.expect(/ERR_FAILED|status of 500/)
  await serveAppShell(context)
  const membersUrlPattern = '**/api/member/all*'
  await context.route(membersUrlPattern, () => {})
  await page.goto(`${site.origin()}/members`)
  await expect(mainRegion(page).getByText('Loading...', { exact: true })).toBeVisible()
  await expectNoViolation(page, 'members that are loading')
  await context.unroute(membersUrlPattern)

  await context.route(membersUrlPattern, (route) =>
    route.fulfill({ status: 500, json: { code: 500, message: 'Out of order.', data: null } }),
  )
  await page.reload()
  await expect(pageHeading(page)).toHaveText('Network members')
  await expect(mainRegion(page).getByText('Loading...', { exact: true })).toBeHidden()
  await expect(mainRegion(page).getByRole('link', { name: 'Apply now' })).toBeVisible()
  await expect(locateMemberList(page)).toBeHidden()
  await expect(mainRegion(page)).not.toContainText('Out of order.')
  await expect(mainRegion(page).getByRole('alert')).toHaveCount(0)
  await context.unroute(membersUrlPattern)

  // The probe of the connection fails as well, because a successful probe would load the members before Retry is pressed.
  const probeUrlPattern = '**/api/site'
  await context.route(probeUrlPattern, (route) => route.abort('failed'))
  await context.route(membersUrlPattern, (route) => route.abort('failed'))
  await page.reload()
  const retryButton = mainRegion(page).getByRole('button', { name: 'Retry' })
  await expect(retryButton).toBeVisible()
  await expectNoViolation(page, 'members without a connection')
  await context.unroute(membersUrlPattern)
  await retryButton.click()
  await expect(locateMemberButtons(page).first()).toBeVisible()
  await context.unroute(probeUrlPattern)

  await test.step('a picture that cannot be loaded is replaced by the first letter of the name', async () => {
    await context.route('**/img/member/**', (route) => route.abort('failed'))
    await page.reload()
    const picture = locateMember(page, 'Aria Volt (example)').locator('span').first()
    await expect.poll(() => picture.evaluate((element) => getComputedStyle(element, '::after').content)).toContain('"A"')
  })
})

test('members: after one visit, the members are shown and can be searched offline', { tag: '@long' }, async ({ site }) => {
  await withBrowserProfile(async (openBrowser) => {
    const { page, context } = await openBrowser()
    await page.goto(`${site.origin()}/members`)
    await waitForServiceWorker(page)
    // The page is reached from the app shell, so that it requests and stores the members.
    await page.reload()
    await expect(locateMemberButtons(page).first()).toBeVisible()
    await waitForStoredPage(page)
    await context.setOffline(true)
    await page.reload()
    await locateSearchField(page).fill('otto')
    await expect(locateMemberButtons(page)).toHaveText(['Otto Venn (example)'])
    await locateMemberButtons(page).click()
    await expect(locateShownName(page)).toHaveText('Otto Venn (example)')
  })
})
