import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Site } from '../e2e/server.ts'
import { main, nav } from '../e2e/steps.ts'
import type { Shot } from './shot.ts'

const password = 'tempo160'
let people = 0

/** The pages around accounts. */
export function accountShots(site: Site): Shot[] {
  /** Each picture has a person of its own, whose limits nobody else uses up. */
  async function newPerson(role?: string): Promise<string> {
    const email = `mika.soun${++people}@meridian.fm`
    await site.admin('user', 'create', '--email', email, '--password', password, ...(role === undefined ? [] : ['--role', role]))
    return email
  }
  const logIn = async (page: Page, email: string, typed = password) => {
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password').fill(typed)
    await main(page).getByRole('button', { name: 'Log in' }).click()
  }
  /** Signs in and goes to `path`. */
  const signedIn = async (page: Page, path: string, role?: string) => {
    const email = await newPerson(role)
    await logIn(page, email)
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.goto(new URL(path, page.url()).href)
    await page.waitForTimeout(800)
    return email
  }
  const signUp = async (page: Page, email: string, chosen: string) => {
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password').fill(chosen)
    await page.waitForTimeout(400)
    await main(page).getByRole('button', { name: 'Sign up' }).click()
    await page.waitForTimeout(700)
  }
  const openAccount = async (page: Page) => {
    await page.getByRole('button', { name: /^Account: / }).click()
  }
  const failNetwork = (page: Page) => page.context().route('**/*googleapis.com/**', (route) => route.abort('failed'))
  const openReset = async (page: Page) => {
    const email = await newPerson()
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByRole('button', { name: 'Send the link' }).click()
    await main(page).getByText('a mail is on its way').waitFor()
    await page.goto(new URL(await resetPath(site, email), page.url()).href)
    await main(page).getByLabel('Confirm password').waitFor()
  }
  return [
    { name: 'login', path: '/login' },
    { name: 'login-success', path: '/login?success=Password+reset+successfully.' },
    { name: 'login-error', path: '/login?error=Your+session+has+ended.' },
    {
      name: 'login-wrong',
      path: '/login',
      act: async (page) => {
        await logIn(page, await newPerson(), 'not this one')
        await page.getByRole('alert').getByText('wrong').waitFor()
      },
    },
    {
      name: 'login-no-network',
      path: '/login',
      act: async (page) => {
        await failNetwork(page)
        await logIn(page, 'mika.soun@meridian.fm')
        await main(page).getByRole('button', { name: 'Retry' }).waitFor()
      },
    },
    { name: 'login-signed-in', path: '/login', act: (page) => signedIn(page, '/login') },
    { name: 'signup', path: '/signup' },
    { name: 'signup-weak', path: '/signup', act: (page) => signUp(page, 'new@meridian.fm', 'four') },
    { name: 'signup-taken', path: '/signup', act: async (page) => signUp(page, await newPerson(), password) },
    { name: 'signup-done', path: '/signup', act: (page) => signUp(page, `new${++people}@meridian.fm`, password) },
    { name: 'forgot-password', path: '/forgot-password' },
    {
      name: 'forgot-password-sent',
      path: '/forgot-password',
      act: async (page) => {
        // One address gets few mails in an hour.
        await main(page).getByLabel('Email').fill(`mika.soun${++people}@meridian.fm`)
        await main(page).getByRole('button', { name: 'Send the link' }).click()
        await main(page).getByText('a mail is on its way').waitFor()
      },
    },
    {
      name: 'reset-password-dead',
      path: '/reset-password?oobCode=dead',
      act: (page) => page.getByRole('alert').getByText('link').waitFor(),
    },
    { name: 'reset-password', path: '/forgot-password', act: openReset },
    {
      name: 'reset-password-differs',
      path: '/forgot-password',
      act: async (page) => {
        await openReset(page)
        await main(page).getByLabel('Password', { exact: true }).fill(password)
        await main(page).getByLabel('Confirm password').fill('tempo161')
        await main(page).getByRole('button', { name: 'Reset password' }).click()
      },
    },
    { name: 'verify-email', path: '/verify-email?oobCode=one' },
    { name: 'account', path: '/login', whole: true, act: (page) => signedIn(page, '/account', 'subscriber') },
    {
      name: 'account-dropdown',
      path: '/login',
      act: async (page) => {
        await signedIn(page, '/account')
        await openAccount(page)
      },
    },
    {
      name: 'account-menu',
      path: '/login',
      widths: [390],
      act: async (page) => {
        await signedIn(page, '/account')
        await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
        await nav(page).getByRole('button', { name: 'Explore' }).waitFor()
      },
    },
    {
      name: 'account-delete',
      path: '/login',
      act: async (page) => {
        await signedIn(page, '/account')
        await main(page).getByRole('button', { name: 'Delete account' }).click()
      },
    },
    { name: 'change-password', path: '/login', act: (page) => signedIn(page, '/account/change-password') },
    {
      name: 'change-password-differs',
      path: '/login',
      act: async (page) => {
        await signedIn(page, '/account/change-password')
        await main(page).getByLabel('Current password').fill(password)
        await main(page).getByLabel('New password', { exact: true }).fill('tempo170')
        await main(page).getByLabel('Confirm new password').fill('tempo171')
        await main(page).getByRole('button', { name: 'Change password' }).click()
      },
    },
    {
      name: 'change-password-done',
      path: '/login',
      act: async (page) => {
        await signedIn(page, '/account/change-password')
        await main(page).getByLabel('Current password').fill(password)
        await main(page).getByLabel('New password', { exact: true }).fill('tempo170')
        await main(page).getByLabel('Confirm new password').fill('tempo170')
        await main(page).getByRole('button', { name: 'Change password' }).click()
        await main(page).getByText('Password updated successfully').waitFor()
      },
    },
  ]
}

/** The path of the link in the mail that the server wrote for `email`. */
async function resetPath(site: Site, email: string): Promise<string> {
  const outbox = join(site.dataDir, 'outbox')
  for (let tries = 0; tries < 50; tries++) {
    const names = await readdir(outbox).catch(() => [])
    for (const name of names.filter((each) => each.endsWith('.eml'))) {
      const mail = (await readFile(join(outbox, name), 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=')
      const code = /reset-password\?oobCode=([\w-]+)/.exec(mail)?.[1]
      if (mail.includes(email) && code !== undefined) return `/reset-password?oobCode=${code}`
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail to ${email}`)
}
