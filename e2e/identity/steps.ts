import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { heading, main, nav, untilAlive } from '../steps.ts'

export interface Credentials {
  email: string
  password: string
}

export const anybody = (): Credentials => ({ email: `someone-${randomUUID().slice(0, 8)}@example.com`, password: 'tempo160' })

/** What pages say of an email and a password that do not belong together. */
export const WRONG_PAIR = 'The email or the password is wrong.'
/** And of a password that is asked for once more. */
export const WRONG_CURRENT = 'The current password is wrong.'

export const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })
export const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
/** What went wrong, in words. */
export const alert = (page: Page) => main(page).getByRole('alert')
export const accountMenu = (page: Page) => nav(page).getByRole('button', { name: /^Account: / })

/** Opens a page of the site, and waits for its program. */
export async function open(page: Page, path: string) {
  await page.goto(path)
  await untilAlive(page)
}

/** As the SDK asks a service: `action` is such as `signUp`. Gives the status and the body. */
export async function askService(serviceOrigin: string, action: string, body: object): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${serviceOrigin}/identitytoolkit.googleapis.com/v1/accounts:${action}?key=any-key-will-do`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Makes an account without a page. */
export async function register(serviceOrigin: string, credentials: Credentials) {
  expect(await askService(serviceOrigin, 'signUp', { ...credentials, returnSecureToken: true })).toMatchObject({ status: 200 })
}

/** Fills in the log-in form that is open, and sends it. */
export async function submitLogIn(page: Page, { email, password }: Credentials) {
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Log in').click()
}

/** From nothing to the home page, signed in. */
export async function logIn(page: Page, credentials: Credentials) {
  await open(page, '/login')
  await submitLogIn(page, credentials)
  await expectSignedIn(page, credentials)
  await expect(page).toHaveURL(/\/$/)
  // The page that was gone to takes the focus, and a menu that was opened before would close by it.
  await expect(heading(page)).toBeFocused()
}

export const expectSignedIn = (page: Page, { email }: Credentials) =>
  expect(nav(page).getByRole('button', { name: `Account: ${email}`, exact: true })).toBeVisible()

/** The server's HTML knows nobody: only the program's word counts, and what it keeps. */
export async function expectSignedOut(page: Page) {
  await untilAlive(page)
  await expect.poll(() => storedTokens(page), 'the session that is kept').toBeUndefined()
  await expect(nav(page).getByRole('link', { name: 'Login' })).toBeVisible()
}

export async function signOut(page: Page) {
  await accountMenu(page).click()
  await nav(page).getByRole('button', { name: 'Sign out' }).click()
  await expectSignedOut(page)
}

/** The page of an account, as far as it shows whose it is. */
export async function openDashboard(page: Page, { email }: Credentials) {
  await open(page, '/account')
  await expect(main(page)).toContainText(`Welcome back, ${email}`)
}

/** What the SDK keeps of a session. */
interface StoredTokens {
  accessToken: string
  refreshToken: string
  expirationTime: number
}

const SDK_KEY = 'firebase:authUser:'

/** `undefined` where nobody is signed in. */
export const storedTokens = (page: Page): Promise<StoredTokens | undefined> =>
  page.evaluate((prefix) => {
    const key = Object.keys(localStorage).find((each) => each.startsWith(prefix))
    return key === undefined ? undefined : JSON.parse(localStorage.getItem(key) ?? '').stsTokenManager
  }, SDK_KEY)

let changes = 0

/**
 * Changes what is kept of the session that `page` has, as time or somebody else would, and loads the page anew, or `path` in its place:
 * between the two pages, so that no SDK that runs writes what it has.
 */
export async function reloadWithTokens(page: Page, change: Partial<StoredTokens>, path?: string) {
  await page.addInitScript(
    ([prefix, changed, mark]) => {
      const key = Object.keys(localStorage).find((each) => each.startsWith(prefix))
      if (key === undefined || sessionStorage.getItem(mark) !== null) return
      sessionStorage.setItem(mark, 'done')
      const user = JSON.parse(localStorage.getItem(key) ?? '')
      Object.assign(user.stsTokenManager, changed)
      localStorage.setItem(key, JSON.stringify(user))
    },
    [SDK_KEY, change, `change-${++changes}`] as const,
  )
  await (path === undefined ? page.reload() : page.goto(path))
  await untilAlive(page)
}

/** The time left to a token that is renewed before it is sent the next time. */
export const soon = () => Date.now() + 4 * 60_000

/** The calls that renew a session, as they leave the browser from now on. */
export function watchRenewals(page: Page): { count: number } {
  const seen = { count: 0 }
  page.on('request', (request) => {
    if (request.method() === 'POST' && /securetoken\.googleapis\.com\/v1\/token/.test(request.url())) seen.count++
  })
  return seen
}
