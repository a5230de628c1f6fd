import type { ReactNode } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { AddToPlaylistDialog } from '../../components/add-to-playlist-dialog.tsx'
import { ANONYMOUS_UID, type LocalDatabase } from '../../data/local-database.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { createOwnPlaylists, type OwnPlaylists } from '../../data/own-playlists.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { OwnPlaylistEditor } from './own-playlist-editor.tsx'
import { OwnPlaylistsSection } from './own-playlists-section.tsx'
import { renderOwnPlaylists } from './testing/render-own-playlists.tsx'

let database: LocalDatabase
let ownPlaylists: OwnPlaylists
beforeEach(() => {
  database = createMemoryDatabase()
  ownPlaylists = createOwnPlaylists({ database, sendOutbox: () => {} })
})

const render = (content: ReactNode) => renderOwnPlaylists(ownPlaylists, content)

const setLoading = (isLoading: boolean) =>
  database.change((tables) => tables.ownPlaylistCursors.put([{ uid: ANONYMOUS_UID, cursor: 'e.1', ...(isLoading && { more: true }) }]))

it('partial playlists: a playlist whose songs have not arrived yet is not called empty', async () => {
  const id = await ownPlaylists.create(ANONYMOUS_UID, { title: 'Night drive' })
  await setLoading(true)
  render(<OwnPlaylistEditor id={id} onDone={() => {}} />)
  // The editor renders its container once the playlist has been read.
  await expect.poll(() => document.querySelector('[tabindex="-1"]')).not.toBeNull()
  await expect.element(page.getByText('No songs yet')).not.toBeInTheDocument()
  await setLoading(false)
  await expect.element(page.getByText('No songs yet')).toBeVisible()
})

it('partial playlists: Add to playlist counts no songs and adds none until all have arrived', async () => {
  await ownPlaylists.create(ANONYMOUS_UID, { title: 'Night drive', songs: [createTestSong(1)] })
  await setLoading(true)
  render(<AddToPlaylistDialog open onClose={() => {}} songs={[createTestSong(2)]} />)
  await page.getByRole('button', { name: 'Night drive' }).click()
  await expect.element(page.getByText('Your playlists are still loading.')).toBeVisible()
  await expect.element(page.getByText('1 song', { exact: true })).not.toBeInTheDocument()
  await setLoading(false)
  await expect.element(page.getByText('1 song', { exact: true })).toBeVisible()
})

it('partial playlists: a card has no number of songs until all have arrived, and keeps its height', async () => {
  await ownPlaylists.create(ANONYMOUS_UID, { title: 'Night drive', songs: [createTestSong(1)] })
  await setLoading(true)
  render(<OwnPlaylistsSection />)
  const card = page.getByRole('link', { name: 'Night drive' })
  await expect.element(page.getByText('Your playlists are still loading.')).toBeVisible()
  await expect.element(card).not.toHaveTextContent('song')
  const loadingHeight = card.element().clientHeight
  await setLoading(false)
  await expect.element(card).toHaveTextContent('1 song')
  expect(card.element().clientHeight).toBe(loadingHeight)
})
