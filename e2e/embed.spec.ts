import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { escapeHtml } from '../server/text/escape-html.ts'
import { expect, test } from './fixtures.ts'

/** Starts another site, whose only page has a policy that allows frames of `allowedOrigin`, and shows `html`. */
async function startOtherSite(allowedOrigin: string, html: string) {
  const policyText = `default-src 'none'; style-src 'unsafe-inline'; frame-src ${allowedOrigin}`
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyText })
    response.end(`<!doctype html><html lang="en"><title>Another site</title><link rel="icon" href="data:,">${html}</html>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe, because the server listens on a port.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

test('embed: another site shows the player that oEmbed describes, which asks YouTube for nothing before a click; other pages are not framed', async ({
  page,
  site,
  faults,
}) => {
  faults.expect(/frame-ancestors|Content Security Policy|X-Frame-Options|ERR_BLOCKED_BY_RESPONSE|404 \(Not Found\)/)
  const origin = site.origin()
  const { data } = await (await page.request.get(`${origin}/api/playlist/all?limit=1`)).json()
  const { id, title } = data[0]
  const oembedResponse = await page.request.get(`${origin}/embed/oembed?url=${encodeURIComponent(`${origin}/playlist?p=${id}`)}`)
  const { html } = await oembedResponse.json()
  const requestedVideoPaths: string[] = []
  await page.route('https://www.youtube-nocookie.com/**', (route) => {
    requestedVideoPaths.push(new URL(route.request().url()).pathname)
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Video</title>' })
  })
  const createFrameHtml = (frameTitle: string, path: string) =>
    `<iframe title="${frameTitle}" src="${escapeHtml(`${origin}${path}`)}"></iframe>`
  const otherSite = await startOtherSite(
    origin,
    `${html}${createFrameHtml('page', `/playlist?p=${id}`)}${createFrameHtml('gone', '/embed/list?l=x')}`,
  )
  try {
    await page.goto(otherSite.url)
    const playerFrame = page.frameLocator(`iframe[src*="/embed/playlist"]`)
    await expect(playerFrame.getByRole('heading')).toHaveText(title)
    await expect(playerFrame.getByRole('link', { name: title })).toHaveAttribute('href', `${origin}/playlist?p=${id}`)
    expect(requestedVideoPaths).toEqual([])
    const rows = playerFrame.getByRole('list', { name: 'Songs' }).getByRole('button')
    const secondVideoId = (await rows.nth(1).getAttribute('value')) ?? ''
    await rows.nth(1).focus()
    await page.keyboard.press('Enter')
    const videoFrame = playerFrame.locator('main iframe')
    await expect(videoFrame).toHaveAttribute('src', new RegExp(`^https://www\\.youtube-nocookie\\.com/embed/${secondVideoId}\\?autoplay=1`))
    await expect.poll(() => requestedVideoPaths).toEqual([`/embed/${secondVideoId}`])
    await expect(videoFrame).toHaveAttribute('title', title)
    // YouTube's player goes on to the next songs by itself, and does not tell the page.
    await expect(playerFrame.locator('[aria-current=true]')).toHaveCount(0)
    await expect(page.frameLocator('iframe[title=page]').getByRole('heading')).toHaveCount(0)
    await expect(page.frameLocator('iframe[title=gone]').getByRole('heading')).toHaveText('Not available')
  } finally {
    otherSite.close()
  }
})
