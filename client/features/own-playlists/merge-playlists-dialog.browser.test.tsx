import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { MergePlaylistsDialog } from './merge-playlists-dialog.tsx'
import { renderOwnPlaylists } from './testing/render-own-playlists.tsx'

function renderMergeDialog(titles: readonly string[]) {
  const summaries = titles.map((title) => ({ id: title, title, description: '', addedAtMs: 0, songCount: 1, firstSongIds: [] }))
  const ownPlaylists = {
    all: () => ({ getSnapshot: () => summaries, subscribe: () => () => {} }),
    countDuplicates: async () => 1,
  }
  renderOwnPlaylists(ownPlaylists, <MergePlaylistsDialog open onClose={() => {}} />)
}

it('merging playlists: the question about duplicates and Back leave the focus in the dialog', async () => {
  renderMergeDialog(['First', 'Second'])
  const dialog = page.getByRole('dialog', { name: 'Merge playlists' })
  const expectFocusInDialog = () =>
    expect.poll(() => document.activeElement !== document.body && dialog.element().contains(document.activeElement)).toBe(true)
  for (const title of ['First', 'Second']) await page.getByLabelText(title).click()
  await page.getByRole('button', { name: 'Merge' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('1 song would be in First more than once.')
  await expectFocusInDialog()
  // The first element after the question is its first answer.
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: 'Add each song once' })).toHaveFocus()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.element(page.getByRole('button', { name: 'Merge' })).toBeVisible()
  await expectFocusInDialog()
})

it('merging playlists: the filter finds titles by their words, in any order, and with or without accents', async () => {
  renderMergeDialog(['Soirée d’été', ...Array.from({ length: 8 }, (_, index) => `Other ${index + 1}`)])
  await page.getByLabelText('Find a playlist').fill('ete soiree')
  await expect.element(page.getByRole('checkbox', { name: 'Other 1' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('checkbox', { name: 'Soirée d’été' })).toBeVisible()
})
