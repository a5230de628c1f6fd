import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ownPlaylistMessages } from '../../../contract/own-playlist-rules.ts'
import type { DatabaseHealth } from '../../data/local-database.ts'
import { OwnPlaylistRefusal } from '../../data/own-playlist-edits.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { ImportDialog } from './import-dialog.tsx'

let root: Root | undefined
let hostElement: HTMLElement | undefined
afterEach(() => {
  root?.unmount()
  hostElement?.remove()
})

const song = createTestSong(1)

/** Answers the request for songs by name: the index of the song's title in the request, or -1. */
type FindTitle = (titles: readonly string[]) => number

function renderImportDialog(createPlaylist: () => Promise<string>, health: DatabaseHealth = 'persistent', findTitle: FindTitle = () => -1) {
  const answerMatch = async (_endpoint: string, { names = [] }: { names?: { title: string }[] }) => {
    const foundIndex = findTitle(names.map(({ title }) => title))
    return { songs: [song], found: names.map((_, index) => (index === foundIndex ? song.youtube_id : '')), takes_videos: false }
  }
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ServicesProvider
      services={createTestServices({
        api: { call: vi.fn(answerMatch) },
        accountApi: {},
        site: { brand: 'test' },
        identity: anonymousIdentity,
        database: { health },
        offlineMutations: async () => ({ ownPlaylists: { create: createPlaylist } }),
      })}
    >
      <ToastRegion>
        <ImportDialog open onClose={() => {}} />
      </ToastRegion>
    </ServicesProvider>,
  )
}

/** Imports a file with two playlists. */
async function importTwoPlaylists(createPlaylist: () => Promise<string>, health?: DatabaseHealth) {
  renderImportDialog(createPlaylist, health)
  const songs = [{ youtube_id: song.youtube_id, title: song.title, author_name: song.author_name }]
  const json = JSON.stringify({ playlists: ['First', 'Second'].map((title) => ({ title, description: '', songs })) })
  await page.getByLabelText('File').upload(new File([json], 'playlists.json', { type: 'application/json' }))
  await page.getByRole('button', { name: 'Make 2 playlists' }).click()
}

it.each<[string, { refusedCount: number; health?: DatabaseHealth }, RegExp]>([
  ['a full device', { refusedCount: 0, health: 'full' }, /^2 playlists imported\. This device could not store the change\./],
  ['a limit that the second playlist exceeds', { refusedCount: 1 }, /^1 of 2 playlists imported\. You have 500 playlists/],
  ['a limit that both exceed', { refusedCount: 2 }, /^You have 500 playlists/],
])('import: one message reports %s', async (_, { refusedCount, health }, messageText) => {
  const createMock = vi.fn<() => Promise<string>>().mockResolvedValue('id')
  const playlistRefusal = new OwnPlaylistRefusal(ownPlaylistMessages.tooManyPlaylists)
  if (refusedCount === 2) createMock.mockRejectedValue(playlistRefusal)
  if (refusedCount === 1) createMock.mockResolvedValueOnce('id').mockRejectedValueOnce(playlistRefusal)
  await importTwoPlaylists(createMock, health)
  await expect.element(page.getByRole('alert')).toHaveTextContent(messageText)
  expect(page.getByRole('button', { name: 'Dismiss' }).elements()).toHaveLength(1)
})

it('import: the preview names the lines of a table, or the entries of a JSON list, that cannot be read', async () => {
  renderImportDialog(async () => 'id')
  const csvRows = [song.youtube_id, 'unreadable', song.youtube_id, 'also unreadable']
  await page.getByLabelText('File').upload(new File([['Video ID', ...csvRows].join('\n')], 'songs.csv', { type: 'text/csv' }))
  await expect.element(page.getByText('2 lines cannot be read: 3, 5.')).toBeVisible()
  root?.unmount()
  renderImportDialog(async () => 'id')
  const json = JSON.stringify({ playlists: [{ title: 'First', songs: [{ youtube_id: song.youtube_id }, { youtube_id: 'unreadable' }] }] })
  await page.getByLabelText('File').upload(new File([json], 'songs.json', { type: 'application/json' }))
  await expect.element(page.getByText('1 entry cannot be read: 2.')).toBeVisible()
})

