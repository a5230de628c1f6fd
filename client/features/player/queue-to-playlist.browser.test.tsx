import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Song } from '../../../contract/song.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { idleState } from '../../player/idle-player.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { QueueSheetButton } from './queue-sheet.tsx'

let root: Root
let hostElement: HTMLElement
let playerState: typeof idleState
const playerChanged = createEmitter()
const noPlaylists: readonly object[] = []
const create = vi.fn(async (_uid: string, _values: { title: string; songs?: readonly Song[] }) => 'new')

function changePlayer(change: Partial<typeof idleState>) {
  playerState = { ...playerState, ...change }
  playerChanged.emit()
}

const [currentSong, secondSong, thirdSong] = [createTestSong(1), createTestSong(2), createTestSong(3)]
const toEntry = (song: Song, key: number) => ({ key, song, queued: false })

beforeEach(async () => {
  create.mockClear()
  playerState = { ...idleState, current: currentSong, upcoming: [toEntry(secondSong, 1), toEntry(thirdSong, 2)] }
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  const player = {
    getSnapshot: () => playerState,
    subscribe: playerChanged.subscribe,
    setEndless: () => {},
    completeQueue: () => {},
  }
  const ownPlaylists = { create, all: () => ({ getSnapshot: () => noPlaylists, subscribe: () => () => {} }) }
  root.render(
    <ServicesProvider
      services={createTestServices({
        player,
        loadPlayer: async () => player,
        identity: anonymousIdentity,
        database: { health: 'persistent' },
        offlineMutations: async () => ({ ownPlaylists }),
      })}
    >
      <ToastRegion>
        <QueueSheetButton />
      </ToastRegion>
    </ServicesProvider>,
  )
  await page.getByRole('button', { name: 'Queue' }).click()
})
afterEach(() => {
  root.unmount()
  hostElement.remove()
})

const locateSheet = () => page.getByRole('dialog', { name: 'Queue' })
const locateDialog = () => page.getByRole('dialog', { name: 'Add to playlist' })
const locateNameField = () => locateDialog().getByLabelText('New playlist')

async function selectInMenu({ title }: Song, label: string) {
  await locateSheet()
    .getByRole('button', { name: `More: ${title}` })
    .click()
  await page.getByRole('menuitem', { name: label }).click()
  await expect.element(locateNameField()).toBeVisible()
}

async function createPlaylist() {
  await locateNameField().fill('Night drive')
  await locateDialog().getByRole('button', { name: 'Create' }).click()
  await expect.element(locateDialog()).not.toBeInTheDocument()
  return create.mock.calls.map(([, { title, songs }]) => [title, songs])
}

it('queue: the song that is playing, and the queue of this one song, can be added to a playlist', async () => {
  changePlayer({ upcoming: [] })
  await selectInMenu(currentSong, 'Add to playlist')
  expect(await createPlaylist()).toEqual([['Night drive', [currentSong]]])
  create.mockClear()
  await selectInMenu(currentSong, 'Save queue as playlist')
  expect(await createPlaylist()).toEqual([['Night drive', [currentSong]]])
})

it('queue: an edit of the maker that is playing has no menu, because playlists have songs of the catalogue only', async () => {
  changePlayer({ current: { ...currentSong, artwork: [] }, upcoming: [] })
  await expect.element(locateSheet().getByRole('button', { name: /^More: / })).not.toBeInTheDocument()
})

it('queue: a queue that is not complete is saved once its songs are loaded, also if the row of its menu is gone then', async () => {
  changePlayer({ isContextLoading: true })
  await locateSheet()
    .getByRole('button', { name: `More: ${secondSong.title}` })
    .click()
  await page.getByRole('menuitem', { name: 'Save queue as playlist' }).click()
  changePlayer({ current: secondSong, upcoming: [] })
  await expect.element(locateDialog()).not.toBeInTheDocument()
  changePlayer({ upcoming: [toEntry(thirdSong, 2)], isContextLoading: false })
  await expect.element(locateNameField()).toBeVisible()
  expect(await createPlaylist()).toEqual([['Night drive', [secondSong, thirdSong]]])
})

it('queue: the dialog that adds a song to a playlist stays, with the typed name, when the row of the song leaves the queue', async () => {
  await selectInMenu(secondSong, 'Add to playlist')
  await locateNameField().fill('Night')
  changePlayer({ current: secondSong, upcoming: [toEntry(thirdSong, 2)] })
  await expect.element(locateSheet().getByRole('button', { name: `Move ${secondSong.title}` })).not.toBeInTheDocument()
  await expect.element(locateNameField()).toHaveValue('Night')
  expect(await createPlaylist()).toEqual([['Night drive', [secondSong]]])
})

it('queue: Escape closes the dialog that adds a song to a playlist, and only the next Escape closes the queue', async () => {
  for (const pressElsewhere of [false, true]) {
    await selectInMenu(secondSong, 'Add to playlist')
    await locateNameField().click()
    // A press on a text moves the focus to the body.
    if (pressElsewhere) await locateDialog().getByText('Your playlists are kept on this device.').click()
    await userEvent.keyboard('{Escape}')
    await expect.element(locateDialog()).not.toBeInTheDocument()
    await expect.element(locateSheet()).toBeVisible()
  }
  await userEvent.keyboard('{Escape}')
  await expect.element(locateSheet()).not.toBeInTheDocument()
})
