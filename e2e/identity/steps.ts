import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { mainNavigation, mainRegion, pageHeading, waitForHydration } from '../steps.ts'

export interface Credentials {
  email: string
  password: string
}

export const createCredentials = (): Credentials => ({ email: `someone-${randomUUID().slice(0, 8)}@example.com`, password: 'tempo160' })

const SDK_USER_KEY_PREFIX = 'firebase:authUser:'
/** The API key of the embedded identity service, as the site configures it. */
const EMBEDDED_API_KEY = 'embedded'

/** The error message for a wrong email address or password at the login. */
export const WRONG_CREDENTIALS_TEXT = 'The email or the password is wrong.'
/** The error message when a person who is signed in types a wrong current password. */
export const WRONG_CURRENT_PASSWORD_TEXT = 'The current password is wrong.'

export const locateField = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })
export const locateButton = (page: Page, name: string) => mainRegion(page).getByRole('button', { name, exact: true })
/** Returns the error message of a form. */
export const locateErrorAlert = (page: Page) => mainRegion(page).getByRole('alert')
export const locateAccountMenu = (page: Page) => mainNavigation(page).getByRole('button', { name: /^Account: / })

/** Opens a page of the site, and waits until it is hydrated. */
export async function openHydratedPage(page: Page, urlPath: string) {
  await page.goto(urlPath)
  await waitForHydration(page)
}

/** Sends a request to an endpoint of the Identity Toolkit API, such as `signUp`, as the browser SDK does. */
export async function callIdentityService(
  serviceOrigin: string,
  identityAction: string,
  requestBody: object,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${serviceOrigin}/identitytoolkit.googleapis.com/v1/accounts:${identityAction}?key=any-key-will-do`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(requestBody),
  })
  return { status: response.status, text: await response.text() }
}

/** Creates an account by a request to the identity service. */
export async function signUpByRequest(serviceOrigin: string, credentials: Credentials) {
  expect(await callIdentityService(serviceOrigin, 'signUp', { ...credentials, returnSecureToken: true })).toMatchObject({ status: 200 })
}

/**
 * Signs in by a request to the embedded identity service, and stores the login in the browser as the site and the SDK do. Opens no page of
 * the site. Intended for tests whose subject is not the login form.
 */
export async function signInByRequest(page: Page, serviceOrigin: string, { email, password }: Credentials, origin = serviceOrigin) {
  const { text } = await callIdentityService(serviceOrigin, 'signInWithPassword', { email, password, returnSecureToken: true })
  const response: { localId: string; idToken: string; refreshToken: string; expiresIn: string } = JSON.parse(text)
  const signedInUser = { uid: response.localId, email, emailVerified: false }
  const tokenSession = {
    ...signedInUser,
    isAnonymous: false,
    providerData: [],
    stsTokenManager: {
      accessToken: response.idToken,
      refreshToken: response.refreshToken,
      expirationTime: Date.now() + Number(response.expiresIn) * 1000,
    },
    apiKey: EMBEDDED_API_KEY,
    appName: '[DEFAULT]',
  }
  await page.goto(`${origin}/robots.txt`)
  await page.evaluate(
    ([storageKey, signedInUser, storedSession]) => {
      localStorage.setItem('signed-in', JSON.stringify(signedInUser))
      localStorage.setItem(storageKey, JSON.stringify(storedSession))
    },
    [`${SDK_USER_KEY_PREFIX}${EMBEDDED_API_KEY}:[DEFAULT]`, signedInUser, tokenSession] as const,
  )
}

/** Fills in and submits the open login form. */
export async function submitLogIn(page: Page, { email, password }: Credentials) {
  await locateField(page, 'Email').fill(email)
  await locateField(page, 'Password').fill(password)
  await locateButton(page, 'Log in').click()
}

/** Opens the login page, logs in, and waits for the home page. */
export async function logIn(page: Page, credentials: Credentials) {
  await openHydratedPage(page, '/login')
  await submitLogIn(page, credentials)
  await expectSignedIn(page, credentials)
  await expect(page).toHaveURL(/\/$/)
  // Waits until the heading of the new page has the focus, because a menu that is opened before that would close.
  await expect(pageHeading(page)).toBeFocused()
}

export const expectSignedIn = (page: Page, { email }: Credentials) =>
  expect(mainNavigation(page).getByRole('button', { name: `Account: ${email}`, exact: true })).toBeVisible()

/** Waits for hydration first, because the server renders every page as signed out. */
export async function expectSignedOut(page: Page) {
  await waitForHydration(page)
  await expect.poll(() => readStoredTokens(page), 'the stored tokens').toBeUndefined()
  await expect(mainNavigation(page).getByRole('link', { name: 'Login' })).toBeVisible()
}

export async function signOut(page: Page) {
  await locateAccountMenu(page).click()
  await mainNavigation(page).getByRole('button', { name: 'Sign out' }).click()
  await expectSignedOut(page)
}

/** Opens the account page, and expects the account's email on it. */
export async function openDashboard(page: Page, { email }: Credentials) {
  await openHydratedPage(page, '/account')
  await expect(mainRegion(page)).toContainText(`Welcome back, ${email}`)
}

/** The tokens of the signed-in user, as the SDK stores them. */
interface StoredTokens {
  accessToken: string
  refreshToken: string
  expirationTime: number
}

/** Returns the tokens that the SDK stored; undefined if no account is signed in. */
export const readStoredTokens = (page: Page): Promise<StoredTokens | undefined> =>
  page.evaluate((keyPrefix) => {
    const key = Object.keys(localStorage).find((each) => each.startsWith(keyPrefix))
    return key === undefined ? undefined : JSON.parse(localStorage.getItem(key) ?? '').stsTokenManager
  }, SDK_USER_KEY_PREFIX)

let changeCount = 0

/**
 * Changes the stored tokens of `page`, and reloads the page or opens `urlPath`. The change happens before the scripts of the next document
 * run, so that no running SDK overwrites it.
 */
export async function reloadWithChangedTokens(page: Page, tokenChanges: Partial<StoredTokens>, urlPath?: string) {
  await page.addInitScript(
    ([keyPrefix, changedTokens, tokenMark]) => {
      const storageKey = Object.keys(localStorage).find((each) => each.startsWith(keyPrefix))
      if (storageKey === undefined || sessionStorage.getItem(tokenMark) !== null) return
      sessionStorage.setItem(tokenMark, 'done')
      const user = JSON.parse(localStorage.getItem(storageKey) ?? '')
      Object.assign(user.stsTokenManager, changedTokens)
      localStorage.setItem(storageKey, JSON.stringify(user))
    },
    [SDK_USER_KEY_PREFIX, tokenChanges, `change-${++changeCount}`] as const,
  )
  await (urlPath === undefined ? page.reload() : page.goto(urlPath))
  await waitForHydration(page)
}

/** Returns an expiration time so soon that the SDK refreshes the token before its next request. */
export const createExpiringSoonMs = () => Date.now() + 4 * 60_000

/** Counts the token refresh requests of the page from now on. */
export function countTokenRefreshes(page: Page): { count: number } {
  const refreshCounter = { count: 0 }
  page.on('request', (request) => {
    if (request.method() === 'POST' && /securetoken\.googleapis\.com\/v1\/token/.test(request.url())) refreshCounter.count++
  })
  return refreshCounter
}
