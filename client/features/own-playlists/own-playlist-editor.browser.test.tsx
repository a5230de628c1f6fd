import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ANONYMOUS_UID } from '../../data/local-database.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { createOwnPlaylists, type OwnPlaylists } from '../../data/own-playlists.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { OwnPlaylistEditor } from './own-playlist-editor.tsx'

let root: Root
let hostElement: HTMLElement
let ownPlaylists: OwnPlaylists
let playlistId: string

beforeEach(async () => {
  ownPlaylists = createOwnPlaylists({ database: createMemoryDatabase(), sendOutbox: () => {} })
  const songs = Array.from({ length: 100 }, (_, index) => createTestSong(index))
  playlistId = await ownPlaylists.create(ANONYMOUS_UID, { title: 'Long', songs })
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ServicesProvider
      services={createTestServices({
        identity: anonymousIdentity,
        database: { health: 'persistent' },
        offlineMutations: async () => ({ ownPlaylists }),
      })}
    >
      <ToastRegion>
        <OwnPlaylistEditor id={playlistId} onDone={() => {}} />
      </ToastRegion>
    </ServicesProvider>,
  )
  await expect.element(page.getByRole('button', { name: 'Move Song 0', exact: true })).toBeVisible()
})
afterEach(() => {
  root.unmount()
  hostElement.remove()
  scrollTo({ top: 0, behavior: 'instant' })
})

const readSongIds = async () => (await ownPlaylists.readContent(ANONYMOUS_UID, playlistId))?.entries.map(({ songId }) => songId) ?? []
/** Returns where the row of the focused element is in the list, its title, and whether it is inside of the viewport. */
const readFocusedRow = () => {
  const row = document.activeElement?.closest('li')
  const { top = -1, bottom = -1 } = row?.getBoundingClientRect() ?? {}
  return {
    place: row?.getAttribute('aria-posinset'),
    label: document.activeElement?.getAttribute('aria-label'),
    isVisible: top >= 0 && bottom <= innerHeight,
  }
}

/** Scrolls to a song and focuses its handle. */
async function focusHandle(index: number) {
  const handle = page.getByRole('button', { name: `Move Song ${index}`, exact: true })
  scrollTo({ top: index * 64, behavior: 'instant' })
  await expect.element(handle).toBeInTheDocument()
  handle.element().focus()
}

const waitForPlace = (place: number, label: string) => expect.poll(readFocusedRow).toEqual({ place: String(place), label, isVisible: true })

it('arranging by keyboard: the song whose handle has the focus moves with each press, keeps the focus and stays visible', async () => {
  await focusHandle(40)
  for (let place = 41; place > 1; place--) {
    await userEvent.keyboard('{ArrowUp}')
    await waitForPlace(place - 1, 'Move Song 40')
  }
  const listedIds = await readSongIds()
  expect(listedIds.slice(0, 3)).toEqual([40, 0, 1].map((index) => createTestSong(index).youtube_id))
  await userEvent.keyboard('{End}')
  await waitForPlace(100, 'Move Song 40')
  await userEvent.keyboard('{Home}')
  await waitForPlace(1, 'Move Song 40')
  expect(await readSongIds()).toEqual(listedIds)
})

it('arranging by keyboard: while a key is held down, the same song moves', async () => {
  await focusHandle(40)
  await userEvent.keyboard('{ArrowDown>30}')
  await userEvent.keyboard('{/ArrowDown}')
  await expect.poll(() => readFocusedRow().label).toBe('Move Song 40')
  await expect.poll(() => readFocusedRow().isVisible).toBe(true)
  const otherIds = (await readSongIds()).filter((id) => id !== createTestSong(40).youtube_id)
  expect(otherIds).toEqual(Array.from({ length: 100 }, (_, index) => createTestSong(index).youtube_id).toSpliced(40, 1))
})

it('arranging by keyboard: a song at the lower edge moves down and stays visible', async () => {
  const lastVisibleIndex =
    Math.floor((innerHeight - page.getByRole('list', { name: 'Songs to arrange' }).element().getBoundingClientRect().top) / 64) - 1
  const handle = page.getByRole('button', { name: `Move Song ${lastVisibleIndex}`, exact: true })
  handle.element().focus({ preventScroll: true })
  for (let place = lastVisibleIndex + 1; place < lastVisibleIndex + 30; place++) {
    await userEvent.keyboard('{ArrowDown}')
    await waitForPlace(place + 1, `Move Song ${lastVisibleIndex}`)
  }
})

it('arranging by keyboard: a handle that is scrolled out of sight keeps the focus, and a key press brings its song back into view', async () => {
  await focusHandle(20)
  scrollTo({ top: 90 * 64, behavior: 'instant' })
  await expect.element(page.getByRole('button', { name: 'Move Song 92', exact: true })).toBeInTheDocument()
  expect(readFocusedRow()).toEqual({ place: '21', label: 'Move Song 20', isVisible: false })
  await userEvent.keyboard('{ArrowUp}')
  await waitForPlace(20, 'Move Song 20')
})
