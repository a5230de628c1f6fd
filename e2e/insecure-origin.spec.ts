import { chromium } from '@playwright/test'
import { chromiumFlags, headlessShellPath } from './chromium.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, locateButton, locateField, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { locatePlaylistLinks, mainRegion } from './steps.ts'

const hostRules = '--host-resolver-rules=MAP lan.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'

const publicPaths = ['/', '/playlists', '/latest', '/members', '/network', '/faq', '/about-us', '/subscribe', '/privacy', '/get-in-touch']
const otherPaths = ['/recent', '/storage', '/search?q=a', '/account', '/account/website', '/account/promotion', '/account/maker']

test('plain http on a host name of the local network: pages render, the contact form and a song to convert are sent, and the disabled button Keep offline has an explanation', {
  tag: '@long',
}, async ({ site }) => {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await site.runAdmin('user', 'grant', '--email', credentials.email, '--role', 'subscriber')
  const browser = await chromium.launch({ executablePath: headlessShellPath, args: [...chromiumFlags, hostRules] })
  try {
    const context = await browser.newContext({ baseURL: `http://lan.test:${site.port}`, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const errorTexts: string[] = []
    context.on('weberror', (error) => errorTexts.push(error.error().stack ?? error.error().message))
    await signInByRequest(page, site.origin(), credentials, `http://lan.test:${site.port}`)
    for (const path of [...publicPaths, ...otherPaths]) {
      await openHydratedPage(page, path)
      await expect(mainRegion(page).getByRole('heading').first()).toBeVisible()
    }
    expect(await page.evaluate(() => isSecureContext)).toBe(false)

    await openHydratedPage(page, '/account/artwork')
    await locateField(page, 'Channel URL').fill('https://www.youtube.com/channel/UC0')
    await locateField(page, 'What do you want?').fill('A banner')
    await locateField(page, 'Discord name').fill('me')
    await locateButton(page, 'Send').click()
    await expect(mainRegion(page)).toContainText('Your request has been sent!')

    await openHydratedPage(page, '/account/make')
    await locateField(page, 'Song').setInputFiles({ name: 'a.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('no song') })
    await locateButton(page, 'Convert').click()
    await expect(mainRegion(page).getByRole('alert')).toHaveText('Please upload an MP3, WAV, PCM, AIFF, AAC, FLAC or ALAC file.')

    await openHydratedPage(page, '/playlists')
    await locatePlaylistLinks(page).first().click()
    await expect(mainRegion(page).getByRole('button', { name: 'Keep offline' })).toBeDisabled()
    await expect(mainRegion(page)).toContainText('Playlists can only be kept at an address that starts with https://.')
    expect(errorTexts).toEqual([])
  } finally {
    await browser.close()
  }
})
