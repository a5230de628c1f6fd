import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { ImportDialog } from './import-dialog.tsx'
import { NewPlaylistDialog } from './playlist-form-dialog.tsx'

let root: Root | undefined
let hostElement: HTMLElement | undefined
afterEach(() => {
  root?.unmount()
  hostElement?.remove()
})

const song = createTestSong(1)
const FAILURE_TEXT = "The site isn't responding, so nothing was saved. Try again when you are online."

/** Renders a dialog on a page on which the code of the store is loaded, or fails to load, when `finishLoading` is called. */
function renderBeforeStore(dialog: ReactNode) {
  const createMock = vi.fn(async () => 'made')
  let settleLoading = (_isLoaded: boolean) => {}
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ServicesProvider
      services={createTestServices({
        api: { call: async () => ({ songs: [song], found: [], takes_videos: false }) },
        accountApi: {},
        site: { brand: 'test' },
        identity: anonymousIdentity,
        database: { health: 'persistent' },
        offlineMutations: () =>
          new Promise((resolve, reject) => {
            settleLoading = (isLoaded) =>
              isLoaded
                ? resolve({ ownPlaylists: { create: createMock } })
                : reject(new TypeError('Failed to fetch dynamically imported module'))
          }),
      })}
    >
      <ToastRegion>{dialog}</ToastRegion>
    </ServicesProvider>,
  )
  return { createMock, finishLoading: (isLoaded: boolean) => settleLoading(isLoaded) }
}

it.each<[string, { create: string; dialog: (onDone: () => void) => ReactNode; prepare: () => Promise<void>; values: object }]>([
  [
    'New playlist',
    {
      create: 'Create',
      dialog: (onDone) => <NewPlaylistDialog open onClose={() => {}} onCreated={onDone} />,
      prepare: () => page.getByLabelText('Name').fill('Night drive'),
      values: { title: 'Night drive', description: '' },
    },
  ],
  [
    'Import',
    {
      create: 'Make the playlist',
      dialog: (onDone) => <ImportDialog open onClose={onDone} />,
      prepare: () =>
        page.getByLabelText('File').upload(new File([`Video ID\n${song.youtube_id}`], 'Night drive.csv', { type: 'text/csv' })),
      values: { title: 'Night drive', description: '', songs: [song] },
    },
  ],
])(
  'own playlists: %s waits for the code of the store, says that nothing was saved if the code cannot be loaded, and can be tried again',
  async (_, { create, dialog, prepare, values }) => {
    const onDone = vi.fn()
    const { createMock, finishLoading } = renderBeforeStore(dialog(onDone))
    await prepare()
    const button = page.getByRole('button', { name: create })
    await button.click()
    await expect.element(button).toHaveAttribute('aria-busy', 'true')
    finishLoading(false)
    await expect.element(page.getByText(FAILURE_TEXT)).toBeVisible()
    expect([createMock.mock.calls, onDone.mock.calls]).toEqual([[], []])
    await button.click()
    finishLoading(true)
    await expect.poll(() => onDone.mock.calls.length).toBe(1)
    expect(createMock.mock.calls).toEqual([['', values]])
  },
)
