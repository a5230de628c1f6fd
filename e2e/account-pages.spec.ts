import { readFile } from 'node:fs/promises'
import { brands, expect, tagSecondBrand, test } from './fixtures.ts'
import {
  createCredentials,
  createExpiringSoonMs,
  expectSignedIn,
  expectSignedOut,
  locateAccountMenu,
  locateButton,
  locateErrorAlert,
  locateField,
  openDashboard,
  openHydratedPage,
  readStoredTokens,
  reloadWithChangedTokens,
  signInByRequest,
  signOut,
  signUpByRequest,
  submitLogIn,
} from './identity/steps.ts'
import { mainNavigation, mainRegion, pageHeading } from './steps.ts'

for (const brand of brands) {
  test(
    `login, ${brand.name}: sign-up and login return to the account page that was requested`,
    tagSecondBrand(brand),
    async ({ page, site }) => {
      const origin = site.origin(brand.subdomain)
      const credentials = createCredentials()
      await openHydratedPage(page, `${origin}/account/change-password`)
      await expect(page).toHaveURL(`${origin}/login`)
      await mainRegion(page).getByRole('link', { name: 'Sign up' }).click()
      // The form is selected first, because both forms have fields with the same names.
      await expect(pageHeading(page)).toHaveText('Sign up')
      await locateField(page, 'Email').fill(credentials.email)
      await locateField(page, 'Password').fill(credentials.password)
      await locateButton(page, 'Sign up').click()
      await expect(page).toHaveURL(`${origin}/login`)
      await mainRegion(page).getByRole('link', { name: 'Forgot password?' }).click()
      await mainRegion(page).getByRole('link', { name: 'Back to log-in' }).click()
      await expect(pageHeading(page)).toHaveText('Log in')
      await submitLogIn(page, credentials)
      await expect(page).toHaveURL(`${origin}/account/change-password`)
      await expect(pageHeading(page)).toHaveText('Change password')
      await expectSignedIn(page, credentials)
    },
  )
}

test('confirm the email: a person who is signed in is not asked to log in, and sees which address the link confirms', {
  tag: '@long',
}, async ({ page, site }) => {
  const urlPath = '/verify-email?oobCode=none'
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await signInByRequest(page, site.origin(), credentials)
  // The server does not know whether a person is logged in, so its HTML must not ask for a login.
  expect(await (await page.request.get(urlPath)).text()).not.toContain('Log in to the account')
  await openHydratedPage(page, urlPath)
  await expect(mainRegion(page)).toContainText(`Press Confirm to show that ${credentials.email} is yours.`)
  await locateButton(page, 'Sign out').click()
  await expectSignedOut(page)
  await openHydratedPage(page, urlPath)
  await expect(locateButton(page, 'Log in')).toBeVisible()
})

test("account forms: a missing value is reported at its field in the site's own words, and the field receives the focus", {
  tag: '@long',
}, async ({ page }) => {
  for (const [urlPath, buttonName, passwordProblem] of [
    ['/login', 'Log in', 'Please enter your password.'],
    ['/signup', 'Sign up', 'Please choose a password.'],
  ] as const) {
    await openHydratedPage(page, urlPath)
    await locateButton(page, buttonName).click()
    await expect(locateField(page, 'Email')).toBeFocused()
    await expect(locateField(page, 'Email')).toHaveAccessibleDescription(/Please enter your email address\./)
    await expect(locateField(page, 'Password')).toHaveAccessibleDescription(new RegExp(passwordProblem))
    await locateField(page, 'Email').fill('someone')
    await expect(locateErrorAlert(page)).toHaveText([passwordProblem])
    await locateField(page, 'Password').fill('tempo160')
    await locateField(page, 'Password').press('Enter')
    await expect(locateErrorAlert(page)).toHaveText(['Please enter a complete email address, such as name@example.com.'])
  }
})

test('login: the login page explains why it is shown instead of an account page', async ({ page }) => {
  await openHydratedPage(page, '/account/website?from=mail')
  await expect(page).toHaveURL(/\/login$/)
  await expect(mainRegion(page).getByRole('status').filter({ hasText: 'Log in to see your account.' })).toBeVisible()
})

