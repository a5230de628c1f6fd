import { brands, expect, test } from './fixtures.ts'
import { newCredentials, signUpByRequest } from './identity/steps.ts'
import { mainRegion, serveAppShell } from './steps.ts'

test('promotion: the home pages of both brands show the channel of the day', { tag: '@long' }, async ({ site, browser }) => {
  const { email, password } = newCredentials()
  await signUpByRequest(site.origin(), { email, password })
  await site.admin('user', 'grant', '--email', email, '--role', 'subscriber')
  const service = `http://127.0.0.1:${site.port}`
  const post = async (urlPath: string, fields: Record<string, unknown>, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) }
    return (await fetch(`${service}${urlPath}`, { method: 'POST', headers, body: JSON.stringify(fields) })).json()
  }
  const { idToken } = await post('/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any', {
    email,
    password,
    returnSecureToken: true,
  })
  const links = { youtube_channel: 'https://www.youtube.com/@aria', youtube_share: 'https://youtu.be/dQw4w9WgXcQ' }
  expect(await post('/api/promotion/save', links, idToken)).toMatchObject({ code: 200 })

  for (const { subdomain } of brands) {
    for (const isShell of [false, true]) {
      const context = await browser.newContext({ serviceWorkers: 'block' })
      if (isShell) await serveAppShell(context)
      const page = await context.newPage()
      await page.goto(`${site.origin(subdomain)}/`)
      const section = mainRegion(page).getByRole('region', { name: 'Channel of the day' })
      await expect(section).toContainText('@aria')
      await expect(section.getByRole('link', { name: 'Visit channel' })).toHaveAttribute('href', links.youtube_channel)
      await expect(section.getByRole('link', { name: 'Watch the video' })).toHaveAttribute('href', links.youtube_share)
      await context.close()
    }
  }
})
