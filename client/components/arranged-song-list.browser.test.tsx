import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createTestSong } from '../data/testing/rows.ts'
import '../ui/global.css'
import { ArrangedSongList } from './arranged-song-list.tsx'

let root: Root | undefined
let hostElement: HTMLElement | undefined
afterEach(() => {
  root?.unmount()
  hostElement?.remove()
  history.replaceState(null, '')
})

const songs = Array.from({ length: 12 }, (_, index) => createTestSong(index, { title: `${index % 2 ? 'Café' : 'Neon'} ${20 - index}` }))
const readShownTitles = () =>
  page
    .getByRole('listitem')
    .elements()
    .map((row) => row.textContent)

function renderList() {
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  root.render(
    <ArrangedSongList songs={songs} orderLabel="Playlist order" emptyText="No songs in this playlist match.">
      {(shownSongs) => (
        <ol>
          {shownSongs.map((song) => (
            <li key={song.youtube_id}>{song.title}</li>
          ))}
        </ol>
      )}
    </ArrangedSongList>,
  )
}

it('arranged songs: the list is filtered while a person types, and can be sorted; going back to the page restores the filter and the sort order', async () => {
  renderList()
  const filterField = page.getByRole('searchbox', { name: 'Filter' })
  await expect.element(filterField).toHaveFocus()
  expect(readShownTitles()).toEqual(songs.map((song) => song.title))
  await userEvent.keyboard('cafe')
  await expect.element(page.getByRole('status')).toHaveTextContent('6 of 12 songs')
  await expect.poll(readShownTitles).toEqual([19, 17, 15, 13, 11, 9].map((n) => `Café ${n}`))
  await page.getByRole('combobox', { name: 'Sort' }).selectOptions('A-Z')
  await expect.poll(readShownTitles).toEqual([11, 13, 15, 17, 19, 9].map((n) => `Café ${n}`))
  const { state } = history
  const { href } = location
  history.replaceState(null, '', '#another-page')
  root?.unmount()
  hostElement?.remove()
  history.replaceState(state, '', href)
  renderList()
  await expect.poll(readShownTitles).toEqual([11, 13, 15, 17, 19, 9].map((n) => `Café ${n}`))
  await expect.element(filterField).toHaveValue('cafe')
  await expect.element(filterField).not.toHaveFocus()
  await userEvent.fill(filterField, 'nothing')
  await expect.element(page.getByText('No songs in this playlist match.')).toBeVisible()
  root?.unmount()
  expect(history.state, 'the state once the fields are removed from their page').toEqual({ arrangement: undefined })
})
