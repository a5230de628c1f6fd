import { CLIENT, type DiscordPeer, startDiscordPeer } from '../server/routes/testing/discord-peer.ts'
import { test as base, expect } from './fixtures.ts'
import { type Site, startSite } from './server.ts'
import { main } from './steps.ts'

const test = base.extend<object, { peer: DiscordPeer; linkable: Site }>({
  /** Discord, as an OAuth 2 server on this machine. */
  peer: [
    async ({ browserName: _ }, use) => {
      const peer = await startDiscordPeer()
      await use(peer)
      await peer.stop()
    },
    { scope: 'worker' },
  ],
  linkable: [
    async ({ peer }, use) => {
      const site = await startSite({ ...CLIENT, DISCORD_API_BASE: peer.url })
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

test('Discord: linked over its own page, shown by name, disconnected; a no there is said', async ({ page, peer, linkable }) => {
  await linkable.admin('user', 'create', '--email', 'ann@example.com', '--password', 'tempo160')
  await page.goto(`${linkable.origin()}/account`)
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByLabel('Password').fill('tempo160')
  await main(page).getByRole('button', { name: 'Log in' }).click()

  const link = main(page).getByRole('button', { name: 'Link Discord' })
  await expect(link).toBeEnabled()
  const left: string[] = []
  page.on('request', (request) => left.push(request.url()))
  await link.click()
  await expect(page).toHaveURL(`${linkable.origin()}/account?discord=linked`)
  await expect(main(page).getByText('Nelly')).toBeVisible()
  await expect(main(page).getByText('Your Discord account is linked.')).toBeVisible()
  const authorize = left.find((url) => url.startsWith(peer.url)) ?? ''
  expect(authorize, 'the identity token, whose first part says RS256, goes nowhere').not.toContain('eyJhbGciOiJSUzI1NiIs')

  await page.reload()
  await expect(main(page).getByText('Nelly')).toBeVisible()
  await main(page).getByRole('button', { name: 'Disconnect' }).click()
  await expect(link).toBeEnabled()
  await expect(main(page).getByText('Nelly')).toBeHidden()

  peer.fault = 'denied'
  await link.click()
  await expect(main(page).getByText('you said no there')).toBeVisible()
  await expect(link).toBeEnabled()
  peer.fault = undefined
})

test('Discord: a site that has not set it up says so', async ({ page, site }) => {
  await site.admin('user', 'create', '--email', 'plain@example.com', '--password', 'tempo160')
  await page.goto('/account')
  await page.getByLabel('Email').fill('plain@example.com')
  await page.getByLabel('Password').fill('tempo160')
  await main(page).getByRole('button', { name: 'Log in' }).click()
  await expect(main(page).getByText('Not available here yet.')).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Link Discord' })).toBeDisabled()
})
