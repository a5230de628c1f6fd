import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { untilControlled, withProfile } from './profile.ts'
import { type Site, startSite } from './server.ts'
import { main } from './steps.ts'

const password = 'tempo160'

async function signIn(page: Page, site: Site, email: string) {
  await site.admin('user', 'create', '--email', email, '--password', password)
  await page.goto(`${site.origin()}/account`)
  await main(page).getByLabel('Email').fill(email)
  await main(page).getByLabel('Password').fill(password)
  await main(page).getByRole('button', { name: 'Log in' }).click()
  await expect(main(page).getByText('Not linked')).toBeVisible()
}

test('a site that hangs keeps nobody waiting to hear who is signed in, and signs nobody out', async () => {
  test.setTimeout(120_000)
  const site = await startSite()
  try {
    await withProfile(async (open) => {
      const { page } = await open()
      await signIn(page, site, 'ann@example.com')
      await untilControlled(page)
      // It accepts connections, and says nothing.
      process.kill(site.pid, 'SIGSTOP')
      try {
        const looked = page.waitForEvent('requestfailed', {
          predicate: (request) => request.url().includes('accounts:lookup'),
          timeout: 20_000,
        })
        await page.reload()
        await expect(main(page).getByText('Welcome back, ann@example.com')).toBeVisible()
        await looked
        await expect(main(page).getByText('Welcome back, ann@example.com')).toBeVisible()
      } finally {
        process.kill(site.pid, 'SIGCONT')
      }
      await page.reload()
      await expect(main(page).getByText('Not linked')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Account: ann@example.com' })).toBeVisible()
    })
  } finally {
    await site.stop()
  }
})

test('the worker gives a renewed session to nobody once its person has signed out', async () => {
  const site = await startSite()
  try {
    await withProfile(async (open) => {
      const { page } = await open()
      await signIn(page, site, 'cat@example.com')
      await untilControlled(page)
      const shown = await page.evaluate(() => {
        const session = Object.entries(localStorage).find(([key]) => key.startsWith('firebase:authUser:'))?.[1]
        return session === undefined ? '' : (JSON.parse(session).stsTokenManager.refreshToken as string)
      })
      const renew = () =>
        page.evaluate(async (token) => {
          const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token })
          return (await fetch('/securetoken.googleapis.com/v1/token?key=embedded', { method: 'POST', body })).text()
        }, shown)
      const renewed = await renew()
      expect(renewed).toContain('access_token')
      expect(await renew()).toBe(renewed)
      await page.getByRole('button', { name: /^Account: / }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect(page).toHaveURL(`${site.origin()}/`)
      await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => /signed-in|firebase/.test(key)))).toEqual([])
      expect(await renew()).not.toBe(renewed)
    })
  } finally {
    await site.stop()
  }
})

test('the identity token is told to a second home: posted at the log-in, deleted at the sign-out', async ({ page, faults }) => {
  const told: [method: string | undefined, bearer: string][] = []
  let answers = [503]
  const home = createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '')
    response.setHeader('Access-Control-Allow-Methods', 'POST, DELETE')
    response.setHeader('Access-Control-Allow-Headers', 'Authorization')
    if (request.method !== 'OPTIONS') told.push([request.method, request.headers.authorization ?? ''])
    response.statusCode = request.method === 'OPTIONS' ? 204 : (answers.shift() ?? 204)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(home, 'listening')
  const address = home.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const site = await startSite({ TOKEN_SYNC_URL: `http://127.0.0.1:${port}/session` })
  try {
    // The first answer is a failure, which is tried again.
    faults.expect(/503/)
    await page.clock.install()
    await signIn(page, site, 'bea@example.com')
    await expect.poll(() => told.length).toBe(1)
    await page.clock.runFor(31_000)
    await expect.poll(() => told.map(([method]) => method)).toEqual(['POST', 'POST'])
    expect(told[1]).toEqual(told[0])
    expect(told[0]?.[1]).toMatch(/^Bearer eyJ[\w-]+\.[\w-]+\.[\w-]+$/)
    answers = []
    await page.getByRole('button', { name: /^Account: / }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => told.at(-1)).toEqual(['DELETE', ''])
    await expect(page).toHaveURL(`${site.origin()}/`)
    // Pictures are still on their way.
    await page.goto('about:blank')
  } finally {
    await site.stop()
    home.close()
  }
})

test('a long address stays within a narrow phone', async ({ page, site }) => {
  const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn(page, site, email)
  const sideways = (selector: string) => page.locator(selector).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(await sideways('html')).toBe(0)
  await main(page).getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await sideways('dialog[open]')).toBe(0)
  await page.goto(`${site.origin()}/login`)
  await expect(main(page).getByText(`You are logged in as ${email}.`)).toBeVisible()
  expect(await sideways('html')).toBe(0)
})
