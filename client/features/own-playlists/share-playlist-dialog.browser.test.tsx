import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { ApiCallError } from '../../platform/api.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import '../../ui/global.css'
import { SharePlaylistDialog } from './share-playlist-dialog.tsx'

let root: Root
let hostElement: HTMLElement
const callMock = vi.fn()

beforeEach(() => {
  callMock.mockReset()
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  const signedInAccount = { uid: 'ann', email: 'ann@example.com', emailVerified: true }
  const outbox = { drain: async () => {}, sync: async () => {} }
  root.render(
    <ServicesProvider
      services={createTestServices({
        accountApi: { call: callMock },
        identity: { ...anonymousIdentity, getSnapshot: () => signedInAccount },
        offlineMutations: async () => ({ outbox }),
      })}
    >
      <SharePlaylistDialog
        open
        onClose={() => {}}
        playlist={{ id: 'mine', title: 'Mine', description: '', addedAtMs: 0, songCount: 1, firstSongIds: [] }}
      />
    </ServicesProvider>,
  )
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
  callMock.mockRejectedValueOnce(error)
  await pressButton('Make a link')
  await expect.element(page.getByRole('alert')).toHaveTextContent(messageText)
  await pressButton('Try again')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  expect(callMock.mock.calls).toEqual(Array(2).fill(['POST /list/share', { l: 'mine', share: true }]))
})
