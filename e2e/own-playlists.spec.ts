import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { formatLongDate } from '../client/ui/format.ts'
import { DELETED_PLAYLIST_RESTORABLE_MS } from '../contract/own-playlist-rules.ts'
import { fetchIdToken } from './favorites-steps.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { createOwnPlaylists, shareOwnPlaylist } from './own-playlist-steps.ts'
import { expectPlaying, fetchApi, locatePlayerButton, mainRegion, pageHeading, waitForHydration } from './steps.ts'

const locateDialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const locateButton = (page: Page, name: string) => mainRegion(page).getByRole('button', { name, exact: true })
const locateSongRows = (page: Page) =>
  mainRegion(page)
    .getByRole('list', { name: /^Songs of / })
    .getByRole('listitem')

/** Adds a song on the page to an own playlist by the song's menu. With `isNewPlaylist`, the playlist is created. */
async function addFromMenu(page: Page, songTitle: string, playlistTitle: string, isNewPlaylist: boolean) {
  await mainRegion(page)
    .getByRole('button', { name: `More: ${songTitle}` })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Add to playlist' }).click()
  const dialog = locateDialog(page, 'Add to playlist')
  if (isNewPlaylist) {
    await dialog.getByLabel('New playlist').fill(playlistTitle)
    await dialog.getByRole('button', { name: 'Create' }).click()
  } else await dialog.getByRole('button', { name: playlistTitle }).click()
}

test('own playlists: made from a song’s menu without an account, they are arranged by keyboard, survive a reload, and join the account', async ({
  browser,
  page,
  site,
}) => {
  const [playlist] = await fetchApi(site, 'GET /playlist/all')
  const songs = (await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })).songs.slice(0, 3)
  const [firstTitle = '', secondTitle = '', thirdTitle = ''] = songs.map(({ title }) => title)
  await openHydratedPage(page, `${site.origin()}/playlist?p=${playlist?.id}`)
  await addFromMenu(page, firstTitle, 'Night drive', true)
  await expect(page.getByText('1 song added to the new playlist Night drive')).toBeVisible()
  await addFromMenu(page, secondTitle, 'Night drive', false)
  await expect(page.getByText('Added to Night drive').first()).toBeVisible()
  await addFromMenu(page, thirdTitle, 'Night drive', false)
  await addFromMenu(page, thirdTitle, 'Night drive', false)
  const dialog = locateDialog(page, 'Add to playlist')
  await expect(dialog).toContainText('This song is already in Night drive.')
  await dialog.getByRole('button', { name: 'Add again' }).click()

  await page.goto(`${site.origin()}/playlists`)
  await mainRegion(page).getByRole('list', { name: 'Your playlists' }).getByRole('link', { name: 'Night drive' }).click()
  await expect(pageHeading(page)).toHaveText('Night drive')
  await expect(mainRegion(page)).toContainText('4 songs')
  await locateButton(page, 'More: Night drive').click()
  await page.getByRole('menuitem', { name: 'Arrange songs' }).click()
  const rows = mainRegion(page).getByRole('list', { name: 'Songs to arrange' }).getByRole('listitem')
  await expect(rows).toHaveCount(4)
  await rows
    .first()
    .getByRole('button', { name: `Move ${firstTitle}`, exact: true })
    .focus()
  // The handle keeps the focus while its row moves.
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(1)).toContainText(firstTitle)
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(2)).toContainText(firstTitle)
  await page.keyboard.press('ArrowUp')
  await expect(rows.nth(1)).toContainText(firstTitle)
  await page.keyboard.press('End')
  await expect(rows.nth(3)).toContainText(firstTitle)
  await rows
    .nth(1)
    .getByRole('button', { name: `Remove ${thirdTitle}`, exact: true })
    .press('Enter')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1).getByRole('button', { name: /^Remove / })).toBeFocused()
  await locateButton(page, 'Done').click()
  await expect(locateSongRows(page)).toContainText([secondTitle, thirdTitle, firstTitle])
  await page.reload()
  await expect(pageHeading(page)).toHaveText('Night drive')
  await expect(locateSongRows(page)).toContainText([secondTitle, thirdTitle, firstTitle])

  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await signInByRequest(page, site.origin(), credentials)
  await openHydratedPage(page, `${site.origin()}/account`)
  const ownPlaylistList = mainRegion(page).getByRole('list', { name: 'Your playlists' })
  await expect(ownPlaylistList).toContainText('Night drive')

  await test.step('another person opens the link of a shared playlist and saves a copy; once the playlist is private again, its page is gone', async () => {
    await ownPlaylistList.getByRole('link', { name: 'Night drive' }).click()
    await locateButton(page, 'More: Night drive').click()
    await page.getByRole('menuitem', { name: 'Share' }).click()
    const shareDialog = locateDialog(page, 'Share')
    await shareDialog.getByRole('button', { name: 'Make a link' }).click()
    const shareUrl = await shareDialog.getByText(/\/list\?l=/).textContent()
    const visitorContext = await browser.newContext()
    const visitorPage = await visitorContext.newPage()
    await openHydratedPage(visitorPage, shareUrl ?? '')
    await expect(pageHeading(visitorPage)).toHaveText('Night drive')
    await expect(locateSongRows(visitorPage)).toContainText([secondTitle, thirdTitle, firstTitle])
    await locateButton(visitorPage, 'Save a copy').click()
    await expect(visitorPage.getByText('Saved to your playlists')).toBeVisible()
    await expect(visitorPage).toHaveURL(/\/playlist\?p=my-/)
    await shareDialog.getByRole('button', { name: 'Stop sharing' }).click()
    await expect(shareDialog.getByRole('button', { name: 'Make a link' })).toBeVisible()
    await visitorPage.goto(shareUrl ?? '')
    await expect(pageHeading(visitorPage)).toHaveText('Page not found')
    await visitorContext.close()
  })
})

