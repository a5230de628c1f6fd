import { useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Song } from '../../contract/song.ts'
import type { OwnPlaylists } from '../data/own-playlists.ts'
import { createTestSong } from '../data/testing/rows.ts'
import { ServicesProvider } from '../hooks/services.tsx'
import { createTestServices } from '../hooks/testing/services.ts'
import { anonymousIdentity } from '../platform/identity.ts'
import { ToastRegion } from '../ui/toast.tsx'
import '../ui/global.css'
import { AddToPlaylistDialog } from './add-to-playlist-dialog.tsx'

let root: Root
let hostElement: HTMLElement
afterEach(() => {
  root.unmount()
  hostElement.remove()
})

const createSummaries = (titles: readonly string[]) =>
  titles.map((title) => ({ id: title, title, description: '', addedAtMs: 0, songCount: 1, firstSongIds: [] }))

function ClosableDialog({ songs }: { songs: readonly Song[] }) {
  const [isOpen, setOpen] = useState(true)
  return <AddToPlaylistDialog open={isOpen} onClose={() => setOpen(false)} songs={songs} />
}

/** Renders the dialog for `songs`. The returned function sets the titles of the playlists of the device, which are not read yet. */
function renderDialog(songs: readonly Song[], addSongs?: OwnPlaylists['addSongs']) {
  const listeners = new Set<() => void>()
  let playlists: ReturnType<typeof createSummaries> | undefined
  const liveQuery = {
    getSnapshot: () => playlists,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ServicesProvider
      services={createTestServices({
        identity: anonymousIdentity,
        database: { health: 'persistent' },
        offlineMutations: async () => ({ ownPlaylists: { all: () => liveQuery, ...(addSongs && { addSongs }) } }),
      })}
    >
      <ToastRegion>
        <ClosableDialog songs={songs} />
      </ToastRegion>
    </ServicesProvider>,
  )
  return (titles: readonly string[]) => {
    playlists = createSummaries(titles)
    for (const listener of listeners) listener()
  }
}

it('add to playlist: until the playlists of the device are read, the dialog says that they are loading', async () => {
  const showPlaylists = renderDialog([createTestSong(1)])
  await expect.element(page.getByRole('dialog').getByRole('status')).toHaveTextContent('Loading...')

  showPlaylists(['First'])
  await expect.element(page.getByRole('button', { name: 'First' })).toBeVisible()
  await expect.element(page.getByRole('dialog').getByRole('status')).not.toBeInTheDocument()
})

it.each([
  [3, '7 songs added to Gym mix. 3 were already in it.'],
  [1, '9 songs added to Gym mix. 1 was already in it.'],
  [9, 'Added to Gym mix. 9 were already in it.'],
  [0, '10 songs added to Gym mix'],
])('add to playlist: of 10 songs, the toast says that %i were in the playlist already', async (duplicateCount, toastText) => {
  const songs = Array.from({ length: 10 }, (_, n) => createTestSong(n))
  const showPlaylists = renderDialog(songs, async () => ({
    added: songs.slice(duplicateCount).map(({ youtube_id }) => ({ e: youtube_id, songId: youtube_id, position: 'V' })),
    duplicates: songs.slice(0, duplicateCount),
  }))
  showPlaylists(['Gym mix'])
  await page.getByRole('button', { name: 'Gym mix' }).click()
  await expect.element(page.getByText(toastText, { exact: true })).toBeVisible()
})

it('add to playlist: a playlist is found by its words in any order, without its accents and apostrophes', async () => {
  const otherTitles = Array.from({ length: 8 }, (_, n) => `List ${n}`)
  const showPlaylists = renderDialog([createTestSong(1)])
  showPlaylists(['Été 2026', "Don't Stop", 'Gym Mix', ...otherTitles])
  const shownPlaylists = page.getByRole('list', { name: 'Your playlists' }).getByRole('button')
  for (const [filterText, title] of [
    ['ete', 'Été 2026'],
    ['dont', "Don't Stop"],
    ['mix gym', 'Gym Mix'],
  ] as const) {
    await page.getByLabelText('Find a playlist').fill(filterText)
    await expect.element(shownPlaylists).toHaveTextContent(title)
  }
  await page.getByLabelText('Find a playlist').fill('')
  await expect.poll(() => shownPlaylists.elements().length).toBe(11)
})

it('add to playlist: the question about songs that the playlist has already, and another playlist, leave the focus in the dialog', async () => {
  const showPlaylists = renderDialog([createTestSong(1)], async (_uid, _playlistId, songs) => ({ added: [], duplicates: songs }))
  const dialog = page.getByRole('dialog')
  const expectFocusInDialog = () =>
    expect.poll(() => document.activeElement !== document.body && dialog.element().contains(document.activeElement)).toBe(true)
  showPlaylists(['Gym mix'])
  await page.getByRole('button', { name: 'Gym mix' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This song is already in Gym mix.')
  await expectFocusInDialog()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: 'Add again' })).toHaveFocus()
  await page.getByRole('button', { name: 'Another playlist' }).click()
  await expect.element(page.getByRole('button', { name: 'Gym mix' })).toBeVisible()
  await expectFocusInDialog()
})