test('login: a message in the URL is shown as text in green or red, and disappears', { tag: '@long' }, async ({ page }) => {
  const markup = '<b id="bold">Done</b><img src=x onerror="console.error(1)">'
  for (const [parameterName, role, colour] of [
    ['success', 'status', 'good'],
    ['error', 'alert', 'bad'],
  ] as const) {
    await page.clock.install()
    await openHydratedPage(page, `/login?${new URLSearchParams({ [parameterName]: markup })}`)
    const message = mainRegion(page).getByRole(role).filter({ hasText: markup })
    await expect(message).toBeVisible()
    await expect(mainRegion(page).locator('#bold, img[src=x]')).toHaveCount(0)
    const [redLevel = 0, greenLevel = 0] = await message.evaluate((element, colourToken) => {
      const canvasContext = document.createElement('canvas').getContext('2d')
      if (!canvasContext) return []
      canvasContext.fillStyle = getComputedStyle(element).getPropertyValue(`--${colourToken}`) || getComputedStyle(element).borderColor
      canvasContext.fillRect(0, 0, 1, 1)
      return [...canvasContext.getImageData(0, 0, 1, 1).data]
    }, colour)
    if (parameterName === 'success') expect(greenLevel).toBeGreaterThan(redLevel)
    else expect(redLevel).toBeGreaterThan(greenLevel)
    await page.clock.fastForward(5_500)
    await expect(message).toHaveCount(0)
  }
})

test('password field: the typed text can be shown, and Caps Lock shows a warning', { tag: '@long' }, async ({ page }) => {
  await openHydratedPage(page, '/signup')
  const passwordField = locateField(page, 'Password')
  await passwordField.fill('Tempo160')
  await expect(passwordField).toHaveAttribute('type', 'password')
  const showButton = locateButton(page, 'Show password')
  await expect(showButton).toHaveAttribute('aria-pressed', 'false')
  await showButton.click()
  await expect(passwordField).toHaveAttribute('type', 'text')
  await expect(showButton).toHaveAttribute('aria-pressed', 'true')
  await expect(passwordField).toHaveValue('Tempo160')
  await showButton.click()
  await expect(passwordField).toHaveAttribute('type', 'password')

  const capsLockMessage = mainRegion(page).getByText('Caps Lock is on.')
  await expect(capsLockMessage).toHaveCount(0)
  // Playwright cannot press Caps Lock, so the test dispatches the event.
  const pressCapsLock = (isOn: boolean) =>
    passwordField.evaluate(
      (element, capsLock) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, modifierCapsLock: capsLock })),
      isOn,
    )
  await pressCapsLock(true)
  await expect(capsLockMessage).toBeVisible()
  await pressCapsLock(false)
  await expect(capsLockMessage).toHaveCount(0)
})

test('login: offline a message is shown, and Retry works after reconnecting', { tag: '@long' }, async ({ page, context, site, faults }) => {
  faults.expect(/ERR_INTERNET_DISCONNECTED/)
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await openHydratedPage(page, '/login')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await submitLogIn(page, credentials)
  await expect(locateErrorAlert(page)).toHaveText('You are offline. This needs a connection.')
  await expect(locateField(page, 'Password')).toHaveValue(credentials.password)
  await context.setOffline(false)
  await locateButton(page, 'Retry').click()
  await expectSignedIn(page, credentials)
  await expect(page).toHaveURL(/\/$/)
})

