import type { Locator, Page } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { hostileMembers, MEMBER_COUNT, memberName } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { mainRegion, pageHeading, serveAppShell, waitForHydration } from './steps.ts'

const memberList = (page: Page) => mainRegion(page).getByRole('list', { name: 'Members' })
const memberButtons = (page: Page) => memberList(page).getByRole('button')
const memberNamed = (page: Page, name: string): Locator => memberList(page).getByRole('button', { name, exact: true })
const searchField = (page: Page) => mainRegion(page).getByRole('searchbox', { name: 'Find a member' })
const shownName = (page: Page) => page.getByRole('dialog').getByRole('heading', { level: 2 })

async function openMembers(page: Page, origin: string) {
  await page.goto(`${origin}/members`)
  await waitForHydration(page)
  await expect(memberButtons(page).first()).toBeVisible()
}

test('members: the HTML has the names; a picture opens its member, arrows wrap around, and every way to close returns the focus to the picture', async ({
  page,
  site,
}) => {
  const html = await (await page.request.get(`${site.origin()}/members`)).text()
  expect(html).toContain('Mira Halden (example)')
  await openMembers(page, site.origin())
  await expect(page).toHaveTitle(/^Network members/)
  await expect(pageHeading(page)).toHaveText('Network members')
  await expect(mainRegion(page).getByRole('link', { name: 'Apply now' })).toHaveAttribute('href', '/get-in-touch?topic=apply-member')
  const firstMember = memberNamed(page, 'Aria Volt (example)')
  const box = await firstMember.locator('img').boundingBox()
  expect([box?.width, box?.height], 'the size of a picture').toEqual([88, 88])

  await firstMember.click()
  const dialog = page.getByRole('dialog', { name: 'Aria Volt (example)' })
  await expect(dialog.getByRole('img', { name: 'Picture of Aria Volt (example)' })).toBeVisible()
  await expect(dialog).toContainText('Example: this channel is invented')
  const visitLink = dialog.getByRole('link', { name: 'Visit channel' })
  await expect(visitLink).toHaveAttribute('href', 'https://www.youtube.com/')
  await expect(visitLink).toHaveAttribute('target', '_blank')
  await expect(visitLink).toHaveAttribute('rel', /noopener/)
  await expectNoViolation(page, 'a member')

  const shownNames = await memberList(page).getByRole('listitem').allTextContents()
  await page.getByRole('button', { name: 'Previous member' }).click()
  await expect(shownName(page)).toHaveText(shownNames.at(-1) ?? '')
  await page.getByRole('button', { name: 'Next member' }).click()
  await page.getByRole('button', { name: 'Next member' }).click()
  await expect(shownName(page)).toHaveText(shownNames[1] ?? '')

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
  const names = await memberList(page).getByRole('listitem').allTextContents()
  const foundNames = names.filter((name) => /\bar/i.test(name))
  expect(foundNames.length, 'names with a word that begins with "ar"').toBeGreaterThan(1)
  await mainRegion(page).getByRole('link', { name: 'Apply now' }).focus()
  await page.keyboard.press('Tab')
  await expect(searchField(page)).toBeFocused()
  await page.keyboard.type('AR')
  await expect(memberList(page).getByRole('listitem')).toHaveText(foundNames)
  await expect(mainRegion(page).getByText(`${foundNames.length} of ${names.length} members`)).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(shownName(page)).toHaveText(foundNames[0] ?? '')
  await page.keyboard.press('ArrowLeft')
  await expect(shownName(page)).toHaveText(foundNames.at(-1) ?? '')
  await page.keyboard.press('ArrowRight')
  await expect(shownName(page)).toHaveText(foundNames[0] ?? '')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(memberNamed(page, foundNames[0] ?? '')).toBeFocused()

  await searchField(page).fill('aria')
  const memberItems = memberList(page).getByRole('listitem')
  await expect(memberItems).toHaveText([/^Aria/])
  await mainRegion(page).getByRole('link', { name: 'Apply now' }).click()
  for (const comeBack of [() => page.goBack(), () => page.reload()]) {
    await comeBack()
    await expect(searchField(page)).toHaveValue('aria')
    await expect(memberItems).toHaveText([/^Aria/])
  }

  await waitForHydration(page)
  await searchField(page).fill('zzz')
  await expect(mainRegion(page)).toContainText('No member found')
  await page.getByRole('button', { name: 'Show all members' }).click()
  await expect(memberButtons(page)).toHaveCount(names.length)
  await expect(searchField(page)).toBeFocused()
})

