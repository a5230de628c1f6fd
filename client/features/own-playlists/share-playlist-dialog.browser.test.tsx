import { type AnyRouter, createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { OwnPlaylistSummary } from '../../hooks/own-playlists.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { ApiCallError } from '../../platform/api.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import '../../ui/global.css'
import { SharePlaylistDialog } from './share-playlist-dialog.tsx'

let root: Root
let hostElement: HTMLElement
let router: AnyRouter
const callMock = vi.fn()
const account = { uid: 'ann', email: 'ann@example.com', emailVerified: true }

/** The page of a playlist with its open Share dialog. `syncedShare` is how the playlist is shared after the next synchronization. */
function SharePage({ syncedShare }: { syncedShare: { current: OwnPlaylistSummary['share'] } }) {
  const [share, setShare] = useState<OwnPlaylistSummary['share']>()
  const outbox = { drain: async () => {}, sync: async () => setShare(syncedShare.current) }
  const playlist = { id: 'mine', title: 'Mine', description: '', addedAtMs: 0, songCount: 1, firstSongIds: [] }
  return (
    <ServicesProvider
      services={createTestServices({
        accountApi: { call: callMock },
        identity: { ...anonymousIdentity, getSnapshot: () => signedInAccount },
        offlineMutations: async () => ({ outbox }),
      })}
    >
      <SharePlaylistDialog open onClose={() => {}} playlist={{ ...playlist, ...(share && { share }) }} />
    </ServicesProvider>
  )
}

let signedInAccount: typeof account | undefined
const syncedShare: { current: OwnPlaylistSummary['share'] } = { current: undefined }

function renderPage(pageAccount: typeof account | undefined) {
  signedInAccount = pageAccount
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory({ initialEntries: ['/playlist?p=my-mine'] }),
  })
  root.render(
    <RouterContextProvider router={router}>
      <SharePage syncedShare={syncedShare} />
    </RouterContextProvider>,
  )
}

beforeEach(() => {
  callMock.mockReset()
})
afterEach(() => {
  root.unmount()
  hostElement.remove()
})

const pressButton = (name: string) => page.getByRole('button', { name }).click()

it.each([
  [401, 'Your login has ended', 'Log in', '/login'],
  [403, 'hidden this playlist', 'Contact us', '/get-in-touch?topic=other'],
  [404, 'The site does not have this playlist', 'See unsent changes', '/storage'],
])(
  'sharing a playlist: a refusal with status %i has a text of its own and a link that helps',
  async (statusCode, messageText, linkName, linkUrl) => {
    renderPage(account)
    callMock.mockRejectedValue(new ApiCallError('api', statusCode, 'The text of the server.'))
    await pressButton('Make a link')
    await expect.element(page.getByRole('alert')).toHaveTextContent(messageText)
    await expect.element(page.getByRole('alert')).not.toHaveTextContent('The text of the server.')
    await expect.element(page.getByRole('link', { name: linkName })).toHaveAttribute('href', linkUrl)
    await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
  },
)

it.each([
  ['an unreachable site', new ApiCallError('network', 0, ''), "The site isn't responding"],
  ['too many changes', new ApiCallError('api', 429, ''), 'Wait a minute'],
  ['an error of the site', new ApiCallError('api', 500, ''), 'Something went wrong'],
  ['code that cannot be loaded', new TypeError('Failed to fetch dynamically imported module'), "The site isn't responding"],
])('sharing a playlist: after %s, the same change is tried again', async (_, error, messageText) => {
  renderPage(account)
  callMock.mockRejectedValueOnce(error)
  await pressButton('Make a link')
  await expect.element(page.getByRole('alert')).toHaveTextContent(messageText)
  await pressButton('Try again')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  expect(callMock.mock.calls).toEqual(Array(2).fill(['POST /list/share', { l: 'mine', share: true }]))
})

it('sharing a playlist: every change is announced, and leaves the focus in the dialog', async () => {
  renderPage(account)
  const dialog = page.getByRole('dialog', { name: 'Share' })
  const statusText = dialog.getByRole('status').first()
  const expectFocusInDialog = () =>
    expect.poll(() => document.activeElement !== document.body && dialog.element().contains(document.activeElement)).toBe(true)
  await expect.element(statusText).toHaveTextContent('')
  const share = { token: 'a'.repeat(22), indexed: false }

  syncedShare.current = share
  await pressButton('Make a link')
  await expect.element(statusText).toHaveTextContent('Everybody with the link can listen now.')
  await expect.element(page.getByText(/list\?l=aaa/)).toBeVisible()
  await expectFocusInDialog()

  let finishCall = () => {}
  callMock.mockReturnValueOnce(new Promise<void>((resolve) => (finishCall = resolve)))
  syncedShare.current = { ...share, indexed: true }
  const checkbox = page.getByRole('checkbox', { name: 'Let search engines show it' })
  await checkbox.click()
  await expect.element(checkbox).toHaveAttribute('aria-disabled', 'true')
  await expect.element(checkbox).toHaveFocus()
  await userEvent.keyboard(' ')
  expect(callMock).toHaveBeenCalledTimes(2)
  finishCall()
  await expect.element(checkbox).toBeChecked()
  await expect.element(checkbox).toHaveAttribute('aria-disabled', 'false')

  syncedShare.current = undefined
  await pressButton('Stop sharing')
  await expect.element(statusText).toHaveTextContent('The link has ended.')
  await expectFocusInDialog()
  await expect.element(page.getByRole('button', { name: 'Make a link' })).toBeVisible()
})

it.each([
  ['nobody is signed in', undefined],
  ['the login has ended', account],
])('sharing a playlist: if %s, Log in opens the login page, which returns to the playlist', async (_, pageAccount) => {
  renderPage(pageAccount)
  callMock.mockRejectedValue(new ApiCallError('api', 401, ''))
  if (pageAccount) await pressButton('Make a link')
  await page.getByRole('link', { name: 'Log in' }).click()
  await expect.poll(() => router.history.location.pathname).toBe('/login')
  expect(router.history.location.state).toMatchObject({ returnTo: '/playlist?p=my-mine' })
})