test('account: sign-up, login and sign-out work by keyboard alone', { tag: '@long' }, async ({ page }) => {
  const credentials = createCredentials()
  await openHydratedPage(page, '/signup')
  await locateField(page, 'Email').focus()
  await page.keyboard.type(credentials.email)
  await page.keyboard.press('Tab')
  await expect(locateField(page, 'Password')).toBeFocused()
  await page.keyboard.type(credentials.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  await expect(locateField(page, 'Email')).toHaveValue(credentials.email)
  // Waits until the heading has received the focus: otherwise it could take the focus from a button later.
  await expect(pageHeading(page)).toBeFocused()
  await locateField(page, 'Email').focus()
  await page.keyboard.press('Tab')
  // A link in the line of the label precedes the password field in the tab order.
  if (!(await locateField(page, 'Password').evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab')
  await expect(locateField(page, 'Password')).toBeFocused()
  await page.keyboard.type(credentials.password)
  await page.keyboard.press('Tab')
  await expect(locateButton(page, 'Show password')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(locateButton(page, 'Log in')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectSignedIn(page, credentials)
  // The heading receives the focus after a client-side navigation, but not after a page load.
  await openHydratedPage(page, '/playlists')

  await locateAccountMenu(page).focus()
  await page.keyboard.press('Enter')
  await expect(mainNavigation(page).getByRole('button', { name: 'Sign out' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(mainNavigation(page).getByRole('button', { name: 'Sign out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectSignedOut(page)
})

test('account: a call that is still on its way at sign-out is aborted, so that the server does not refuse it', { tag: '@long' }, async ({
  page,
  context,
  site,
}) => {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await signInByRequest(page, site.origin(), credentials)
  let releaseSyncRequest = () => {}
  const signedOut = new Promise<void>((resolve) => {
    releaseSyncRequest = resolve
  })
  await context.route('**/api/favorite/sync', async (route) => {
    await signedOut
    await route.continue().catch(() => {})
  })
  const abortedRequest = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/favorite/sync'))
  await openHydratedPage(page, '/playlists')
  await signOut(page)
  releaseSyncRequest()
  expect((await abortedRequest).failure()?.errorText).toBe('net::ERR_ABORTED')
})

test('account: the download contains all stored data of the account; sign-out opens the home page and removes all data from the device', {
  tag: '@long',
}, async ({ page, site }) => {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await signInByRequest(page, site.origin(), credentials)
  await openDashboard(page, credentials)
  await test.step('a site without a configuration for Discord shows a message', async () => {
    await expect(mainRegion(page).getByText('Not available here yet.')).toBeVisible()
    await expect(locateButton(page, 'Link Discord')).toBeDisabled()
  })
  const downloadStarted = page.waitForEvent('download')
  await locateButton(page, 'Download').click()
  const download = await downloadStarted
  expect(download.suggestedFilename()).toBe('nightcore-meridian-account.json')
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
    email: credentials.email,
    email_verified: false,
    roles: [],
  })

  await test.step('sign-out opens the home page and removes all data of the account', async () => {
    await signOut(page)
    await expect(page).toHaveURL(/\/$/)
    expect(await readStoredTokens(page)).toBeUndefined()
    expect(await page.evaluate((email) => JSON.stringify(localStorage).includes(email), credentials.email)).toBe(false)
    await openHydratedPage(page, '/account')
    await expect(page).toHaveURL(/\/login$/)
  })
})

test('login: an invalid or reused refresh token signs out at the next token refresh', { tag: '@long' }, async ({ page, site, faults }) => {
  // An identity token is refused with 401 once its login has ended.
  faults.expect(/status of 40[01]/)
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const rotateToken = (token: string) =>
    fetch(`http://127.0.0.1:${site.port}/securetoken.googleapis.com/v1/token?key=any`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
    })
  for (const tokenFault of ['dead', 'ended'] as const) {
    await signInByRequest(page, site.origin(), credentials)
    const token = (await readStoredTokens(page))?.refreshToken ?? ''
    // Sends a token with the family id of the valid token and an unknown secret. The server then revokes all tokens of this family, as if a
    // token that was replaced long ago had been reused.
    if (tokenFault === 'ended') expect((await rotateToken(`${token.split('.')[0]}.${'A'.repeat(43)}`)).status).toBe(400)
    await reloadWithChangedTokens(
      page,
      { expirationTime: createExpiringSoonMs(), ...(tokenFault === 'dead' && { refreshToken: 'not-a-token' }) },
      '/account',
    )
    await expect(page).toHaveURL(/\/login\?error=You\+were\+signed\+out/)
    await expectSignedOut(page)
    expect(await readStoredTokens(page)).toBeUndefined()
    await openHydratedPage(page, '/playlists')
  }
})
