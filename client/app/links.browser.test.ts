import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { routeLinkClicks } from './links.ts'

const push = vi.fn()
let stopFollowing = () => {}
let unhandledAddresses: string[] = []

/** Records clicks that the router did not handle, and cancels them so that the test page stays open. */
const onUnhandledClick = (event: MouseEvent) => {
  if (event.defaultPrevented) return
  event.preventDefault()
  unhandledAddresses.push(event.target instanceof HTMLAnchorElement ? (event.target.getAttribute('href') ?? '') : '')
}

beforeEach(() => {
  push.mockClear()
  unhandledAddresses = []
  stopFollowing = routeLinkClicks(document, { history: { push } })
  addEventListener('click', onUnhandledClick)
})
afterEach(() => {
  stopFollowing()
  removeEventListener('click', onUnhandledClick)
  document.body.replaceChildren()
})

async function clickLink(linkAttributes: Record<string, string>, modifierKeys: ('Control' | 'Shift')[] = []) {
  const link = document.createElement('a')
  for (const [name, value] of Object.entries(linkAttributes)) link.setAttribute(name, value)
  link.textContent = 'Go'
  document.body.append(link)
  await page.getByText('Go').click({ modifiers: modifierKeys })
}

it('links: a plain link to a page of this site is followed by the router', async () => {
  await clickLink({ href: '/song?s=abc&p=new#top' })
  expect(push.mock.calls).toEqual([['/song?s=abc&p=new#top']])
  expect(unhandledAddresses).toEqual([])
})

it('links: a redirect is followed by the router, so that the music continues', async () => {
  await clickLink({ href: '/go/random' })
  expect(push.mock.calls).toEqual([['/go/random']])
  expect(unhandledAddresses).toEqual([])
})

it.each([
  ['another site', { href: 'https://example.com/playlists' }],
  ['a new tab', { href: '/playlists', target: '_blank' }],
  ['a download', { href: '/playlists', download: '' }],
  ['a call of the API', { href: '/api/docs' }],
  ['a file', { href: '/sitemap.xml' }],
])('links: the browser follows a link to %s', async (_, attributes) => {
  await clickLink(attributes)
  expect(push).not.toHaveBeenCalled()
  expect(unhandledAddresses).toEqual([attributes.href])
})

it('links: the router leaves a click with a modifier key to the browser', async () => {
  await clickLink({ href: '/playlists' }, ['Control'])
  expect(push).not.toHaveBeenCalled()
})

it('links: the router ignores a click that a component has handled', async () => {
  document.body.addEventListener('click', (event) => event.preventDefault(), { once: true })
  await clickLink({ href: '/playlists' })
  expect(push).not.toHaveBeenCalled()
})
