import { brands, expect, test } from './fixtures.ts'
import { createCredentials, signUpByRequest } from './identity/steps.ts'
import { mainRegion, serveAppShell } from './steps.ts'

test('promotion: the home pages of both brands show the channel of the day', { tag: '@long' }, async ({ site, browser }) => {
  const { email, password } = createCredentials()
  await signUpByRequest(site.origin(), { email, password })
  await site.runAdmin('user', 'grant', '--email', email, '--role', 'subscriber')
  const serviceOrigin = `http://127.0.0.1:${site.port}`
  const postJson = async (urlPath: string, requestFields: Record<string, unknown>, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) }
    return (await fetch(`${serviceOrigin}${urlPath}`, { method: 'POST', headers, body: JSON.stringify(requestFields) })).json()
  }
  const { idToken } = await postJson('/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any', {
    email,
    password,
    returnSecureToken: true,
  })
  const promotionLinks = { youtube_channel: 'https://www.youtube.com/@aria', youtube_share: 'https://youtu.be/dQw4w9WgXcQ' }
  expect(await postJson('/api/promotion/save', promotionLinks, idToken)).toMatchObject({ code: 200 })
  // Another process of the site shows the change within a second.
  const readHomePages = () => Promise.all([1, 2].map(async () => (await fetch(`${serviceOrigin}/`)).text()))
  await expect.poll(async () => (await readHomePages()).every((html) => html.includes('@aria'))).toBe(true)

  for (const { subdomain } of brands) {
    for (const isFromShell of [false, true]) {
      const context = await browser.newContext({ serviceWorkers: 'block' })
      if (isFromShell) await serveAppShell(context)
      const page = await context.newPage()
      await page.goto(`${site.origin(subdomain)}/`)
      const promotionSection = mainRegion(page).getByRole('region', { name: 'Channel of the day' })
      await expect(promotionSection).toContainText('@aria')
      await expect(promotionSection.getByRole('link', { name: 'Visit channel' })).toHaveAttribute('href', promotionLinks.youtube_channel)
      await expect(promotionSection.getByRole('link', { name: 'Watch the video' })).toHaveAttribute('href', promotionLinks.youtube_share)
      await context.close()
    }
  }
})