test('members: 10,000 members with hostile names have few elements in the document; scrolling and searching reach the last member', {
  tag: '@long',
}, async ({ page, testCatalogueSite }) => {
  await openMembers(page, testCatalogueSite.origin())
  await expect(memberButtons(page).first()).toHaveText(hostileMembers.html)
  await expect(memberNamed(page, 'UC test/3?'), 'a name without a visible character').toBeVisible()
  const firstPicture = memberList(page).locator('img').first()
  await expect
    .poll(() => firstPicture.evaluate((picture: HTMLImageElement) => picture.naturalWidth), 'the first picture')
    .toBeGreaterThan(0)
  const visitLink = page.getByRole('link', { name: 'Visit channel' })
  // On a busy machine that still hydrates 10,000 members, a press can be lost. It is repeated until the dialog is open.
  await expect(async () => {
    if (!(await visitLink.isVisible())) await memberNamed(page, hostileMembers.longWord).press('Enter', { timeout: 2_000 })
    await expect(visitLink).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(visitLink).toHaveAttribute('href', 'https://www.youtube.com/channel/UC%20test%2F4%3F')
  await page.keyboard.press('Escape')
  expect(await page.title()).toMatch(/^Network members/)

  const lastName = memberName(MEMBER_COUNT - Object.keys(hostileMembers).length - 1)
  await expect(memberList(page).getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(MEMBER_COUNT))
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(50_000)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect(memberNamed(page, lastName)).toBeInViewport()
  expect(await memberButtons(page).count(), 'members in the document').toBeLessThan(400)
  await memberNamed(page, lastName).click()
  await page.keyboard.press('ArrowRight')
  await expect(shownName(page)).toHaveText(hostileMembers.html)
  await page.keyboard.press('Escape')
  await expect(memberNamed(page, lastName)).toBeFocused()

  await searchField(page).fill(lastName)
  await expect(memberButtons(page)).toHaveText([lastName])
})

test('members: the page says that it is loading; a failed network shows Retry; an error response leaves the list empty without a message', {
  tag: '@long',
}, async ({ page, site, context, faults }) => {
  faults.expect(/ERR_FAILED|status of 500/)
  await serveAppShell(context)
  const members = '**/api/member/all*'
  await context.route(members, () => {})
  await page.goto(`${site.origin()}/members`)
  await expect(mainRegion(page).getByText('Loading...', { exact: true })).toBeVisible()
  await expectNoViolation(page, 'members that are loading')
  await context.unroute(members)

  await context.route(members, (route) => route.fulfill({ status: 500, json: { code: 500, message: 'Out of order.', data: null } }))
  await page.reload()
  await expect(pageHeading(page)).toHaveText('Network members')
  await expect(mainRegion(page).getByText('Loading...', { exact: true })).toBeHidden()
  await expect(mainRegion(page).getByRole('link', { name: 'Apply now' })).toBeVisible()
  await expect(memberList(page)).toBeHidden()
  await expect(mainRegion(page)).not.toContainText('Out of order.')
  await expect(mainRegion(page).getByRole('alert')).toHaveCount(0)
  await context.unroute(members)

  // The probe of the connection fails as well, because a successful probe would load the members before Retry is pressed.
  const probe = '**/api/site'
  await context.route(probe, (route) => route.abort('failed'))
  await context.route(members, (route) => route.abort('failed'))
  await page.reload()
  const retryButton = mainRegion(page).getByRole('button', { name: 'Retry' })
  await expect(retryButton).toBeVisible()
  await expectNoViolation(page, 'members without a connection')
  await context.unroute(members)
  await retryButton.click()
  await expect(memberButtons(page).first()).toBeVisible()
  await context.unroute(probe)

  await test.step('a picture that cannot be loaded is replaced by the first letter of the name', async () => {
    await context.route('**/img/member/**', (route) => route.abort('failed'))
    await page.reload()
    const picture = memberNamed(page, 'Aria Volt (example)').locator('span').first()
    await expect.poll(() => picture.evaluate((element) => getComputedStyle(element, '::after').content)).toContain('"A"')
  })
})

test('members: after one visit, the members are shown and can be searched offline', { tag: '@long' }, async ({ site }) => {
  await withBrowserProfile(async (open) => {
    const { page, context } = await open()
    await page.goto(`${site.origin()}/members`)
    await waitForServiceWorker(page)
    // The page is reached from the app shell, so that it requests and stores the members.
    await page.reload()
    await expect(memberButtons(page).first()).toBeVisible()
    await waitForStoredPage(page)
    await context.setOffline(true)
    await page.reload()
    await searchField(page).fill('otto')
    await expect(memberButtons(page)).toHaveText(['Otto Venn (example)'])
    await memberButtons(page).click()
    await expect(shownName(page)).toHaveText('Otto Venn (example)')
  })
})
