import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ANONYMOUS_UID } from '../../data/local-database.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { createOwnPlaylists, type OwnPlaylists } from '../../data/own-playlists.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { touchInput } from '../../testing/pointer-input.ts'
import { OwnPlaylistEditor } from './own-playlist-editor.tsx'
import { renderOwnPlaylists } from './testing/render-own-playlists.tsx'

let closeEditor = () => {}
let ownPlaylists: OwnPlaylists
let playlistId: string

/** Renders the editor of a playlist with `songCount` songs. */
async function renderEditor(songCount: number) {
  ownPlaylists = createOwnPlaylists({ database: createMemoryDatabase(), sendOutbox: () => {} })
  const songs = Array.from({ length: songCount }, (_, index) => createTestSong(index))
  playlistId = await ownPlaylists.create(ANONYMOUS_UID, { title: 'Long', songs })
  closeEditor = renderOwnPlaylists(ownPlaylists, <OwnPlaylistEditor id={playlistId} onDone={() => {}} />)
  await expect.element(page.getByRole('button', { name: 'Move Song 0', exact: true })).toBeVisible()
}
beforeEach(() => renderEditor(100))
afterEach(() => {
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

const readTitleNumber = (songId: string) => Array.from({ length: 100 }, (_, index) => createTestSong(index).youtube_id).indexOf(songId)
const readRowBoxes = () =>
  page
    .getByRole('list', { name: 'Songs to arrange' })
    .getByRole('listitem')
    .elements()
    .map((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      const textBoxes = [...row.querySelectorAll('span[dir=auto]')].map((text) => text.getBoundingClientRect())
      return {
        top,
        bottom,
        textTop: Math.min(...textBoxes.map((box) => box.top)),
        textBottom: Math.max(...textBoxes.map((box) => box.bottom)),
      }
    })
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

it('arranging by touch: a song far down is dragged to the top, past rows that are no longer rendered', async () => {
  // No row is focused: a touch moves the focus only when it ends.
  scrollTo({ top: 90 * 64, behavior: 'instant' })
  const handleLocator = page.getByRole('button', { name: 'Move Song 90', exact: true })
  await expect.element(handleLocator).toBeInTheDocument()
  const handle = handleLocator.element()
  // The list takes no pointer events during a scroll, because the browser of the tests has a mouse.
  await expect.poll(() => handle.closest('ol')?.style.pointerEvents).toBe('')
  const { left, top } = handle.getBoundingClientRect()
  const x = left + 10
  await touchInput.press({ x, y: top + 20 })
  await touchInput.move({ x, y: top - 20 })
  await touchInput.move({ x, y: 5 })
  await expect.poll(() => handle.getBoundingClientRect().top + scrollY).toBeLessThan(100)
  await touchInput.release()
  await expect.poll(async () => (await readSongIds())[0]).toBe(createTestSong(90).youtube_id)
})

it("arranging by menu: a song's menu moves it to the top, up and down, and has no other entries", async () => {
  const menuButton = page.getByRole('button', { name: 'More: Song 3', exact: true })
  const readNumbers = async () => (await readSongIds()).slice(0, 5).map((id) => readTitleNumber(id))
  const select = async (itemName: string) => {
    await menuButton.click()
    await page.getByRole('menuitem', { name: itemName, exact: true }).click()
  }
  await menuButton.click()
  await expect.element(page.getByRole('menuitem', { name: 'Move to the top' })).toBeVisible()
  expect(
    page
      .getByRole('menuitem')
      .elements()
      .map((item) => item.textContent),
  ).toEqual(['Move to the top', 'Move up', 'Move down'])
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect.poll(readNumbers).toEqual([0, 1, 3, 2, 4])
  await expect.element(page.getByRole('status').filter({ hasText: 'Song 3 is now number 3 of 100.' })).toBeInTheDocument()
  await waitForPlace(3, 'More: Song 3')
  await select('Move down')
  await expect.poll(readNumbers).toEqual([0, 1, 2, 3, 4])
  await select('Move to the top')
  await expect.poll(readNumbers).toEqual([3, 0, 1, 2, 4])
  await menuButton.click()
  await expect.element(page.getByRole('menuitem', { name: 'Move up' })).toBeDisabled()
})

it('arranging: with text of twice the size, rows have room for their texts and do not overlap', async () => {
  closeEditor()
  document.documentElement.style.fontSize = '200%'
  try {
    await renderEditor(100)
    await expect.poll(() => readRowBoxes().length).toBeGreaterThan(5)
    await expect.poll(() => readRowBoxes().some(({ top }, index, boxes) => top < (boxes[index - 1]?.bottom ?? top) - 1)).toBe(false)
    for (const { top, bottom, textTop, textBottom } of readRowBoxes()) expect(textTop >= top && textBottom <= bottom).toBe(true)
  } finally {
    document.documentElement.style.fontSize = ''
  }
})

it('removing by keyboard: the last song passes the focus to the message that takes the place of the list', async () => {
  closeEditor()
  await renderEditor(1)
  const removeButton = page.getByRole('button', { name: 'Remove Song 0', exact: true }).element()
  if (removeButton instanceof HTMLElement) removeButton.focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading', { name: 'No songs yet' })).toBeVisible()
  await expect.poll(() => document.activeElement?.textContent).toContain('No songs yet')
  expect(document.activeElement).not.toBe(document.body)
})
