import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { createTestSong } from '../data/testing/rows.ts'
import { ServicesProvider } from '../hooks/services.tsx'
import { createTestServices } from '../hooks/testing/services.ts'
import { anonymousIdentity } from '../platform/identity.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { AddToPlaylistDialog } from './add-to-playlist-dialog.tsx'

let root: Root
afterEach(() => root.unmount())

it('add to playlist: until the playlists of the device are read, the dialog says that they are loading', async () => {
  const listeners = new Set<() => void>()
  let playlists: object[] | undefined
  const liveQuery = {
    getSnapshot: () => playlists,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(
    <ServicesProvider
      services={createTestServices({
        identity: anonymousIdentity,
        database: { health: 'persistent' },
        offlineMutations: async () => ({ ownPlaylists: { all: () => liveQuery } }),
      })}
    >
      <ToastRegion>
        <AddToPlaylistDialog open onClose={() => {}} songs={[createTestSong(1)]} />
      </ToastRegion>
    </ServicesProvider>,
  )
  await expect.element(page.getByRole('dialog').getByRole('status')).toHaveTextContent('Loading...')

  playlists = [{ id: 'first', title: 'First', description: '', addedAtMs: 0, songCount: 1, firstSongIds: [] }]
  for (const listener of listeners) listener()
  await expect.element(page.getByRole('button', { name: 'First' })).toBeVisible()
  await expect.element(page.getByRole('dialog').getByRole('status')).not.toBeInTheDocument()
})
