import { readFile } from 'node:fs/promises'
import { brands, expect, test } from './fixtures.ts'
import {
  accountMenu,
  alert,
  anybody,
  button,
  expectSignedIn,
  expectSignedOut,
  field,
  logIn,
  open,
  openDashboard,
  register,
  reloadWithTokens,
  signOut,
  soon,
  storedTokens,
  submitLogIn,
} from './identity/steps.ts'
import { heading, main, nav } from './steps.ts'

for (const brand of brands) {
  test(`${brand.name}: who is not signed in logs in first, by way of signing up, and then is where they were going`, async ({
    page,
    site,
  }) => {
    const origin = site.origin(brand.subdomain)
    const somebody = anybody()
    await open(page, `${origin}/account/change-password`)
    await expect(page).toHaveURL(`${origin}/login`)
    await main(page).getByRole('link', { name: 'Sign up' }).click()
    // The forms have fields of the same names.
    await expect(heading(page)).toHaveText('Sign up')
    await field(page, 'Email').fill(somebody.email)
    await field(page, 'Password').fill(somebody.password)
    await button(page, 'Sign up').click()
    await expect(page).toHaveURL(`${origin}/login`)
    await main(page).getByRole('link', { name: 'Forgot password?' }).click()
    await main(page).getByRole('link', { name: 'Back to the log-in' }).click()
    await expect(heading(page)).toHaveText('Log in')
    await submitLogIn(page, somebody)
    await expect(page).toHaveURL(`${origin}/account/change-password`)
    await expect(heading(page)).toHaveText('Change password')
    await expectSignedIn(page, somebody)
  })
}

test('a message for the log-in page is text, green or red, and gone after 5 seconds', async ({ page }) => {
  const markup = '<b id="bold">Done</b><img src=x onerror="console.error(1)">'
  for (const [name, role, colour] of [
    ['success', 'status', 'good'],
    ['error', 'alert', 'bad'],
  ] as const) {
    await page.clock.install()
    await open(page, `/login?${new URLSearchParams({ [name]: markup })}`)
    const message = main(page).getByRole(role).filter({ hasText: markup })
    await expect(message).toBeVisible()
    await expect(main(page).locator('#bold, img[src=x]')).toHaveCount(0)
    const [red = 0, green = 0] = await message.evaluate((element, token) => {
      const probe = document.createElement('canvas').getContext('2d')
      if (!probe) return []
      probe.fillStyle = getComputedStyle(element).getPropertyValue(`--${token}`) || getComputedStyle(element).borderColor
      probe.fillRect(0, 0, 1, 1)
      return [...probe.getImageData(0, 0, 1, 1).data]
    }, colour)
    if (name === 'success') expect(green).toBeGreaterThan(red)
    else expect(red).toBeGreaterThan(green)
    await page.clock.fastForward(4_000)
    await expect(message).toBeVisible()
    await page.clock.fastForward(1_500)
    await expect(message).toHaveCount(0)
  }
})

test('a password can be seen, and Caps Lock is noticed', async ({ page }) => {
  await open(page, '/signup')
  const password = field(page, 'Password')
  await password.fill('Tempo160')
  await expect(password).toHaveAttribute('type', 'password')
  const show = button(page, 'Show password')
  await expect(show).toHaveAttribute('aria-pressed', 'false')
  await show.click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(show).toHaveAttribute('aria-pressed', 'true')
  await expect(password).toHaveValue('Tempo160')
  await show.click()
  await expect(password).toHaveAttribute('type', 'password')

  const word = main(page).getByText('Caps Lock is on.')
  await expect(word).toHaveCount(0)
  // The key itself cannot be pressed by a test: the browser is told as the system would tell it.
  const press = (on: boolean) =>
    password.evaluate(
      (element, capsLock) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, modifierCapsLock: capsLock })),
      on,
    )
  await press(true)
  await expect(word).toBeVisible()
  await press(false)
  await expect(word).toHaveCount(0)
})

