import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { EndpointData } from '../../../contract/endpoints.ts'
import { LIST_LIMIT_MAX } from '../../../contract/playlist-rules.ts'
import { createTestPlaylist, createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { ApiCallError } from '../../platform/api.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { SharedPlaylistTools } from './shared-playlist-tools.tsx'

const TOKEN = 'a-token_of_22_letters_'
const allSongs = Array.from({ length: 30 }, (_, index) => createTestSong(index))

let root: Root | undefined
let hostElement: HTMLElement | undefined
afterEach(() => {
  root?.unmount()
  hostElement?.remove()
})

interface TestDeps {
  loadedSongCount: number
  call?: () => Promise<EndpointData<'GET /list/get'>>
  offlineMutations?: () => Promise<never>
}

/** Renders the tools of a playlist of 30 songs, of which the page has only the first `loadedSongCount`. */
function renderTools({ loadedSongCount, call = () => new Promise(() => {}), offlineMutations }: TestDeps) {
  const createMock = vi.fn(async () => 'copy')
  const callMock = vi.fn(call)
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  const playlist = createTestPlaylist(`list-${TOKEN}`, { title: 'Roads', song_count: allSongs.length })
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => <SharedPlaylistTools playlist={playlist} songs={allSongs.slice(0, loadedSongCount)} token={TOKEN} />,
    }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  root.render(
    <ServicesProvider
      services={createTestServices({
        api: { call: callMock },
        identity: anonymousIdentity,
        database: { health: 'persistent' },
        offlineMutations: offlineMutations ?? (async () => ({ ownPlaylists: { create: createMock } })),
      })}
    >
      <ToastRegion>
        <RouterProvider router={router} />
      </ToastRegion>
    </ServicesProvider>,
  )
  return { createMock, callMock, router }
}

const saveCopy = () => page.getByRole('button', { name: 'Save a copy' }).click()
const answerWithAllSongs = async () => ({ title: 'Roads', description: '', song_count: allSongs.length, songs: allSongs })

it('shared playlist: a copy that is saved before all songs are loaded has all songs', async () => {
  const { createMock, callMock, router } = renderTools({ loadedSongCount: 24, call: answerWithAllSongs })
  await saveCopy()
  await expect.element(page.getByText('Saved to your playlists')).toBeVisible()
  expect(callMock.mock.calls).toEqual([['GET /list/get', { l: TOKEN, limit: LIST_LIMIT_MAX }, undefined]])
  expect(createMock.mock.calls).toEqual([['', { title: 'Roads', description: '', songs: allSongs }]])
  expect(router.history.location.href).toBe('/playlist?p=my-copy')
})

it('shared playlist: a copy of a playlist whose songs are all loaded needs no request', async () => {
  const { createMock, callMock } = renderTools({ loadedSongCount: allSongs.length })
  await saveCopy()
  await expect.element(page.getByText('Saved to your playlists')).toBeVisible()
  expect(createMock).toHaveBeenCalledOnce()
  expect(callMock).not.toHaveBeenCalled()
})

it.each([
  ['the other songs cannot be loaded', new ApiCallError('network', 0, ''), "The site isn't responding, so nothing was saved."],
  ['the playlist is no longer shared', new ApiCallError('api', 404, ''), 'This playlist is no longer shared'],
])('shared playlist: nothing is saved if %s', async (_, failure, messageText) => {
  const { createMock, router } = renderTools({ loadedSongCount: 24, call: () => Promise.reject(failure) })
  await saveCopy()
  await expect.element(page.getByRole('alert')).toHaveTextContent(messageText)
  expect(createMock).not.toHaveBeenCalled()
  expect(router.history.location.href).toBe('/')
})

it('shared playlist: nothing is saved if the code of the store cannot be loaded', async () => {
  renderTools({
    loadedSongCount: allSongs.length,
    offlineMutations: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
  })
  await saveCopy()
  await expect.element(page.getByRole('alert')).toHaveTextContent("The site isn't responding, so nothing was saved.")
})
