import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import {
  createCredentials,
  expectSignedIn,
  expectSignedOut,
  openHydratedPage as openPage,
  readStoredTokens,
  reloadWithChangedTokens,
  signInByRequest,
  signOut,
  signUpByRequest,
  submitLogIn,
} from './identity/steps.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { type Site, startSite } from './server.ts'
import { mainRegion, pageHeading } from './steps.ts'

test('login: the account stays signed in when the browser restarts offline, and sign-out works offline', { tag: '@long' }, async () => {
  test.setTimeout(120_000)
  const site = await startSite()
  const origin = site.origin()
  const credentials = createCredentials()
  try {
    await signUpByRequest(origin, credentials)
    await withBrowserProfile(async (openBrowser) => {
      const { page: firstPage } = await openBrowser()
      await signInByRequest(firstPage, origin, credentials)
      await openPage(firstPage, `${origin}/account`)
      await waitForServiceWorker(firstPage)
      await waitForStoredPage(firstPage)
      await expect(mainRegion(firstPage)).toContainText(`Welcome back, ${credentials.email}`)
      // The stored token is expired, and only the server could refresh it.
      await site.stop()
      await reloadWithChangedTokens(firstPage, { expirationTime: Date.now() - 3_600_000 })

      const { page, context } = await openBrowser()
      for (let visitIndex = 0; visitIndex < 2; visitIndex++) {
        await openPage(page, `${origin}/account`)
        await expect(pageHeading(page)).toHaveText('Dashboard')
        await expect(mainRegion(page)).toContainText(`Welcome back, ${credentials.email}`)
        await expectSignedIn(page, credentials)
      }
      const otherPage = await context.newPage()
      await openPage(otherPage, `${origin}/playlists`)
      await expectSignedIn(otherPage, credentials)
      await signOut(page)
      await expect(page).toHaveURL(`${origin}/`)
      await expectSignedOut(otherPage)
      expect(await readStoredTokens(page)).toBeUndefined()
    })
  } finally {
    await site.stop()
  }
})

test('login: the account stays signed in when the server restarts, and an expired token is refreshed', { tag: '@long' }, async () => {
  test.setTimeout(120_000)
  const firstSite = await startSite({ DATA_DIR: await mkdtemp(join(tmpdir(), 'varispeed-restart-')) })
  const { port, dataDir } = firstSite
  const origin = firstSite.origin()
  const credentials = createCredentials()
  let secondSite: Site | undefined
  try {
    await signUpByRequest(origin, credentials)
    await withBrowserProfile(async (openBrowser) => {
      const { page } = await openBrowser()
      await openPage(page, `${origin}/login`)
      await waitForServiceWorker(page)
      await submitLogIn(page, credentials)
      await expectSignedIn(page, credentials)
      await firstSite.stop()
      await reloadWithChangedTokens(page, { expirationTime: Date.now() - 3_600_000 })
      await expectSignedIn(page, credentials)
      secondSite = await startSite({ PORT: String(port), DATA_DIR: dataDir })
      await openPage(page, `${origin}/account`)
      await expect(mainRegion(page)).toContainText(`Welcome back, ${credentials.email}`)
      await expect.poll(async () => (await readStoredTokens(page))?.expirationTime).toBeGreaterThan(Date.now())
    })
  } finally {
    await firstSite.stop()
    await secondSite?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
