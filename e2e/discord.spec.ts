import { DISCORD_CLIENT, startDiscordPeer } from '../server/discord/testing/discord-peer.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { startSite } from './server.ts'
import { mainRegion } from './steps.ts'

test('Discord: an account is linked, shown by name and unlinked; a denied authorization shows a message', { tag: '@long' }, async ({
  page,
}) => {
  // A local OAuth 2 server that replaces Discord.
  const peer = await startDiscordPeer()
  const discordSite = await startSite({ ...DISCORD_CLIENT, DISCORD_API_BASE: peer.url })
  try {
    const credentials = createCredentials()
    await signUpByRequest(discordSite.origin(), credentials)
    await signInByRequest(page, discordSite.origin(), credentials)
    await page.goto(`${discordSite.origin()}/account`)

    const linkButton = mainRegion(page).getByRole('button', { name: 'Link Discord' })
    // Content that appears above a button moves it, and a press on a moving button could miss it.
    const waitForContentAbove = async () => {
      await expect(mainRegion(page).getByText('Your email is not confirmed yet.')).toBeVisible()
      await expect(mainRegion(page).getByText('There are no songs in your favorites.')).toBeVisible()
    }
    await waitForContentAbove()
    await expect(linkButton).toBeEnabled()
    const requestedUrls: string[] = []
    page.on('request', (request) => requestedUrls.push(request.url()))
    await linkButton.click()
    await expect(page).toHaveURL(`${discordSite.origin()}/account?discord=linked`)
    await expect(mainRegion(page).getByText('Nelly')).toBeVisible()
    await expect(mainRegion(page).getByText('Your Discord account is linked.')).toBeVisible()
    const authorizeUrl = requestedUrls.find((url) => url.startsWith(peer.url)) ?? ''
    expect(authorizeUrl, 'the identity token, whose first part says RS256, goes nowhere').not.toContain('eyJhbGciOiJSUzI1NiIs')

    await page.reload()
    await expect(mainRegion(page).getByText('Nelly')).toBeVisible()
    await waitForContentAbove()
    await mainRegion(page).getByRole('button', { name: 'Disconnect' }).click()
    await expect(linkButton).toBeEnabled()
    await expect(mainRegion(page).getByText('Nelly')).toBeHidden()

    peer.fault = 'denied'
    await linkButton.click()
    await expect(mainRegion(page).getByText('you declined')).toBeVisible()
    await expect(linkButton).toBeEnabled()
    // Leaves the page, so that its requests end before the server stops.
    await page.goto('about:blank')
  } finally {
    await discordSite.stop()
    await peer.stop()
  }
})
