import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FAVORITES_CONTEXT_ID } from '../../contract/playlist-rules.ts'
import type { Song } from '../../contract/song.ts'
import { expectFasterThan } from '../../testing/timing.ts'
import { SongList } from '../components/song-list.tsx'
import { createTestSong } from '../data/testing/rows.ts'
import { OutboxList } from '../features/offline/outbox-list.tsx'
import { OutboxNotice } from '../features/offline/outbox-notice.tsx'
import { busyTracker } from '../platform/busy.ts'
import {
  chooseFile,
  createSongs,
  favoritesSection,
  locateFavoriteButton,
  recordTextChanges,
  renderWithServices,
  SignOutButton,
} from './testing/favorites-page.tsx'

// At this desktop width a song row shows all of its buttons.
beforeEach(() => page.viewport(1200, 800))

const renderSongs = (songs: readonly Song[]) => <SongList songs={songs} getContextId={() => FAVORITES_CONTEXT_ID} label="Songs" />

it('favorites: a removed song leaves the list, focus moves to the next song, and Undo restores the song', async () => {
  const { serverFavorites } = renderWithServices(favoritesSection, { storedSongs: createSongs(3) })
  await expect.element(page.getByText('3 songs')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Song 0' }))
    .toHaveAttribute('href', `/song?s=${createTestSong(0).youtube_id}&p=favorite`)
  await expect.element(locateFavoriteButton('Song 1')).toHaveAttribute('aria-pressed', 'true')
  await locateFavoriteButton('Song 1').click()
  await expect.element(page.getByText(/^Removed from your favorites/)).toBeVisible()
  await expect.element(locateFavoriteButton('Song 1')).not.toBeInTheDocument()
  await expect.element(locateFavoriteButton('Song 2')).toHaveFocus()
  await vi.waitFor(() => expect(serverFavorites.get(createTestSong(1).youtube_id)?.favorite).toBe(false))
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(locateFavoriteButton('Song 1')).toBeVisible()
  await expect.element(page.getByText('3 songs')).toBeVisible()
  expect(document.activeElement).not.toBe(document.body)
  // Removes a favorite and restores it by the keyboard shortcut for undo.
  await locateFavoriteButton('Song 2').click()
  await expect.element(locateFavoriteButton('Song 2')).not.toBeInTheDocument()
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(locateFavoriteButton('Song 2')).toBeVisible()
})

it('favorites: an empty list shows a message; when the last song is removed, the message receives the focus', async () => {
  renderWithServices(favoritesSection, { storedSongs: createSongs(1) })
  await locateFavoriteButton('Song 0').click()
  await expect.element(page.getByText('There are no songs in your favorites.', { exact: true })).toBeVisible()
  expect(document.activeElement?.textContent).toContain('There are no songs in your favorites.')
})

it('favorites: an anonymous person is asked to log in, and the login returns to the same page', async () => {
  const { router } = renderWithServices(renderSongs([createTestSong(0)]), { signedIn: false })
  await locateFavoriteButton('Song 0').click()
  await expect.element(page.getByRole('dialog', { name: 'Login required' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/signup')
  await page.getByRole('link', { name: 'Log in' }).click()
  expect(router.history.location.pathname).toBe('/login')
  expect(router.history.location.state).toMatchObject({ returnTo: '/song?s=x&p=y' })
})

it('pending favorite: the song is added after the login, but not if the login dialog was closed', async () => {
  const songRows = createSongs(3)
  const { setSignedIn, serverFavorites } = renderWithServices(renderSongs(songRows), { signedIn: false, storedSongs: songRows.slice(2) })
  const dialog = page.getByRole('dialog', { name: 'Login required' })
  await locateFavoriteButton('Song 0').click()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await locateFavoriteButton('Song 1').click()
  await expect.element(dialog).toBeVisible()
  // Simulates a login in another tab, which closes the login dialog.
  setSignedIn(true)
  await expect.element(page.getByText(/^Added to your favorites/)).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(locateFavoriteButton('Song 1')).toHaveAttribute('aria-pressed', 'true')
  await vi.waitFor(() => expect(serverFavorites.get(createTestSong(1).youtube_id)?.favorite).toBe(true))
  expect(serverFavorites.has(createTestSong(0).youtube_id)).toBe(false)
})

it('pending favorite: a song that is already a favorite is not added again', async () => {
  const { setSignedIn, syncRequests, router } = renderWithServices(renderSongs(createSongs(2)), {
    signedIn: false,
    storedSongs: createSongs(2),
  })
  await locateFavoriteButton('Song 1').click()
  await page.getByRole('link', { name: 'Log in' }).click()
  expect(router.history.location.pathname).toBe('/login')
  setSignedIn(true)
  await expect.element(page.getByText('This song is already in your favorites.')).toBeVisible()
  expect(syncRequests.flatMap(({ changes }) => changes ?? [])).toEqual([])
})

it('pending favorite: the song is stored in the history entries of the login and sign-up pages, and dropped when the person goes back', async () => {
  const { setSignedIn, syncRequests, router } = renderWithServices(renderSongs(createSongs(2)), { signedIn: false })
  await locateFavoriteButton('Song 1').click()
  await page.getByRole('link', { name: 'Sign up' }).click()
  expect(router.history.location.state).toMatchObject({ pendingFavorite: { youtube_id: createTestSong(1).youtube_id } })
  router.history.back()
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/song'))
  setSignedIn(true)
  await vi.waitFor(() => expect(syncRequests.length).toBeGreaterThan(0))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(syncRequests.flatMap(({ changes }) => changes ?? [])).toEqual([])
})

it('pending favorite: a sign-out right after the login drops the pending favorite', async () => {
  const { setSignedIn, offlineMutations } = renderWithServices(renderSongs(createSongs(2)))
  const favoriteList = await offlineMutations.favorites.waitForList('ann', ({ complete }) => complete)
  expect(favoriteList?.complete).toBe(true)
  setSignedIn(false)
  await locateFavoriteButton('Song 1').click()
  await page.getByRole('link', { name: 'Log in' }).click()
  setSignedIn(true)
  setSignedIn(false)
  await new Promise((resolve) => setTimeout(resolve, 200))
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

it('favorites: songs that are missing from the catalogue are counted only when the list is complete', async () => {
  const { state, setSignedIn } = renderWithServices(favoritesSection, {
    signedIn: false,
    storedSongs: createSongs(2),
    removedSongIds: ['gone0000001', 'gone0000002'],
    serverBehavior: 'silent',
  })
  setSignedIn(true)
  await expect.element(page.getByRole('heading', { name: 'Favorites' })).toBeVisible()
  await expect.element(page.getByText('4 songs')).not.toBeInTheDocument()
  state.site = 'answers'
  window.dispatchEvent(new Event('focus'))
  await expect.element(page.getByText('4 songs')).toBeVisible()
  await expect.element(page.getByText('2 of them are not in the catalogue, or not on this device yet.')).toBeVisible()
})

it('favorites: the list is loaded even if the server refuses a change that was sent in the same request', async () => {
  const { state, tap, outbox } = renderWithServices(favoritesSection, { storedSongs: createSongs(2), serverBehavior: 'silent' })
  await tap(createTestSong(5))
  state.site = 'refuses'
  window.dispatchEvent(new Event('focus'))
  await expect.element(page.getByText('2 songs')).toBeVisible()
  expect((await outbox()).map(({ state }) => state)).toEqual(['failed'])
})

it('favorites: songs whose data arrive just after the list of favorites are not reported as missing', async () => {
  const { tap } = renderWithServices(favoritesSection, { storedSongs: createSongs(2) })
  await expect.element(page.getByText('2 songs')).toBeVisible()
  const watchedText = recordTextChanges(() => document.body.textContent)
  await tap(createTestSong(5))
  await expect.element(page.getByText('3 songs')).toBeVisible()
  expect(watchedText()).not.toContain('not in the catalogue')
})

it('favorites: a change that cannot be stored shows an error and leaves the button unchanged', async () => {
  const { database } = renderWithServices(favoritesSection, { storedSongs: createSongs(2) })
  await expect.element(locateFavoriteButton('Song 0')).toBeVisible()
  database.change = () => Promise.reject(new Error('full'))
  await locateFavoriteButton('Song 0').click()
  await expect.element(page.getByText("This couldn't be saved on this device.")).toBeVisible()
  await expect.element(locateFavoriteButton('Song 0')).toHaveAttribute('aria-pressed', 'true')
})

it('favorites: a list of 20,000 songs renders few list items with correct positions, and shows the effect of a tap within 100 ms', {
  tags: ['long'],
}, async () => {
  const manySongs = createSongs(20_000)
  renderWithServices(favoritesSection, { storedSongs: manySongs })
  await expect.element(page.getByText('20,000 songs')).toBeVisible()
  await vi.waitFor(() => expect(document.querySelector<HTMLElement>('li[data-index]')?.style.position).toBe('absolute'))
  expect(document.querySelectorAll('li[data-index]').length).toBeLessThan(80)
  await expect.element(page.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '20000')
  const button = locateFavoriteButton('Song 3').element()
  const textShownPromise = new Promise<number>((resolve) => {
    new MutationObserver(() => resolve(performance.now())).observe(button, { attributes: true })
  })
  const startedAtMs = performance.now()
  if (button instanceof HTMLElement) {
    button.focus()
    button.click()
  }
  const latencyMs = (await textShownPromise) - startedAtMs
  console.info(`a tap in a list of 20,000 favorites was shown after ${latencyMs.toFixed(1)} ms`)
  expectFasterThan(latencyMs, 100)
  await expect.element(page.getByText('19,999 songs')).toBeVisible()
  await expect.element(locateFavoriteButton('Song 4')).toHaveFocus()
  const scrollBox = document.querySelector('ol')?.parentElement
  scrollBox?.scrollTo(0, scrollBox.scrollHeight)
  await expect.element(locateFavoriteButton('Song 19999')).toBeVisible()
})

it('outbox: unsent changes are listed grouped by song, and can be retried or discarded', async () => {
  const { state, tap, outbox } = renderWithServices(
    <>
      <OutboxNotice />
      <OutboxList />
    </>,
    { serverBehavior: 'refuses' },
  )
  for (let count = 0; count < 3; count++) await tap(createTestSong(1), count % 2 === 0)
  await tap(createTestSong(2))
  await expect.element(page.getByText('Favorite added (3 times)')).toBeVisible()
  await expect.element(page.getByText('Not sent: That song is gone.').first()).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Song 1' })).toBeVisible()
  await expect.element(page.getByText('4 changes could not be sent.')).toBeVisible()
  await page.getByRole('button', { name: 'Discard Song 1' }).click()
  await vi.waitFor(async () => expect(await outbox()).toHaveLength(1))
  expect(document.activeElement).not.toBe(document.body)
  state.site = 'answers'
  await page.getByRole('button', { name: 'Retry Song 2' }).click()
  await expect.element(page.getByText('Everything is sent.')).toBeVisible()
  expect(await outbox()).toEqual([])
})

it('outbox: a long list shows the first 20 changes, and Discard all asks for confirmation', { tags: ['long'] }, async () => {
  const { offlineMutations, outbox } = renderWithServices(<OutboxList />, { serverBehavior: 'silent' })
  await offlineMutations.favorites.edit(
    'ann',
    createSongs(100).map((song) => ({ songId: song.youtube_id, favorite: true, song })),
  )
  await expect.element(page.getByText('100 changes')).toBeVisible()
  expect(page.getByText('Waiting').elements()).toHaveLength(20)
  await page.getByRole('button', { name: 'Show all 100' }).click()
  await expect.poll(() => page.getByText('Waiting').elements().length).toBe(100)
  await page.getByRole('button', { name: 'Discard all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard all' }).click()
  await expect.element(page.getByText('Everything is sent.')).toBeVisible()
  expect(await outbox()).toEqual([])
})

it('sign-out: unsent changes are sent first; if all of them were sent, no dialog is shown', async () => {
  const { state, identity, tap, outbox, syncRequests } = renderWithServices(<SignOutButton />, { serverBehavior: 'silent' })
  await tap(createTestSong(1))
  state.site = 'answers'
  await page.getByRole('button', { name: 'Sign out' }).click()
  await vi.waitFor(() => expect(identity.signOut).toHaveBeenCalledOnce())
  expect(await outbox()).toEqual([])
  expect(syncRequests.at(-1)?.changes).toHaveLength(1)
  await expect.element(page.getByText('You are signed out.')).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

it('sign-out: changes that the server has refused do not open the dialog about unsent changes', async () => {
  const { identity, tap, outbox } = renderWithServices(<SignOutButton />, { serverBehavior: 'refuses' })
  await tap(createTestSong(1))
  await vi.waitFor(async () => expect((await outbox()).map(({ state }) => state)).toEqual(['failed']))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await vi.waitFor(() => expect(identity.signOut).toHaveBeenCalledOnce())
  expect(await outbox()).toHaveLength(1)
})

it('sign-out: while the maker exports files, a dialog asks for confirmation first', async () => {
  const { identity } = renderWithServices(<SignOutButton />)
  const releaseBusy = busyTracker.hold('render')
  await page.getByRole('button', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out while files are made?' })
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(identity.signOut).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await dialog.getByRole('button', { name: 'Sign out and stop' }).click()
  await vi.waitFor(() => expect(identity.signOut).toHaveBeenCalledOnce())
  releaseBusy()
})

it('sign-out: a sign-out in another tab shows a toast', async () => {
  const { setSignedIn } = renderWithServices(<SignOutButton />)
  await expect.element(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  setSignedIn(false)
  await expect.element(page.getByText('You are signed out.')).toBeVisible()
})

for (const [buttonName, remainingRows] of [
  ['Sign out and keep them', 2],
  ['Sign out and discard them', 0],
] as const) {
  it(`sign-out: unsent changes open a dialog, whose button has the effect that its label names: ${buttonName}`, async () => {
    const { identity, tap, outbox } = renderWithServices(<SignOutButton />, { serverBehavior: 'silent' })
    await tap(createTestSong(1))
    await tap(createTestSong(2))
    await page.getByRole('button', { name: 'Sign out' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign out with unsent changes?' })
    await expect.element(dialog.getByText('2 changes are not sent yet: 2 favorites.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Stay signed in' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(identity.signOut).not.toHaveBeenCalled()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect.element(dialog.getByText('2 changes are not sent yet')).toBeVisible()
    await dialog.getByRole('button', { name: buttonName }).click()
    await vi.waitFor(() => expect(identity.signOut).toHaveBeenCalledOnce())
    expect(await outbox()).toHaveLength(remainingRows)
  })
}

it('import: a preview is shown first, changes are applied in the order of the file, and Undo reverts them', async () => {
  const { serverFavorites } = renderWithServices(favoritesSection, { storedSongs: createSongs(2) })
  await expect.element(page.getByRole('button', { name: 'Import' })).toBeVisible()
  const fileInput = document.querySelector<HTMLInputElement>('input[type=file]')
  const fileLines = [
    `${createTestSong(1).youtube_id},One`,
    `${createTestSong(5).youtube_id},Five`,
    'nothing,',
    'no link,Six',
    `${createTestSong(4).youtube_id},Four`,
  ]
  const transfer = new DataTransfer()
  transfer.items.add(new File([`youtube_id,title\r\n${fileLines.join('\r\n')}\r\n`], 'mine.csv'))
  if (fileInput) fileInput.files = transfer.files
  fileInput?.dispatchEvent(new Event('change', { bubbles: true }))
  const dialog = page.getByRole('dialog', { name: 'Import favorites' })
  await expect.element(dialog.getByText('2 songs will be added.')).toBeVisible()
  await expect.element(dialog.getByText('1 song in the file is already there.')).toBeVisible()
  await expect.element(dialog.getByText('1 line cannot be read: 4.')).toBeVisible()
  await expect.element(dialog.getByText('1 song without a link not found: Six.')).toBeVisible()
  await expect.element(dialog.getByText('Five')).toBeVisible()
  expect(serverFavorites.size).toBe(2)
  await dialog.getByRole('checkbox', { name: 'Also remove what is not in the file' }).click()
  await expect.element(dialog.getByText('1 favorite will be removed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  const readTitleOrder = () =>
    [...serverFavorites.values()]
      .filter(({ favorite }) => favorite)
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
      .map(({ s }) => s)
  await vi.waitFor(() => expect(readTitleOrder()).toEqual([1, 5, 4].map((index) => createTestSong(index).youtube_id)))
  await page.getByRole('button', { name: 'Undo' }).click()
  await vi.waitFor(() => expect(readTitleOrder().sort()).toEqual([0, 1].map((index) => createTestSong(index).youtube_id)))
})

it('import: songs that cannot be looked up without a connection are not called missing, and none is removed as missing in the file', async () => {
  const { state } = renderWithServices(favoritesSection, { storedSongs: createSongs(2) })
  await expect.element(page.getByText('2 songs')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Import' })).toBeVisible()
  state.site = 'silent'
  chooseFile('mine.csv', `youtube_id,title\n${createTestSong(5).youtube_id},Five\nno link,Six\nno link,Seven\n`)
  const dialog = page.getByRole('dialog', { name: 'Import favorites' })
  await expect.element(dialog.getByText('1 song will be added.')).toBeVisible()
  await expect
    .element(dialog.getByText("2 songs without a link could not be looked up. The site isn't responding. Try again when you are online."))
    .toBeVisible()
  await expect.element(dialog.getByText('not found')).not.toBeInTheDocument()
  await expect.element(dialog.getByRole('checkbox')).not.toBeInTheDocument()
})

it('import: a file that is dropped while another one is being read is ignored', async () => {
  renderWithServices(favoritesSection, { storedSongs: createSongs(1) })
  const importButton = page.getByRole('button', { name: 'Import' })
  await expect.element(importButton).toBeVisible()
  let finishReading = (_: ArrayBuffer) => {}
  const readBytes = vi.spyOn(Blob.prototype, 'arrayBuffer').mockReturnValue(
    new Promise((resolve) => {
      finishReading = resolve
    }),
  )
  onTestFinished(() => readBytes.mockRestore())
  chooseFile('first.csv', 'first')
  await expect.element(importButton).toHaveAttribute('aria-busy', 'true')
  const transfer = new DataTransfer()
  transfer.items.add(new File(['second'], 'second.csv'))
  const dropEvent = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer })
  importButton.element().dispatchEvent(dropEvent)
  expect(dropEvent.defaultPrevented).toBe(true)
  expect(readBytes).toHaveBeenCalledOnce()
  finishReading(new TextEncoder().encode(`youtube_id\n${createTestSong(3).youtube_id}\n`).buffer)
  await expect.element(page.getByRole('dialog', { name: 'Import favorites' }).getByText('first.csv')).toBeVisible()
})

it('import: the number of songs that the server refused is shown', async () => {
  const { serverFavorites, outbox } = renderWithServices(favoritesSection, {
    storedSongs: createSongs(1),
    unknownSongIds: ['unknown0001', 'unknown0002'],
  })
  await expect.element(page.getByRole('button', { name: 'Import' })).toBeVisible()
  chooseFile('mine.csv', `youtube_id\n${createTestSong(3).youtube_id}\nunknown0001\nunknown0002\n`)
  await page.getByRole('dialog', { name: 'Import favorites' }).getByRole('button', { name: 'Apply' }).click()
  await expect.element(page.getByText('1 favorite added, 2 refused.')).toBeVisible()
  expect(serverFavorites.get(createTestSong(3).youtube_id)?.favorite).toBe(true)
  expect((await outbox()).map(({ state }) => state)).toEqual(['failed', 'failed'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await vi.waitFor(() => expect(serverFavorites.get(createTestSong(3).youtube_id)?.favorite).toBe(false))
  expect(await outbox()).toHaveLength(2)
})

it('import: the preview stays unchanged while the import is applied, and only the changes that the server refused from this import are counted', async () => {
  const unknownSongIds = [createTestSong(3).youtube_id]
  const { tap, outbox } = renderWithServices(favoritesSection, { storedSongs: createSongs(1), unknownSongIds })
  await tap(createTestSong(3))
  await vi.waitFor(async () => expect((await outbox()).map(({ state }) => state)).toEqual(['failed']))
  await expect.element(page.getByRole('button', { name: 'Import' })).toBeVisible()
  chooseFile('mine.csv', `youtube_id\n${createTestSong(3).youtube_id}\n`)
  const dialog = page.getByRole('dialog', { name: 'Import favorites' })
  await expect.element(dialog.getByText('1 song will be added.')).toBeVisible()
  const watchedText = recordTextChanges(() => dialog.query()?.textContent)
  unknownSongIds.pop()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect.element(page.getByText('1 favorite added.')).toBeVisible()
  expect(watchedText()).not.toContain('No songs will be added')
})
