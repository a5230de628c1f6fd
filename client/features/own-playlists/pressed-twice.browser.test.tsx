import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { AddToPlaylistDialog } from '../../components/add-to-playlist-dialog.tsx'
import { createTestSong } from '../../data/testing/rows.ts'
import { MergePlaylistsDialog } from './merge-playlists-dialog.tsx'
import { NewPlaylistDialog } from './playlist-form-dialog.tsx'
import { renderOwnPlaylists } from './testing/render-own-playlists.tsx'

const summaries = ['First', 'Second'].map((title) => ({ id: title, title, description: '', addedAtMs: 0, songCount: 1, firstSongIds: [] }))

/** The changes never finish, as on a device that is slow. */
const unfinishedChanges = {
  create: vi.fn(() => new Promise<never>(() => {})),
  addSongs: vi.fn(() => new Promise<never>(() => {})),
  merge: vi.fn(() => new Promise<never>(() => {})),
}

function renderDialog(dialog: ReactNode) {
  const ownPlaylists = {
    ...unfinishedChanges,
    all: () => ({ getSnapshot: () => summaries, subscribe: () => () => {} }),
    countDuplicates: async () => 0,
  }
  return renderOwnPlaylists(ownPlaylists, dialog)
}

it('own playlists: a button that is pressed twice creates, fills or merges a playlist once', async () => {
  const close = () => {}
  const unmountForm = renderDialog(<NewPlaylistDialog open onClose={close} onCreated={close} />)
  await page.getByLabelText('Name').fill('Night drive')
  await page.getByRole('button', { name: 'Create' }).dblClick()
  expect(unfinishedChanges.create).toHaveBeenCalledOnce()

  unmountForm()
  const unmountAddition = renderDialog(<AddToPlaylistDialog open onClose={close} songs={[createTestSong(1)]} />)
  await page.getByRole('button', { name: 'First' }).dblClick()
  expect(unfinishedChanges.addSongs).toHaveBeenCalledOnce()
  await page.getByLabelText('New playlist').fill('Night drive')
  await page.getByRole('button', { name: 'Create' }).dblClick()
  expect(unfinishedChanges.create).toHaveBeenCalledTimes(2)

  unmountAddition()
  renderDialog(<MergePlaylistsDialog open onClose={close} />)
  for (const title of ['First', 'Second']) await page.getByLabelText(title).click()
  await page.getByRole('button', { name: 'Merge' }).dblClick()
  await expect.poll(() => unfinishedChanges.merge.mock.calls.length).toBe(1)
})