test('without a connection a log-in says so, and Retry works once there is one', async ({ page, context, site, faults }) => {
  faults.expect(/ERR_INTERNET_DISCONNECTED/)
  const somebody = anybody()
  await register(site.origin(), somebody)
  await open(page, '/login')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await submitLogIn(page, somebody)
  await expect(alert(page)).toHaveText('You are offline. This needs a connection.')
  await expect(field(page, 'Password')).toHaveValue(somebody.password)
  await context.setOffline(false)
  await button(page, 'Retry').click()
  await expectSignedIn(page, somebody)
  await expect(page).toHaveURL(/\/$/)
})

test('sign up, log in and sign out by keys alone', async ({ page }) => {
  const somebody = anybody()
  await open(page, '/signup')
  await field(page, 'Email').focus()
  await page.keyboard.type(somebody.email)
  await page.keyboard.press('Tab')
  await expect(field(page, 'Password')).toBeFocused()
  await page.keyboard.type(somebody.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  await expect(field(page, 'Email')).toHaveValue(somebody.email)
  // Later it would take the focus from who is on a button by then.
  await expect(heading(page)).toBeFocused()
  await field(page, 'Email').focus()
  await page.keyboard.press('Tab')
  // The link in the label's line stands before the field.
  if (!(await field(page, 'Password').evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab')
  await expect(field(page, 'Password')).toBeFocused()
  await page.keyboard.type(somebody.password)
  await page.keyboard.press('Tab')
  await expect(button(page, 'Show password')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Log in')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectSignedIn(page, somebody)
  // A page that is gone to takes the focus; one that is opened has none.
  await open(page, '/playlists')

  await accountMenu(page).focus()
  await page.keyboard.press('Enter')
  await expect(nav(page).getByRole('button', { name: 'Sign out' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(nav(page).getByRole('button', { name: 'Sign out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectSignedOut(page)
})

test('signing out leads home, and leaves nothing of the account', async ({ page, site }) => {
  const somebody = anybody()
  await register(site.origin(), somebody)
  await logIn(page, somebody)
  await openDashboard(page, somebody)
  await signOut(page)
  await expect(page).toHaveURL(/\/$/)
  expect(await storedTokens(page)).toBeUndefined()
  expect(await page.evaluate((email) => JSON.stringify(localStorage).includes(email), somebody.email)).toBe(false)
  await open(page, '/account')
  await expect(page).toHaveURL(/\/login$/)
})

test('a refresh token that is none, or was used by somebody else, ends the session at the next call', async ({ page, site, faults }) => {
  faults.expect(/status of 400/)
  const somebody = anybody()
  await register(site.origin(), somebody)
  const rotate = (token: string) =>
    fetch(`http://127.0.0.1:${site.port}/securetoken.googleapis.com/v1/token?key=any`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
    })
  for (const fate of ['dead', 'ended'] as const) {
    await logIn(page, somebody)
    const token = (await storedTokens(page))?.refreshToken ?? ''
    // One that is not known ends its family, as one that was replaced long ago does.
    if (fate === 'ended') expect((await rotate(`${token.split('.')[0]}.${'A'.repeat(43)}`)).status).toBe(400)
    await open(page, '/playlists')
    await reloadWithTokens(page, { expirationTime: soon(), ...(fate === 'dead' && { refreshToken: 'not-a-token' }) }, '/account')
    await expect(page).toHaveURL(/\/login\?error=You\+were\+signed\+out/)
    await expectSignedOut(page)
    expect(await storedTokens(page)).toBeUndefined()
    await open(page, '/playlists')
  }
})

test('a download of all that is stored about a person', async ({ page, site }) => {
  const somebody = anybody()
  await register(site.origin(), somebody)
  await logIn(page, somebody)
  await openDashboard(page, somebody)
  const started = page.waitForEvent('download')
  await button(page, 'Download').click()
  const download = await started
  expect(download.suggestedFilename()).toBe('nightcore-meridian-account.json')
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
    email: somebody.email,
    email_verified: false,
    roles: [],
  })
})