test('a shared playlist plays in its order, also after a reload of the song page', { tag: '@long' }, async ({ page, site, platform }) => {
  const [playlist] = await fetchApi(site, 'GET /playlist/all')
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const songIds = songs
    .slice(0, 4)
    .map(({ youtube_id }) => youtube_id)
    .toReversed()
  const [firstId = '', secondId = '', thirdId = '', fourthId = ''] = songIds
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const idToken = await fetchIdToken(site, credentials)
  const [playlistId = ''] = await createOwnPlaylists(site.origin(), idToken, [{ title: 'Night drive', songIds }])
  const shareToken = await shareOwnPlaylist(site.origin(), idToken, playlistId, true)
  await openHydratedPage(page, `${site.origin()}/list?l=${shareToken}`)
  await mainRegion(page).getByRole('link', { name: 'Play', exact: true }).click()
  await expectPlaying(page, platform, firstId)
  await locatePlayerButton(page, 'Next').click()
  await expectPlaying(page, platform, secondId)
  await page.reload()
  await waitForHydration(page)
  await locatePlayerButton(page, 'Next').click()
  await expectPlaying(page, platform, thirdId)
  await locatePlayerButton(page, 'Next').click()
  await expectPlaying(page, platform, fourthId)
  await openHydratedPage(page, `${site.origin()}/song?s=${secondId}&p=list-${shareToken}`)
  await expectPlaying(page, platform, secondId)
  await locatePlayerButton(page, 'Next').click()
  await expectPlaying(page, platform, thirdId)
})

