import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { testSong } from '../data/testing/rows.ts'
import { UnsentLine } from '../features/offline/unsent-line.tsx'
import { UnsentList } from '../features/offline/unsent-list.tsx'
import { chooseFile, heart, list, SignOutKey, section, show, songs, watchText } from './testing/favorites-page.tsx'

it('a song goes out of the list at a press, the focus to the one that follows, and comes back by Undo', async () => {
  const { states } = show(section, { has: songs(3) })
  await expect.element(page.getByText('3 songs')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Song 0' })).toHaveAttribute('href', `/song?s=${testSong(0).youtube_id}&p=favorite`)
  await expect.element(heart('Song 1')).toHaveAttribute('aria-pressed', 'true')
  await heart('Song 1').click()
  await expect.element(page.getByText('Removed from your favorites.')).toBeVisible()
  await expect.element(heart('Song 1')).not.toBeInTheDocument()
  await expect.element(heart('Song 2')).toHaveFocus()
  await vi.waitFor(() => expect(states.get(testSong(1).youtube_id)?.favorite).toBe(false))
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(heart('Song 1')).toBeVisible()
  await expect.element(page.getByText('3 songs')).toBeVisible()
  expect(document.activeElement).not.toBe(document.body)
  // The same by keys.
  await heart('Song 2').click()
  await expect.element(heart('Song 2')).not.toBeInTheDocument()
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(heart('Song 2')).toBeVisible()
})

it('says when there are none, and keeps the focus as the last one goes', async () => {
  show(section, { has: songs(1) })
  await heart('Song 0').click()
  await expect.element(page.getByText('There are no songs in your favorites.', { exact: true })).toBeVisible()
  expect(document.activeElement?.textContent).toContain('There are no songs in your favorites.')
})

it('who is not signed in is asked to log in, and comes back to where they were', async () => {
  const { router } = show(list([testSong(0)]), { signedIn: false })
  await heart('Song 0').click()
  await expect.element(page.getByRole('dialog', { name: 'Login required' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/signup')
  await page.getByRole('link', { name: 'Log in' }).click()
  expect(router.history.location.pathname).toBe('/login')
  expect(router.history.location.state).toMatchObject({ returnTo: '/song?s=x&p=y' })
})

it('the heart that asked to log in is taken once somebody has, and only then', async () => {
  const rows = songs(3)
  const { setSignedIn, states } = show(list(rows), { signedIn: false, has: rows.slice(2) })
  const dialog = page.getByRole('dialog', { name: 'Login required' })
  await heart('Song 0').click()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await heart('Song 1').click()
  await expect.element(dialog).toBeVisible()
  // In another tab, say: the dialog has nothing to ask any more.
  setSignedIn(true)
  await expect.element(page.getByText('Added to your favorites.')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(heart('Song 1')).toHaveAttribute('aria-pressed', 'true')
  await vi.waitFor(() => expect(states.get(testSong(1).youtube_id)?.favorite).toBe(true))
  expect(states.has(testSong(0).youtube_id)).toBe(false)
})

it('a heart that asked to log in is not taken twice: what is a favorite already stays where it is', async () => {
  const { setSignedIn, asked, router } = show(list(songs(2)), { signedIn: false, has: songs(2) })
  await heart('Song 1').click()
  await page.getByRole('link', { name: 'Log in' }).click()
  expect(router.history.location.pathname).toBe('/login')
  setSignedIn(true)
  await expect.element(page.getByText('This song is in your favorites already.')).toBeVisible()
  expect(asked.flatMap(({ changes }) => changes ?? [])).toEqual([])
})

it('a heart is wished for as long as the log-in is open: over a reload of it, and no longer', async () => {
  const { setSignedIn, asked, router } = show(list(songs(2)), { signedIn: false })
  await heart('Song 1').click()
  await page.getByRole('link', { name: 'Sign up' }).click()
  expect(router.history.location.state).toMatchObject({ wish: { youtube_id: testSong(1).youtube_id } })
  router.history.back()
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/song'))
  setSignedIn(true)
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(asked.flatMap(({ changes }) => changes ?? [])).toEqual([])
})

it('a heart is taken for who has logged in, and for nobody who comes after them', async () => {
  const { setSignedIn, writes } = show(list(songs(2)))
  const known = await writes.favorites.listWhen('ann', ({ complete }) => complete)
  expect(known?.complete).toBe(true)
  setSignedIn(false)
  await heart('Song 1').click()
  await page.getByRole('link', { name: 'Log in' }).click()
  setSignedIn(true)
  setSignedIn(false)
  await new Promise((resolve) => setTimeout(resolve, 200))
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

it('counts favorites that cannot be shown, and counts none before it knows all', async () => {
  const { state, setSignedIn } = show(section, { signedIn: false, has: songs(2), gone: ['gone0000001', 'gone0000002'], site: 'silent' })
  setSignedIn(true)
  await expect.element(page.getByRole('heading', { name: 'Favorites' })).toBeVisible()
  await expect.element(page.getByText('4 songs')).not.toBeInTheDocument()
  state.site = 'answers'
  window.dispatchEvent(new Event('focus'))
  await expect.element(page.getByText('4 songs')).toBeVisible()
  await expect.element(page.getByText('2 of them are not in the catalogue, or not on this device yet.')).toBeVisible()
})

it('hears the list although the call that would have told of it was refused', async () => {
  const { state, tap, outbox } = show(section, { has: songs(2), site: 'silent' })
  await tap(testSong(5))
  state.site = 'refuses'
  window.dispatchEvent(new Event('focus'))
  await expect.element(page.getByText('2 songs')).toBeVisible()
  expect((await outbox()).map(({ state }) => state)).toEqual(['failed'])
})

it('does not take songs that follow the list a moment later for absent ones', async () => {
  const { tap } = show(section, { has: songs(2) })
  await expect.element(page.getByText('2 songs')).toBeVisible()
  const shown = watchText(() => document.body.textContent)
  await tap(testSong(5))
  await expect.element(page.getByText('3 songs')).toBeVisible()
  expect(shown()).not.toContain('not in the catalogue')
})

it('says when a tap cannot be kept, and shows the song as it was', async () => {
  const { store } = show(section, { has: songs(2) })
  await expect.element(heart('Song 0')).toBeVisible()
  store.change = () => Promise.reject(new Error('full'))
  await heart('Song 0').click()
  await expect.element(page.getByText('This could not be kept on this device.')).toBeVisible()
  await expect.element(heart('Song 0')).toHaveAttribute('aria-pressed', 'true')
})

it('20,000 favorites: few rows in the document, each with its place, and a tap shows at once', async () => {
  const many = songs(20_000)
  show(section, { has: many })
  await expect.element(page.getByText('20,000 songs')).toBeVisible()
  await vi.waitFor(() => expect(document.querySelector<HTMLElement>('li[data-index]')?.style.position).toBe('absolute'))
  expect(document.querySelectorAll('li[data-index]').length).toBeLessThan(80)
  await expect.element(page.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '20000')
  const button = heart('Song 3').element()
  const shown = new Promise<number>((resolve) => {
    new MutationObserver(() => resolve(performance.now())).observe(button, { attributes: true })
  })
  const before = performance.now()
  if (button instanceof HTMLElement) {
    button.focus()
    button.click()
  }
  const tookMs = (await shown) - before
  console.info(`a tap on one of 20,000 showed after ${tookMs.toFixed(1)} ms`)
  expect(tookMs).toBeLessThan(100)
  await expect.element(page.getByText('19,999 songs')).toBeVisible()
  await expect.element(heart('Song 4')).toHaveFocus()
  const box = document.querySelector('ol')?.parentElement
  box?.scrollTo(0, box.scrollHeight)
  await expect.element(heart('Song 19999')).toBeVisible()
})

it('shows what is not sent, groups what is of one song, and lets a person retry and discard', async () => {
  const { state, tap, outbox } = show(
    <>
      <UnsentLine />
      <UnsentList />
    </>,
    { site: 'refuses' },
  )
  for (let count = 0; count < 3; count++) await tap(testSong(1), count % 2 === 0)
  await tap(testSong(2))
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

it('of many it shows the first, and discards all when one says so twice', async () => {
  const { writes, outbox } = show(<UnsentList />, { site: 'silent' })
  await writes.favorites.tap(
    'ann',
    songs(500).map((song) => ({ songId: song.youtube_id, favorite: true, song })),
  )
  await expect.element(page.getByText('500 changes')).toBeVisible()
  expect(page.getByText('Waiting').elements()).toHaveLength(20)
  await page.getByRole('button', { name: 'Show all 500' }).click()
  await vi.waitFor(() => expect(page.getByText('Waiting').elements()).toHaveLength(500))
  await page.getByRole('button', { name: 'Discard all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard all' }).click()
  await expect.element(page.getByText('Everything is sent.')).toBeVisible()
  expect(await outbox()).toEqual([])
})

it('signing out with nothing unsent asks nothing; what can be sent is sent first', async () => {
  const { state, identity, tap, outbox, asked } = show(<SignOutKey />, { site: 'silent' })
  await tap(testSong(1))
  state.site = 'answers'
  await page.getByRole('button', { name: 'Sign out' }).click()
  await vi.waitFor(() => expect(identity.signOut).toHaveBeenCalledOnce())
  expect(await outbox()).toEqual([])
  expect(asked.at(-1)?.changes).toHaveLength(1)
  await expect.element(page.getByText('You are signed out.')).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

it('signing out does not ask about what the site has refused', async () => {
  const { identity, tap, outbox } = show(<SignOutKey />, { site: 'refuses' })
  await tap(testSong(1))
  await vi.waitFor(async () => expect((await outbox()).map(({ state }) => state)).toEqual(['failed']))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await vi.waitFor(() => expect(identity.signOut).toHaveBeenCalledOnce())
  expect(await outbox()).toHaveLength(1)
})

it('a session that ends elsewhere is told of', async () => {
  const { setSignedIn } = show(<SignOutKey />)
  await expect.element(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  setSignedIn(false)
  await expect.element(page.getByText('You are signed out.')).toBeVisible()
})

for (const [choice, left] of [
  ['Sign out and keep them', 2],
  ['Sign out and discard them', 0],
] as const) {
  it(`signing out asks about what cannot be sent: ${choice}`, async () => {
    const { identity, tap, outbox } = show(<SignOutKey />, { site: 'silent' })
    await tap(testSong(1))
    await tap(testSong(2))
    await page.getByRole('button', { name: 'Sign out' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign out with unsent changes?' })
    await expect.element(dialog.getByText('2 changes are not sent yet: 2 favorites.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Stay signed in' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(identity.signOut).not.toHaveBeenCalled()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect.element(dialog.getByText('2 changes are not sent yet')).toBeVisible()
    await dialog.getByRole('button', { name: choice }).click()
    await vi.waitFor(() => expect(identity.signOut).toHaveBeenCalledOnce())
    expect(await outbox()).toHaveLength(left)
  })
}

it('an import is shown before it changes anything, is applied in the order of the file, and can be taken back', async () => {
  const { states } = show(section, { has: songs(2) })
  await expect.element(page.getByRole('button', { name: 'Import' })).toBeVisible()
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  const lines = [`${testSong(1).youtube_id},One`, `${testSong(5).youtube_id},Five`, 'nothing,here', `${testSong(4).youtube_id},Four`]
  const transfer = new DataTransfer()
  transfer.items.add(new File([`youtube_id,title\r\n${lines.join('\r\n')}\r\n`], 'mine.csv'))
  if (input) input.files = transfer.files
  input?.dispatchEvent(new Event('change', { bubbles: true }))
  const dialog = page.getByRole('dialog', { name: 'Import favorites' })
  await expect.element(dialog.getByText('2 songs will be added.')).toBeVisible()
  await expect.element(dialog.getByText('1 song of the file is there already.')).toBeVisible()
  await expect.element(dialog.getByText('1 line cannot be read: 4.')).toBeVisible()
  await expect.element(dialog.getByText('Five')).toBeVisible()
  expect(states.size).toBe(2)
  await dialog.getByRole('checkbox', { name: 'Also remove what is not in the file' }).click()
  await expect.element(dialog.getByText('1 favorite will be removed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  const order = () =>
    [...states.values()]
      .filter(({ favorite }) => favorite)
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
      .map(({ s }) => s)
  await vi.waitFor(() => expect(order()).toEqual([1, 5, 4].map((index) => testSong(index).youtube_id)))
  await page.getByRole('button', { name: 'Undo' }).click()
  await vi.waitFor(() => expect(order().sort()).toEqual([0, 1].map((index) => testSong(index).youtube_id)))
})

it('an import says how many songs the site has refused', async () => {
  const { states, outbox } = show(section, { has: songs(1), unknown: ['unknown0001', 'unknown0002'] })
  await expect.element(page.getByRole('button', { name: 'Import' })).toBeVisible()
  chooseFile('mine.csv', `youtube_id\n${testSong(3).youtube_id}\nunknown0001\nunknown0002\n`)
  await page.getByRole('dialog', { name: 'Import favorites' }).getByRole('button', { name: 'Apply' }).click()
  await expect.element(page.getByText('1 favorite added, 2 refused.')).toBeVisible()
  expect(states.get(testSong(3).youtube_id)?.favorite).toBe(true)
  expect((await outbox()).map(({ state }) => state)).toEqual(['failed', 'failed'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await vi.waitFor(() => expect(states.get(testSong(3).youtube_id)?.favorite).toBe(false))
  expect(await outbox()).toHaveLength(2)
})

it('an import shows what it does while it does it, and tells of its own refusals only', async () => {
  const unknown = [testSong(3).youtube_id]
  const { tap, outbox } = show(section, { has: songs(1), unknown })
  await tap(testSong(3))
  await vi.waitFor(async () => expect((await outbox()).map(({ state }) => state)).toEqual(['failed']))
  await expect.element(page.getByRole('button', { name: 'Import' })).toBeVisible()
  chooseFile('mine.csv', `youtube_id\n${testSong(3).youtube_id}\n`)
  const dialog = page.getByRole('dialog', { name: 'Import favorites' })
  await expect.element(dialog.getByText('1 song will be added.')).toBeVisible()
  const shown = watchText(() => dialog.query()?.textContent)
  unknown.pop()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect.element(page.getByText('1 favorite added.')).toBeVisible()
  expect(shown()).not.toContain('No songs will be added')
})
