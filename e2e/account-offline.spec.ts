import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import {
  anybody,
  expectSignedIn,
  expectSignedOut,
  open as openPage,
  register,
  reloadWithTokens,
  signOut,
  storedTokens,
  submitLogIn,
} from './identity/steps.ts'
import { untilControlled, untilKept, withProfile } from './profile.ts'
import { type Site, startSite } from './server.ts'
import { heading, main } from './steps.ts'

test('who signed in stays so without a connection, over a restart of the browser, and can sign out there', async () => {
  test.setTimeout(120_000)
  const site = await startSite()
  const origin = site.origin()
  const somebody = anybody()
  try {
    await register(origin, somebody)
    await withProfile(async (open) => {
      const { page: first } = await open()
      await openPage(first, `${origin}/login`)
      await untilControlled(first)
      await submitLogIn(first, somebody)
      await expectSignedIn(first, somebody)
      await openPage(first, `${origin}/account`)
      await untilKept(first)
      await expect(main(first)).toContainText(`Welcome back, ${somebody.email}`)
      // As if the browser had been closed for long: only the service could renew the token.
      await site.stop()
      await reloadWithTokens(first, { expirationTime: Date.now() - 3_600_000 })

      const { page, context } = await open()
      for (let visit = 0; visit < 2; visit++) {
        await openPage(page, `${origin}/account`)
        await expect(heading(page)).toHaveText('Dashboard')
        await expect(main(page)).toContainText(`Welcome back, ${somebody.email}`)
        await expectSignedIn(page, somebody)
      }
      const other = await context.newPage()
      await openPage(other, `${origin}/playlists`)
      await expectSignedIn(other, somebody)
      await signOut(page)
      await expect(page).toHaveURL(`${origin}/`)
      await expectSignedOut(other)
      expect(await storedTokens(page)).toBeUndefined()
    })
  } finally {
    await site.stop()
  }
})

test('a restart of the site signs nobody out, and a token that ran out meanwhile is renewed', { tag: '@long' }, async () => {
  test.setTimeout(120_000)
  const first = await startSite({ DATA_DIR: await mkdtemp(join(tmpdir(), 'varispeed-restart-')) })
  const { port, dataDir } = first
  const origin = first.origin()
  const somebody = anybody()
  let second: Site | undefined
  try {
    await register(origin, somebody)
    await withProfile(async (open) => {
      const { page } = await open()
      await openPage(page, `${origin}/login`)
      await untilControlled(page)
      await submitLogIn(page, somebody)
      await expectSignedIn(page, somebody)
      await first.stop()
      await reloadWithTokens(page, { expirationTime: Date.now() - 3_600_000 })
      await expectSignedIn(page, somebody)
      second = await startSite({ PORT: String(port), DATA_DIR: dataDir })
      await openPage(page, `${origin}/account`)
      await expect(main(page)).toContainText(`Welcome back, ${somebody.email}`)
      await expect.poll(async () => (await storedTokens(page))?.expirationTime, { timeout: 20_000 }).toBeGreaterThan(Date.now())
    })
  } finally {
    await first.stop()
    await second?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