test(
  'own playlists: a file of another program is previewed, its songs that are in the catalogue are imported, and a deleted playlist is restored',
  { tag: '@long' },
  async ({ page, site }, testInfo) => {
    const [playlist] = await fetchApi(site, 'GET /playlist/all')
    const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
    const csvPath = testInfo.outputPath('夜の曲-videos.csv')
    const csvRows = [songs[0]?.youtube_id, 'zzzzzzzz-_0', songs[1]?.youtube_id].map((id) => `${id},2025-11-01T10:00:00+00:00`)
    await writeFile(csvPath, ['Video ID,Playlist Video Creation Timestamp', ...csvRows, '', ''].join('\n'))
    await openHydratedPage(page, `${site.origin()}/playlists`)
    await locateButton(page, 'Import').click()
    const dialog = locateDialog(page, 'Import playlists')
    await dialog.getByLabel('File').setInputFiles(csvPath)
    await expect(dialog.getByRole('list', { name: 'Playlists that will be made' })).toContainText('夜の曲: 2 songs, 1 not found')
    await dialog.getByText('1 song not found', { exact: true }).click()
    await expect(dialog).toContainText('zzzzzzzz-_0')
    await dialog.getByRole('button', { name: 'Make the playlist' }).click()
    await mainRegion(page).getByRole('link', { name: '夜の曲' }).click()
    await expect(pageHeading(page)).toHaveText('夜の曲')
    await locateButton(page, 'More: 夜の曲').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(pageHeading(page)).toHaveText('Playlists')
    await expect(mainRegion(page).getByRole('link', { name: '夜の曲' })).toHaveCount(0)
    // The message of the import has an 'Undo', too.
    await expect(page.getByText('Playlist deleted')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect(mainRegion(page).getByRole('link', { name: '夜の曲' })).toBeVisible()

    await test.step('a playlist is merged into another one, which then has each song once; Undo restores both playlists', async () => {
      // The button is pressed by keyboard, because cards that scrolling has brought into view may still move the button during a mouse press.
      await locateButton(page, 'New playlist').press('Enter')
      await locateDialog(page, 'New playlist').getByLabel('Name').fill('All')
      await page.keyboard.press('Enter')
      await expect(pageHeading(page)).toHaveText('All')
      const [firstSong] = songs
      await openHydratedPage(page, `${site.origin()}/playlist?p=${playlist?.id}`)
      await addFromMenu(page, firstSong?.title ?? '', 'All', false)
      await expect(page.getByText('Added to All').first()).toBeVisible()
      await openHydratedPage(page, `${site.origin()}/playlists`)
      const moreButton = locateButton(page, 'More: Your playlists')
      await moreButton.click()
      await page.getByRole('menuitem', { name: 'Merge playlists' }).click()
      const mergeDialog = locateDialog(page, 'Merge playlists')
      await expect(mergeDialog.getByRole('button', { name: 'Merge' })).toBeDisabled()
      await mergeDialog.getByLabel('All').check()
      await mergeDialog.getByLabel('夜の曲').check()
      await mergeDialog.getByRole('button', { name: 'Merge' }).click()
      await expect(mergeDialog).toContainText('1 song would be in All more than once.')
      await mergeDialog.getByRole('button', { name: 'Add each song once' }).click()
      await expect(page.getByText('2 playlists merged into All')).toBeVisible()
      await expect(moreButton).toBeFocused()
      const ownPlaylistList = mainRegion(page).getByRole('list', { name: 'Your playlists' })
      await expect(ownPlaylistList).toContainText('2 songs')
      await expect(ownPlaylistList).not.toContainText('夜の曲')
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await expect(ownPlaylistList).toContainText('1 song')
      await expect(ownPlaylistList).toContainText('夜の曲')
    })

    await test.step('a deleted playlist is listed with the last day on which it can be restored, and is restored', async () => {
      const ownPlaylistList = mainRegion(page).getByRole('list', { name: 'Your playlists' })
      await ownPlaylistList.getByRole('link', { name: '夜の曲' }).click()
      await locateButton(page, 'More: 夜の曲').click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await expect(pageHeading(page)).toHaveText('Playlists')
      await locateButton(page, 'More: Your playlists').click()
      await page.getByRole('menuitem', { name: 'Deleted playlists' }).click()
      const deletedDialog = locateDialog(page, 'Deleted playlists')
      const lastDay = formatLongDate(new Date(Date.now() + DELETED_PLAYLIST_RESTORABLE_MS).toISOString())
      await expect(deletedDialog).toContainText(`2 songs, can be restored until ${lastDay}`)
      await deletedDialog.getByRole('button', { name: 'Restore 夜の曲' }).press('Enter')
      await expect(deletedDialog).toContainText('There are no deleted playlists.')
      await page.keyboard.press('Escape')
      await expect(ownPlaylistList).toContainText('夜の曲')
    })
  },
)