it('import: the preview names songs that were found under another title and playlists without any found song, and saves a long list of missing songs', async () => {
  const renamedTitle = `${song.title} (Remastered)`
  renderImportDialog(
    async () => 'id',
    'persistent',
    (titles) => titles.indexOf(renamedTitle),
  )
  const createSongs = (...titles: string[]) => titles.map((title) => ({ title, author_name: 'Ann' }))
  const missingTitles = Array.from({ length: 201 }, (_, index) => `Missing ${index + 1}`)
  const playlists = [
    { title: 'First', songs: createSongs(renamedTitle, ...missingTitles) },
    { title: 'Second', songs: createSongs('Nothing') },
  ]
  const file = new File([JSON.stringify({ playlists })], 'playlists.json', { type: 'application/json' })
  await page.getByLabelText('File').upload(file)
  await expect.element(page.getByRole('list', { name: 'Playlists that will be made' })).toHaveTextContent('First: 1 song, 201 not found')
  await page.getByText('1 playlist left out').click()
  await expect.element(page.getByText('Second: none of 1 song was found')).toBeVisible()
  await page.getByText('1 song found under another title').click()
  await expect.element(page.getByText(`Ann - ${renamedTitle} → ${song.title} · ${song.author_name}`)).toBeVisible()
  await page.getByText('202 songs not found', { exact: true }).click()
  await expect.element(page.getByText('And 2 more.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Save the whole list' })).toBeVisible()
})

it('import: the preview is announced, and the focus stays in the dialog', async () => {
  renderImportDialog(async () => 'id')
  const dialog = page.getByRole('dialog', { name: 'Import playlists' })
  await expect.element(dialog).toBeVisible()
  const statusElement = dialog.getByRole('status').element()
  const fileField = page.getByLabelText('File')
  while (document.activeElement !== fileField.element()) await userEvent.keyboard('{Tab}')
  const songs = [{ youtube_id: song.youtube_id }, { title: 'Missing', author_name: 'Ann' }]
  await fileField.upload(
    new File([JSON.stringify({ playlists: [{ title: 'First', songs }] })], 'playlists.json', { type: 'application/json' }),
  )
  await expect.element(page.getByRole('button', { name: 'Make the playlist' })).toBeVisible()
  await expect.element(dialog.getByRole('status')).toHaveTextContent('1 playlist found, 1 song not found')
  expect(statusElement.isConnected).toBe(true)
  await expect.poll(() => document.activeElement !== document.body && dialog.element().contains(document.activeElement)).toBe(true)
  await userEvent.keyboard('{Tab}')
  expect(dialog.element().contains(document.activeElement)).toBe(true)
})

/** Imports a file with a song of the catalogue and two videos that it lacks, on a site whose server cannot look up videos. */
async function importVideos({ isSignedIn }: { isSignedIn: boolean }) {
  const account = { uid: 'ann', email: 'ann@example.com', emailVerified: true }
  const unsearched = { ids: ['video000001', 'video000002'], reason: 'YouTube cannot be asked right now. Please try again in a minute.' }
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory({ initialEntries: ['/playlists'] }) })
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <RouterContextProvider router={router}>
      <ServicesProvider
        services={createTestServices({
          api: { call: async () => ({ songs: [song], found: [], takes_videos: true }) },
          accountApi: { call: async () => ({ songs: [], unsearched }) },
          site: { brand: 'test' },
          identity: { ...anonymousIdentity, getSnapshot: () => (isSignedIn ? account : undefined) },
          database: { health: 'persistent' },
          offlineMutations: async () => ({ ownPlaylists: {} }),
        })}
      >
        <ToastRegion>
          <ImportDialog open onClose={() => {}} />
        </ToastRegion>
      </ServicesProvider>
    </RouterContextProvider>,
  )
  const fileText = ['Video ID', song.youtube_id, 'video000001', 'video000002'].join('\n')
  await page.getByLabelText('File').upload(new File([fileText], 'Mine.csv', { type: 'text/csv' }))
  await expect.element(page.getByRole('list', { name: 'Playlists that will be made' })).toHaveTextContent('Mine: 1 song, 2 not looked up')
  await expect.element(page.getByText('2 videos could not be looked up', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Make the playlist' })).toBeVisible()
  expect(document.body.textContent).not.toContain('not found')
  return router
}

it('import: when videos cannot be looked up, the preview says why, and the songs of the catalogue can be imported', async () => {
  await importVideos({ isSignedIn: true })
  await expect.element(page.getByText('YouTube cannot be asked right now. Please try again in a minute.')).toBeVisible()
  await page.getByText('2 videos could not be looked up', { exact: true }).click()
  await expect.element(page.getByRole('list', { name: 'Videos that could not be looked up' })).toHaveTextContent('video000001video000002')
  expect(page.getByRole('link', { name: 'Log in' }).elements()).toEqual([])
})

it('import: the preview of a person who is not signed in says that a login would keep the videos, and leads to it', async () => {
  const router = await importVideos({ isSignedIn: false })
  await expect.element(page.getByText('Log in first: this site can also keep videos that its catalogue lacks.')).toBeVisible()
  await page.getByRole('link', { name: 'Log in' }).click()
  expect([router.history.location.pathname, router.history.location.state.returnTo]).toEqual(['/login', '/playlists'])
})
