import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createCatalogue } from '../../data/catalogue-repository.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { createTestPlaylist, createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { createApi } from '../../platform/api.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import type { OpenRequest, PlayerState } from '../../player/player-interface.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import '../../ui/global.css'
import { PlaylistGrid } from '../../components/playlist-grid.tsx'
import { SongList } from '../../components/song-list.tsx'
import { ToastRegion } from '../../ui/toast.tsx'
import { PlayOverlay } from './play-overlay.tsx'

const songs = [1, 2, 3].map((index) => createTestSong(index))
const playlists = [
  createTestPlaylist('rush', { title: 'Rush hour' }),
  createTestPlaylist('empty', { title: 'Silence' }),
  createTestPlaylist('gone', { title: 'Gone' }),
]

function createFakePlayer() {
  const changeEmitter = createEmitter()
  let playerState: Partial<PlayerState> = { status: 'idle' }
  const publishState = (stateChange: Partial<PlayerState>) => {
    playerState = { ...playerState, ...stateChange }
    changeEmitter.emit()
  }
  return {
    getSnapshot: () => playerState,
    subscribe: changeEmitter.subscribe,
    open: vi.fn(({ songId, contextId }: OpenRequest) => publishState({ songId, contextId, status: 'playing' })),
    toggle: vi.fn(() => publishState({ status: playerState.status === 'playing' ? 'paused' : 'playing' })),
  }
}

let root: Root | undefined
let hostElement: HTMLElement | undefined
let player: ReturnType<typeof createFakePlayer>

/** Returns an element that is outside of all rows and cards. */
const locateOutsideText = () => page.getByText('Outside')
const locateButton = (name: string) => page.getByRole('button', { name, exact: true })

beforeEach(async () => {
  await page.viewport(1280, 900)
  player = createFakePlayer()
  const api = createApi({
    baseUrl: '/api',
    fetch: async (url) => {
      const playlist = playlists.find(({ id }) => String(url).includes(`p=${id}`) && id !== 'gone')
      const data = playlist && { playlist, songs: playlist.id === 'rush' ? songs.slice(1, 2) : [] }
      const code = data ? 200 : 404
      return new Response(JSON.stringify({ code, message: data ? 'OK' : 'There is no such playlist.', data: data ?? null }), {
        status: code,
      })
    },
  })
  const connection = { offline: false, serverUnreachable: false, subscribe: () => () => {} }
  const catalogue = createCatalogue({ api, database: createMemoryDatabase() })
  const listsElement = (
    <>
      <p>Outside</p>
      <SongList songs={songs} getContextId={() => 'rush'} label="Songs" />
      <PlaylistGrid playlists={playlists} label="Playlists" />
      <PlayOverlay />
    </>
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: () => listsElement }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ServicesProvider services={createTestServices({ api, connection, catalogue, player, identity: anonymousIdentity })}>
      <ToastRegion>
        {/* The cast is needed because the test router's type differs from the app's. */}
        <RouterProvider router={router as never} />
      </ToastRegion>
    </ServicesProvider>,
  )
  await userEvent.hover(locateOutsideText())
})
afterEach(() => {
  root?.unmount()
  hostElement?.remove()
})

it("play overlay: the button of a hovered row plays the song in the context of the row's link, then pauses it", async () => {
  await userEvent.hover(page.getByRole('link', { name: 'Song 2' }))
  await locateButton('Play: Song 2').click()
  expect(player.open.mock.calls).toEqual([[{ songId: songs[1]?.youtube_id, contextId: 'rush' }]])
  await locateButton('Pause: Song 2').click()
  expect(player.toggle).toHaveBeenCalledOnce()
  await expect.element(locateButton('Play: Song 2')).toBeVisible()
  await userEvent.hover(locateOutsideText())
  await expect.element(locateButton('Play: Song 2')).not.toBeInTheDocument()
})

it('play overlay: the button of a hovered card plays its playlist from the first song, or says why it cannot', async () => {
  await userEvent.hover(page.getByRole('link', { name: 'Rush hour' }))
  await locateButton('Play: Rush hour').click()
  await expect.poll(() => player.open.mock.calls).toEqual([[{ songId: songs[1]?.youtube_id, contextId: 'rush' }]])
  await expect.element(locateButton('Pause: Rush hour')).toBeVisible()
  await userEvent.hover(page.getByRole('link', { name: 'Silence' }))
  await locateButton('Play: Silence').click()
  await expect.element(page.getByText('This playlist is empty')).toBeVisible()
  await userEvent.hover(page.getByRole('link', { name: 'Gone' }))
  await locateButton('Play: Gone').click()
  await expect.element(page.getByText('There is no such playlist.')).toBeVisible()
  expect(player.open).toHaveBeenCalledOnce()
})

it('play overlay: by keyboard, Space plays the focused song or playlist, and each card is a single Tab stop', async () => {
  page.getByRole('button', { name: 'More: Song 3' }).element().focus()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('link', { name: 'Rush hour' })).toHaveFocus()
  await expect.element(locateButton('Play: Rush hour')).toBeVisible()
  await userEvent.keyboard(' ')
  await expect.poll(() => player.open.mock.calls).toEqual([[{ songId: songs[1]?.youtube_id, contextId: 'rush' }]])
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('link', { name: 'Silence' })).toHaveFocus()
  await expect.element(locateButton('Pause: Rush hour')).not.toBeInTheDocument()

  page.getByRole('link', { name: 'Song 1' }).element().focus()
  await userEvent.keyboard(' ')
  expect(player.open).toHaveBeenLastCalledWith({ songId: songs[0]?.youtube_id, contextId: 'rush' })
  for (let presses = 0; presses < 4 && document.activeElement?.ariaLabel !== 'Pause: Song 1'; presses++) await userEvent.keyboard('{Tab}')
  await expect.element(locateButton('Pause: Song 1')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(player.toggle).toHaveBeenCalledOnce()
  await expect.element(locateButton('Play: Song 1')).toHaveFocus()
})

it('play overlay: touching a row shows no button', async () => {
  const link = page.getByRole('link', { name: 'Song 2' }).element()
  link.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'touch' }))
  await new Promise((resolve) => requestAnimationFrame(resolve))
  expect(locateButton('Play: Song 2').elements()).toHaveLength(0)
  link.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }))
  await expect.element(locateButton('Play: Song 2')).toBeVisible()
})
