import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { createCatalogue } from '../../data/catalogue-repository.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { wrapInDeviceDatabase } from '../../data/testing/databases.ts'
import { putFetchedPlaylist } from '../../data/testing/fetched-playlist.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { idleState } from '../../player/idle-player.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { PlaylistPage } from './playlist-page.tsx'

it('a partial playlist: the page has no number of songs until all have arrived, and keeps its layout', async () => {
  const database = wrapInDeviceDatabase(createMemoryDatabase())
  const receiveSongs = (count: number, more: boolean) =>
    putFetchedPlaylist(
      database,
      'ann',
      Array.from({ length: count }, (_, index) => createTestSong(index)),
      more,
    )
  await receiveSongs(2, true)
  const noRows = { subscribe: () => () => {}, getSnapshot: () => undefined }
  const services = createTestServices({
    database,
    catalogue: createCatalogue({ api: { call: () => new Promise<never>(() => {}) } as never, database, getOwner: () => 'ann' }),
    connection: { subscribe: () => () => {}, offline: false, serverUnreachable: false },
    identity: anonymousIdentity,
    offlinePlaylists: { pinned: noRows, onDownloads: noRows.subscribe, downloads: () => new Map() },
    player: { getSnapshot: () => idleState, subscribe: () => () => {} },
    site: { settings: { NAME: 'Site' } },
  })
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <PlaylistPage id="my-big" /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  const hostElement = document.body.appendChild(document.createElement('div'))
  const root = createRoot(hostElement)
  onTestFinished(() => {
    root.unmount()
    hostElement.remove()
  })
  root.render(
    <ServicesProvider services={services}>
      <ToastRegion>
        {/* The cast is needed because the test router's type differs from the app's. */}
        <RouterProvider router={router as never} />
      </ToastRegion>
    </ServicesProvider>,
  )
  const heading = page.getByRole('heading', { level: 1, name: 'Big' })
  const rows = page.getByRole('list', { name: 'Songs of Big' }).getByRole('listitem')
  const songNumber = page.getByText(/^\d+ songs?$/)
  await expect.element(rows.nth(1)).toBeVisible()
  await expect.element(rows.first()).toHaveAttribute('aria-setsize', '-1')
  await expect.element(songNumber).not.toBeInTheDocument()
  const headingTop = heading.element().getBoundingClientRect().top

  await receiveSongs(3, false)
  await expect.element(songNumber).toHaveTextContent('3 songs')
  await expect.element(rows.nth(2)).toHaveAttribute('aria-setsize', '3')
  expect(heading.element().getBoundingClientRect().top).toBe(headingTop)
})
