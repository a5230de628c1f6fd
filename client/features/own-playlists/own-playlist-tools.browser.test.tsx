import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { OwnPlaylistTools } from './own-playlist-tools.tsx'

let root: Root | undefined
let hostElement: HTMLElement | undefined
afterEach(() => {
  vi.useRealTimers()
  root?.unmount()
  hostElement?.remove()
})

/**
 * Renders the tools of two playlists that are downloaded. Returns the ids of the deleted playlists and of those whose download was removed. With
 * `isLoading`, songs of the playlists are still missing on this device.
 */
function renderTools({ isLoading = false } = {}) {
  const deletedIds = new Set<string>()
  const unpinnedIds: string[] = []
  const ownPlaylists = {
    remove: async (_uid: string, id: string) => void deletedIds.add(id),
    restore: async (_uid: string, id: string) => void deletedIds.delete(id),
    readContent: async (_uid: string, id: string) => ({
      summary: { id, title: id, ...(deletedIds.has(id) && { deletedAtMs: 1 }), ...(isLoading && { isPartial: true as const }) },
      entries: [],
      songById: new Map(),
    }),
    isLoading: () => ({ getSnapshot: () => isLoading, subscribe: () => () => {} }),
  }
  const resume = vi.fn(async () => {})
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <RouterContextProvider router={createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })}>
      <ServicesProvider
        services={createTestServices({
          identity: anonymousIdentity,
          database: { health: 'persistent' },
          offlineMutations: async () => ({ ownPlaylists }),
          offlinePlaylists: { resume, unpin: async (id: string) => void unpinnedIds.push(id) },
        })}
      >
        <ToastRegion>
          {['Summer', 'Winter'].map((title) => (
            <OwnPlaylistTools key={title} id={title} title={title} isEditing={false} onEdit={() => {}} />
          ))}
        </ToastRegion>
      </ServicesProvider>
    </RouterContextProvider>,
  )
  return { deletedIds, unpinnedIds, resume }
}

async function deletePlaylist(title: string) {
  await page.getByRole('button', { name: `More: ${title}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
}

it('own playlist tools: a deleted playlist is kept offline as long as Undo can be pressed, and then no longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { deletedIds, unpinnedIds, resume } = renderTools()
  await deletePlaylist('Summer')
  // The toast stays while the pointer is on it, longer than its duration.
  await page.getByText('Playlist deleted: Summer').hover()
  vi.advanceTimersByTime(60_000)
  expect([unpinnedIds, resume.mock.calls]).toEqual([[], []])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => [...deletedIds]).toEqual([])

  await deletePlaylist('Winter')
  expect(unpinnedIds).toEqual([])
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => unpinnedIds).toEqual(['my-Winter'])
})

it('own playlist tools: while songs of the playlist are missing, the page says so, and no file is saved', async () => {
  const saveFile = vi.spyOn(URL, 'createObjectURL')
  const exportSummer = async () => {
    await page.getByRole('button', { name: 'More: Summer' }).click()
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
  }
  renderTools({ isLoading: true })
  await expect.element(page.getByText('Your playlists are still loading.').first()).toBeVisible()
  await exportSummer()
  await expect.element(page.getByRole('alert').getByText('Your playlists are still loading.')).toBeVisible()
  expect(saveFile).not.toHaveBeenCalled()
  root?.unmount()
  hostElement?.remove()

  renderTools()
  await exportSummer()
  await expect.poll(() => saveFile.mock.calls.length).toBe(1)
  await expect.element(page.getByText('Your playlists are still loading.')).not.toBeInTheDocument()
})
