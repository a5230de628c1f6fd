import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { followLinks } from './links.ts'

const push = vi.fn()
let stop = () => {}
let left: string[] = []

/** What is left to the browser is noted, and kept from happening. */
const onLeft = (event: MouseEvent) => {
  if (event.defaultPrevented) return
  event.preventDefault()
  left.push(event.target instanceof HTMLAnchorElement ? (event.target.getAttribute('href') ?? '') : '')
}

beforeEach(() => {
  push.mockClear()
  left = []
  stop = followLinks(document, { history: { push } })
  addEventListener('click', onLeft)
})
afterEach(() => {
  stop()
  removeEventListener('click', onLeft)
  document.body.replaceChildren()
})

async function click(attributes: Record<string, string>, modifiers: ('Control' | 'Shift')[] = []) {
  const link = document.createElement('a')
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value)
  link.textContent = 'Go'
  document.body.append(link)
  await page.getByText('Go').click({ modifiers })
}

it('takes a plain link to a page of this site', async () => {
  await click({ href: '/song?s=abc&p=new#top' })
  expect(push.mock.calls).toEqual([['/song?s=abc&p=new#top']])
  expect(left).toEqual([])
})

it.each([
  ['another site', { href: 'https://example.com/playlists' }],
  ['a new tab', { href: '/playlists', target: '_blank' }],
  ['a download', { href: '/playlists', download: '' }],
  ['a call of the API', { href: '/api/docs' }],
  ['a redirect of the server', { href: '/go/random' }],
  ['a file', { href: '/sitemap.xml' }],
])('leaves %s to the browser', async (_, attributes) => {
  await click(attributes)
  expect(push).not.toHaveBeenCalled()
  expect(left).toEqual([attributes.href])
})

it('leaves a click with a modifier to the browser', async () => {
  await click({ href: '/playlists' }, ['Control'])
  expect(push).not.toHaveBeenCalled()
})

it('leaves what a component already handled', async () => {
  document.body.addEventListener('click', (event) => event.preventDefault(), { once: true })
  await click({ href: '/playlists' })
  expect(push).not.toHaveBeenCalled()
})
