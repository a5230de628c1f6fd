import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { AddToPlaylistDialog } from '../../components/add-to-playlist-dialog.tsx'
import { createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { MergePlaylistsDialog } from './merge-playlists-dialog.tsx'
import { NewPlaylistDialog } from './playlist-form-dialog.tsx'

let root: Root | undefined
let hostElement: HTMLElement | undefined
afterEach(() => {
  root?.unmount()
  hostElement?.remove()
})

const summaries = ['First', 'Second'].map((title) => ({ id: title, title, description: '', addedAtMs: 0, songCount: 1, firstSongIds: [] }))

/** The changes never finish, as on a device that is slow. */
const unfinishedChanges = {
  create: vi.fn(() => new Promise<never>(() => {})),
  addSongs: vi.fn(() => new Promise<never>(() => {})),
  merge: vi.fn(() => new Promise<never>(() => {})),
}

function renderDialog(dialog: ReactNode) {
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  const ownPlaylists = {
    ...unfinishedChanges,
    all: () => ({ getSnapshot: () => summaries, subscribe: () => () => {} }),
    countDuplicates: async () => 0,
  }
  root.render(
    <ServicesProvider
      services={createTestServices({
        identity: anonymousIdentity,
        database: { health: 'persistent' },
        offlineMutations: async () => ({ ownPlaylists }),
      })}
    >
      <ToastRegion>{dialog}</ToastRegion>
    </ServicesProvider>,
  )
}

it('own playlists: a button that is pressed twice creates, fills or merges a playlist once', async () => {
  const close = () => {}
  renderDialog(<NewPlaylistDialog open onClose={close} onCreated={close} />)
  await page.getByLabelText('Name').fill('Night drive')
  await page.getByRole('button', { name: 'Create' }).dblClick()
  expect(unfinishedChanges.create).toHaveBeenCalledOnce()

  root?.unmount()
  renderDialog(<AddToPlaylistDialog open onClose={close} songs={[createTestSong(1)]} />)
  await page.getByRole('button', { name: 'First' }).dblClick()
  expect(unfinishedChanges.addSongs).toHaveBeenCalledOnce()
  await page.getByLabelText('New playlist').fill('Night drive')
  await page.getByRole('button', { name: 'Create' }).dblClick()
  expect(unfinishedChanges.create).toHaveBeenCalledTimes(2)

  root?.unmount()
  renderDialog(<MergePlaylistsDialog open onClose={close} />)
  for (const title of ['First', 'Second']) await page.getByLabelText(title).click()
  await page.getByRole('button', { name: 'Merge' }).dblClick()
  await expect.poll(() => unfinishedChanges.merge.mock.calls.length).toBe(1)
})
