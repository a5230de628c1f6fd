import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { ConversionStatus } from '../../contract/conversion.ts'
import type { Site } from '../server.ts'
import { mainNavigation, mainRegion } from '../steps.ts'
import type { Screenshot } from './shot.ts'

const password = 'tempo160'
const userAgents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'curl/8.5.0',
]
/** The links and songs that the owner adds to a website. The last link and the last song have long titles. */
const websiteEntries = [
  [
    'Link',
    [
      ['Request a song', 'ko-fi.com/mika'],
      ['The new album, “Harbour lights after midnight”, on every store', 'https://mika.example.org/harbour-lights'],
    ],
  ],
  [
    'Song',
    [
      ['Harbour', 'https://youtu.be/mmmmmmmmmm1'],
      ['夜の港 (sped up)', 'https://www.youtube.com/watch?v=mmmmmmmmmm2'],
      ['A title that is so long that it needs two lines on a card, or more', 'mmmmmmmmmm3'],
    ],
  ],
] as const
let accountCount = 0

const locateLoginsRegion = (page: Page) => mainRegion(page).getByRole('region', { name: 'Where you are logged in' })

/** Lists the screenshots of the login, sign-up, password and account pages. */
export function createAccountScreenshots(site: Site): Screenshot[] {
  /** Creates an account for one screenshot, so that the rate limits of accounts are never reached. Returns its email. */
  async function createAccount(roleName?: string): Promise<string> {
    const email = `mika.soun${++accountCount}@meridian.fm`
    await site.runAdmin('user', 'create', '--email', email, '--password', password, ...(roleName === undefined ? [] : ['--role', roleName]))
    return email
  }
  const callIdentity = (identityAction: 'signUp' | 'signInWithPassword', email: string, userAgent = '') =>
    fetch(`http://127.0.0.1:${site.port}/identitytoolkit.googleapis.com/v1/accounts:${identityAction}?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ email, password, returnSecureToken: true }),
    })
  const logIn = async (page: Page, email: string, typedPassword = password) => {
    await mainRegion(page).getByLabel('Email').fill(email)
    await mainRegion(page).getByLabel('Password').fill(typedPassword)
    await mainRegion(page).getByRole('button', { name: 'Log in' }).click()
  }
  /** Logs in with a new account, and opens `urlPath`. Returns the account's email. */
  const openSignedIn = async (page: Page, urlPath: string, roleName?: string) => {
    const email = await createAccount(roleName)
    await logIn(page, email)
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.goto(new URL(urlPath, page.url()).href)
    await page.waitForTimeout(800)
    return email
  }
  const openLockedPage = async (page: Page, urlPath: string) => {
    await openSignedIn(page, urlPath)
    await mainRegion(page).getByRole('region', { name: 'Content locked' }).waitFor()
  }
  /** With a new account whose email address is not confirmed, opens the page of the link that confirms it. */
  const openConfirmationPage = async (page: Page) => {
    const email = `mika.soun${++accountCount}@meridian.fm`
    await callIdentity('signUp', email)
    await logIn(page, email)
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.goto(new URL('/verify-email?oobCode=one', page.url()).href)
    await mainRegion(page).getByRole('button', { name: 'Confirm' }).waitFor()
  }
  /** Activates and saves the website of a new subscriber. Returns its address. */
  const setUpWebsite = async (page: Page): Promise<string> => {
    const email = await openSignedIn(page, '/account/website', 'subscriber')
    await mainRegion(page)
      .getByLabel('Domain name')
      .fill(`mika${/\d+/.exec(email)?.[0] ?? ''}`)
    await mainRegion(page).getByRole('button', { name: 'Activate' }).click()
    await mainRegion(page).getByText('Your site has been activated!').waitFor()
    for (const [fieldLabel, labelledText] of [
      ['Name', 'Mika Sound'],
      ['Subtitle', 'Fast songs from the harbour'],
      ['About me', 'I have made nightcore since 2014.\nWrite to me about remixes, artwork and collaborations.'],
      ['Support text', 'A like on a video helps most. Thank you!'],
      ['Contact email', 'mika@example.org'],
      ['YouTube', 'https://www.youtube.com/@mika'],
      ['X', 'https://x.com/mika'],
      ['Discord', 'https://discord.gg/mika'],
      ['SoundCloud', 'https://soundcloud.com/mika'],
    ] as const)
      await mainRegion(page).getByLabel(fieldLabel, { exact: true }).fill(labelledText)
    for (const [settingKind, settingEntries] of websiteEntries)
      for (const [index, [entryTitle, linkUrl]] of settingEntries.entries()) {
        await mainRegion(page)
          .getByRole('button', { name: `Add a ${settingKind.toLowerCase()}` })
          .click()
        const entry = mainRegion(page).getByRole('group', { name: `${settingKind} ${index + 1}` })
        await entry.getByRole('textbox', { name: 'Title' }).fill(entryTitle)
        await entry.getByRole('textbox', { name: 'Address' }).fill(linkUrl)
      }
    await mainRegion(page).getByRole('button', { name: 'Save' }).click()
    await mainRegion(page).getByText('Your website has been updated!').waitFor()
    return (await mainRegion(page).getByRole('link', { name: 'Open your site' }).getAttribute('href')) ?? ''
  }
  /** Converts a song with a new subscriber. The server's status responses are replaced by `conversionStatus`. */
  const convertWithStatus = async (page: Page, conversionStatus: ConversionStatus) => {
    const createAnswer = (data: unknown) => ({ json: { code: 200, message: 'OK', data } })
    await page.route('**/api/make/convert', (route) => route.fulfill(createAnswer('/api/make/file/1')))
    await page.route('**/api/make/status*', (route) => route.fulfill(createAnswer(conversionStatus)))
    await openSignedIn(page, '/account/make', 'subscriber')
    await mainRegion(page)
      .getByLabel('Song', { exact: true })
      .setInputFiles({ name: 'My song.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('song') })
    await mainRegion(page).getByRole('button', { name: 'Convert' }).click()
  }
  const signUp = async (page: Page, email: string, newPassword: string) => {
    await mainRegion(page).getByLabel('Email').fill(email)
    await mainRegion(page).getByLabel('Password').fill(newPassword)
    await page.waitForTimeout(400)
    await mainRegion(page).getByRole('button', { name: 'Sign up' }).click()
    await page.waitForTimeout(700)
  }
  const openAccountMenu = async (page: Page) => {
    await page.getByRole('button', { name: /^Account: / }).click()
  }
  const failNetwork = (page: Page) => page.context().route('**/*googleapis.com/**', (route) => route.abort('failed'))
  const openResetForm = async (page: Page) => {
    const email = await createAccount()
    await mainRegion(page).getByLabel('Email').fill(email)
    await mainRegion(page).getByRole('button', { name: 'Send the link' }).click()
    await mainRegion(page).getByText('a link is on its way').waitFor()
    await page.goto(new URL(await waitForResetPath(site, email), page.url()).href)
    await mainRegion(page).getByLabel('Confirm password').waitFor()
  }
  return [
    { name: 'login', path: '/login' },
    { name: 'login-success', path: '/login?success=Password+reset+successfully.' },
    { name: 'login-error', path: '/login?error=Your+session+has+ended.' },
    {
      name: 'login-wrong',
      path: '/login',
      showState: async (page) => {
        await logIn(page, await createAccount(), 'not this one')
        await page.getByRole('alert').getByText('wrong').waitFor()
      },
    },
    {
      name: 'login-no-network',
      path: '/login',
      showState: async (page) => {
        await failNetwork(page)
        await logIn(page, 'mika.soun@meridian.fm')
        await mainRegion(page).getByRole('button', { name: 'Retry' }).waitFor()
      },
    },
    { name: 'login-signed-in', path: '/login', showState: (page) => openSignedIn(page, '/login') },
    { name: 'signup', path: '/signup' },
    { name: 'signup-weak', path: '/signup', showState: (page) => signUp(page, 'new@meridian.fm', 'four') },
    { name: 'signup-taken', path: '/signup', showState: async (page) => signUp(page, await createAccount(), password) },
    { name: 'signup-done', path: '/signup', showState: (page) => signUp(page, `new${++accountCount}@meridian.fm`, password) },
    { name: 'forgot-password', path: '/forgot-password' },
    {
      name: 'forgot-password-sent',
      path: '/forgot-password',
      showState: async (page) => {
        // Each screenshot uses a new address, because the server limits the mails per address and hour.
        await mainRegion(page).getByLabel('Email').fill(`mika.soun${++accountCount}@meridian.fm`)
        await mainRegion(page).getByRole('button', { name: 'Send the link' }).click()
        await mainRegion(page).getByText('a link is on its way').waitFor()
      },
    },
    {
      name: 'reset-password-dead',
      path: '/reset-password?oobCode=dead',
      showState: (page) => page.getByRole('alert').getByText('link').waitFor(),
    },
    { name: 'reset-password', path: '/forgot-password', showState: openResetForm },
    {
      name: 'reset-password-differs',
      path: '/forgot-password',
      showState: async (page) => {
        await openResetForm(page)
        await mainRegion(page).getByLabel('Password', { exact: true }).fill(password)
        await mainRegion(page).getByLabel('Confirm password').fill('tempo161')
        await mainRegion(page).getByRole('button', { name: 'Reset password' }).click()
      },
    },
    {
      name: 'verify-email',
      path: '/verify-email?oobCode=one',
      showState: (page) => mainRegion(page).getByRole('button', { name: 'Log in' }).waitFor(),
    },
    { name: 'verify-email-confirmed', path: '/login', showState: (page) => openSignedIn(page, '/verify-email?oobCode=one') },
    { name: 'verify-email-signed-in', path: '/login', showState: openConfirmationPage },
    {
      name: 'verify-email-other-account',
      path: '/login',
      showState: async (page) => {
        await page.route('**/api/account/confirm_email', (route) =>
          route.fulfill({ status: 403, json: { code: 403, message: 'This link is for another account.', data: null } }),
        )
        await openConfirmationPage(page)
        await mainRegion(page).getByRole('button', { name: 'Confirm' }).click()
        await mainRegion(page).getByRole('alert').waitFor()
      },
    },
    // Without scripts, the page stays as the server sends it. The server does not know who is signed in.
    { name: 'verify-email-unknown', path: '/verify-email?oobCode=one', device: { javaScriptEnabled: false } },
    { name: 'account', path: '/login', fullPage: true, showState: (page) => openSignedIn(page, '/account', 'subscriber') },
    {
      name: 'account-free',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await openSignedIn(page, '/account')
        await locateLoginsRegion(page).getByText('No other devices').waitFor()
      },
    },
    {
      name: 'account-logins',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        const email = await openSignedIn(page, '/account')
        for (const userAgent of userAgents) await callIdentity('signInWithPassword', email, userAgent)
        await page.reload()
        await mainRegion(page).getByText('Safari on iPhone').waitFor()
      },
    },
    {
      name: 'account-logins-loading',
      path: '/login',
      fullPage: true,
      showState: async (page, context) => {
        await context.route('**/api/account/logins', () => {})
        await openSignedIn(page, '/account')
        await locateLoginsRegion(page).getByText('Loading...').waitFor()
      },
    },
    {
      name: 'account-logins-error',
      path: '/login',
      fullPage: true,
      showState: async (page, context) => {
        await context.route('**/api/account/logins', (route) =>
          route.fulfill({ status: 500, json: { code: 500, message: 'Something went wrong. Please try again.', data: null } }),
        )
        await openSignedIn(page, '/account')
        await locateLoginsRegion(page).getByRole('button', { name: 'Retry' }).waitFor()
      },
    },
    {
      name: 'account-logins-offline',
      path: '/login',
      fullPage: true,
      showState: async (page, context) => {
        await context.route('**/api/account/logins', (route) => route.abort('failed'))
        await openSignedIn(page, '/account')
        await locateLoginsRegion(page).getByRole('button', { name: 'Retry' }).waitFor()
      },
    },
    { name: 'website-activate', path: '/login', showState: (page) => openSignedIn(page, '/account/website', 'subscriber') },
    {
      name: 'website',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await setUpWebsite(page)
      },
    },
    {
      name: 'subscriber',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await page.goto(await setUpWebsite(page))
        await page.waitForTimeout(1_500)
      },
    },
    {
      name: 'subscriber-first',
      path: '/login',
      showState: async (page) => {
        await page.goto(await setUpWebsite(page))
        await page.waitForTimeout(1_500)
      },
    },
    {
      name: 'website-wrong',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await setUpWebsite(page)
        for (const [fieldLabel, labelledText] of [
          ['Name', ''],
          ['YouTube', 'not an address'],
          ['X', 'https://example.org/mika'],
        ] as const)
          await mainRegion(page).getByLabel(fieldLabel, { exact: true }).fill(labelledText)
        await mainRegion(page).getByRole('button', { name: 'Save' }).click()
        await mainRegion(page).getByText('They are marked below.').waitFor()
      },
    },
    {
      name: 'subscriber-video',
      path: '/login',
      showState: async (page) => {
        await page.goto(await setUpWebsite(page))
        await mainRegion(page)
          .getByRole('button', { name: /^Play / })
          .first()
          .click()
        await page.waitForTimeout(1_000)
      },
    },
    {
      name: 'subscriber-not-found',
      path: '/login',
      showState: async (page) => {
        await page.goto(new URL('/nothing', await setUpWebsite(page)).href)
      },
    },
    { name: 'convert', path: '/login', fullPage: true, showState: (page) => openSignedIn(page, '/account/make', 'subscriber') },
    {
      name: 'convert-running',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await convertWithStatus(page, { state: 'running', progress: 0.6, file_name: 'My song (+25%).mp3' })
        await mainRegion(page).getByText('50 percent').waitFor({ state: 'attached' })
      },
    },
    {
      name: 'convert-done',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await convertWithStatus(page, { state: 'done', progress: 1, file_name: 'My song (+25%).mp3', url: '/api/make/file/1' })
        await mainRegion(page).getByText('Your song has been converted!').waitFor()
      },
    },
    { name: 'convert-locked', path: '/login', showState: (page) => openLockedPage(page, '/account/make') },
    { name: 'website-locked', path: '/login', showState: (page) => openLockedPage(page, '/account/website') },
    { name: 'artwork-locked', path: '/login', showState: (page) => openLockedPage(page, '/account/artwork') },
    { name: 'promotion-locked', path: '/login', showState: (page) => openLockedPage(page, '/account/promotion') },
    {
      name: 'promotion',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await openSignedIn(page, '/account/promotion', 'subscriber')
        await mainRegion(page).getByLabel('YouTube channel').fill('https://www.youtube.com/@aria')
        await mainRegion(page).getByLabel('What to share').fill('https://youtu.be/dQw4w9WgXcQ')
        await mainRegion(page).getByRole('button', { name: 'Save' }).click()
        await mainRegion(page).getByText('Your channel promotion has been saved!').waitFor()
        await mainRegion(page).getByRole('listitem').getByText('20').first().waitFor()
      },
    },
    {
      name: 'promotion-empty',
      path: '/login',
      fullPage: true,
      showState: (page) => openSignedIn(page, '/account/promotion', 'subscriber'),
    },
    {
      name: 'artwork',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await openSignedIn(page, '/account/artwork', 'subscriber')
        await mainRegion(page).getByRole('button', { name: 'Send' }).click()
      },
    },
    {
      name: 'account-dropdown',
      path: '/login',
      showState: async (page) => {
        await openSignedIn(page, '/account')
        await openAccountMenu(page)
      },
    },
    {
      name: 'account-menu',
      path: '/login',
      widths: [390],
      showState: async (page) => {
        await openSignedIn(page, '/account')
        await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
        await mainNavigation(page).getByRole('button', { name: 'Explore' }).waitFor()
      },
    },
    {
      name: 'account-delete',
      path: '/login',
      showState: async (page) => {
        await openSignedIn(page, '/account')
        await mainRegion(page).getByRole('button', { name: 'Delete account' }).click()
      },
    },
    { name: 'change-password', path: '/login', showState: (page) => openSignedIn(page, '/account/change-password') },
    {
      name: 'change-password-differs',
      path: '/login',
      showState: async (page) => {
        await openSignedIn(page, '/account/change-password')
        await mainRegion(page).getByLabel('Current password').fill(password)
        await mainRegion(page).getByLabel('New password', { exact: true }).fill('tempo170')
        await mainRegion(page).getByLabel('Confirm new password').fill('tempo171')
        await mainRegion(page).getByRole('button', { name: 'Change password' }).click()
      },
    },
    {
      name: 'change-password-done',
      path: '/login',
      showState: async (page) => {
        await openSignedIn(page, '/account/change-password')
        await mainRegion(page).getByLabel('Current password').fill(password)
        await mainRegion(page).getByLabel('New password', { exact: true }).fill('tempo170')
        await mainRegion(page).getByLabel('Confirm new password').fill('tempo170')
        await mainRegion(page).getByRole('button', { name: 'Change password' }).click()
        await mainRegion(page).getByText('Password updated successfully').waitFor()
      },
    },
  ]
}

/** Waits for the password reset mail to `email` in the server's outbox folder. Returns the path of its link. */
async function waitForResetPath(site: Site, email: string): Promise<string> {
  const outboxFolder = join(site.dataDir, 'outbox')
  for (let attemptIndex = 0; attemptIndex < 50; attemptIndex++) {
    const mailFileNames = await readdir(outboxFolder).catch(() => [])
    for (const mailFileName of mailFileNames.filter((each) => each.endsWith('.eml'))) {
      const mail = (await readFile(join(outboxFolder, mailFileName), 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=')
      const code = /reset-password\?oobCode=([\w-]+)/.exec(mail)?.[1]
      if (mail.includes(email) && code !== undefined) return `/reset-password?oobCode=${code}`
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail to ${email}`)
}
