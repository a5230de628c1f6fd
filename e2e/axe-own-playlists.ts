import type { Page } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { catalogueIds } from './catalogue.ts'
import { fetchIdToken } from './favorites-steps.ts'
import { type brands, expect, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { createOwnPlaylists } from './own-playlist-steps.ts'
import { fetchApi, mainRegion, pageHeading } from './steps.ts'

const PLAYLIST_TITLE = 'Night drive'
const OTHER_PLAYLIST_TITLE = 'A rainy Sunday'

const locateDialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function selectInMenu(page: Page, subjectName: string, itemName: string) {
  await mainRegion(page)
    .getByRole('button', { name: `More: ${subjectName}` })
    .click()
  await page.getByRole('menuitem', { name: itemName }).click()
}

/** Tests an open dialog, and closes it. */
async function expectDialogWithoutViolation(page: Page, dialogTitle: string, description = dialogTitle) {
  await expect(locateDialog(page, dialogTitle)).toBeVisible()
  await expectNoViolation(page, description)
  await page.keyboard.press('Escape')
  await expect(locateDialog(page, dialogTitle)).toBeHidden()
}

async function checkPlaylistsSection(page: Page, origin: string) {
  await openHydratedPage(page, `${origin}/playlists`)
  await expect(mainRegion(page).getByRole('list', { name: 'Your playlists' }).getByRole('listitem')).toHaveCount(2)
  await mainRegion(page).getByRole('button', { name: 'More: Your playlists' }).click()
  await expect(page.getByRole('menuitem', { name: 'Merge playlists' })).toBeVisible()
  await expectNoViolation(page, 'own playlists with the open menu')
  await page.keyboard.press('Escape')
  await mainRegion(page).getByRole('button', { name: 'New playlist' }).click()
  await expectDialogWithoutViolation(page, 'New playlist')
  await selectInMenu(page, 'Your playlists', 'Deleted playlists')
  await expect(locateDialog(page, 'Deleted playlists')).toContainText('There are no deleted playlists.')
  await expectDialogWithoutViolation(page, 'Deleted playlists', 'no deleted playlists')
  await selectInMenu(page, 'Your playlists', 'Merge playlists')
  const mergeDialog = locateDialog(page, 'Merge playlists')
  for (const title of [PLAYLIST_TITLE, OTHER_PLAYLIST_TITLE]) await mergeDialog.getByLabel(title).check()
  await expectNoViolation(page, 'two playlists to merge')
  await mergeDialog.getByRole('button', { name: 'Merge' }).click()
  await expect(mergeDialog).toContainText('would be in')
  await expectDialogWithoutViolation(page, 'Merge playlists', 'the question about duplicates')
  await mainRegion(page).getByRole('button', { name: 'Import' }).click()
  const importDialog = locateDialog(page, 'Import playlists')
  await expect(importDialog).toBeVisible()
  await expectNoViolation(page, 'the import')
  const csvText = `Video ID,Playlist Video Creation Timestamp\n${catalogueIds.accented},2025-11-01T10:00:00+00:00\nzzzzzzzz-_0,2025-11-01T10:00:00+00:00\n`
  await importDialog.getByLabel('File').setInputFiles({ name: 'Mine-videos.csv', mimeType: 'text/csv', buffer: Buffer.from(csvText) })
  await importDialog.getByText('1 song not found', { exact: true }).click()
  await expectDialogWithoutViolation(page, 'Import playlists', 'the preview of an import')
}

async function checkPlaylistPage(page: Page): Promise<string> {
  await mainRegion(page).getByRole('link', { name: PLAYLIST_TITLE }).click()
  await expect(pageHeading(page)).toHaveText(PLAYLIST_TITLE)
  await expectNoViolation(page, 'an own playlist')
  await selectInMenu(page, PLAYLIST_TITLE, 'Name and description')
  await expectDialogWithoutViolation(page, 'Name and description')
  await selectInMenu(page, PLAYLIST_TITLE, 'Share')
  await expect(locateDialog(page, 'Share').getByRole('button', { name: 'Make a link' })).toBeVisible()
  await expectNoViolation(page, 'a playlist that is not shared')
  await locateDialog(page, 'Share').getByRole('button', { name: 'Make a link' }).click()
  const shareUrl = await locateDialog(page, 'Share')
    .getByText(/\/list\?l=/)
    .textContent()
  await expectDialogWithoutViolation(page, 'Share', 'a shared playlist')
  await selectInMenu(page, PLAYLIST_TITLE, 'Arrange songs')
  await mainRegion(page)
    .getByRole('button', { name: /^Remove / })
    .first()
    .click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expectNoViolation(page, 'songs to arrange, one removed')
  await mainRegion(page).getByRole('button', { name: 'Done' }).click()
  await mainRegion(page)
    .getByRole('list', { name: /^Songs of / })
    .getByRole('button', { name: /^More: / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Add to playlist' }).click()
  await expect(locateDialog(page, 'Add to playlist').getByRole('button', { name: PLAYLIST_TITLE })).toBeVisible()
  await expectNoViolation(page, 'add to a playlist')
  await locateDialog(page, 'Add to playlist').getByRole('button', { name: PLAYLIST_TITLE }).click()
  await expect(locateDialog(page, 'Add to playlist')).toContainText(`This song is already in ${PLAYLIST_TITLE}.`)
  await expectDialogWithoutViolation(page, 'Add to playlist', 'a song that the playlist has')
  return shareUrl ?? ''
}

/** Tests all pages, dialogs and states of own playlists. */
export function declareOwnPlaylistAxeTests(brand: (typeof brands)[number], viewportWidth: number) {
  test(`axe, ${brand.name} at ${viewportWidth} px: own playlists, their dialogs and the page of a shared one have no violation`, async ({
    page,
    testCatalogueSite: site,
    faults,
  }) => {
    test.setTimeout(300_000)
    faults.expect(/status of 404/)
    const origin = site.origin(brand.subdomain)
    const credentials = createCredentials()
    await signUpByRequest(site.origin(), credentials)
    const { songs } = await fetchApi(site, 'GET /playlist/get', { p: catalogueIds.plainPlaylist })
    const songIds = songs.slice(0, 6).map(({ youtube_id }) => youtube_id)
    await createOwnPlaylists(site.origin(), await fetchIdToken(site, credentials), [
      { title: PLAYLIST_TITLE, songIds },
      { title: OTHER_PLAYLIST_TITLE, songIds: songIds.slice(0, 2) },
    ])
    await page.setViewportSize({ width: viewportWidth, height: 900 })
    await openHydratedPage(page, `${origin}/playlists#own-playlists`)
    await expect(mainRegion(page)).toContainText('Make one here')
    await expectNoViolation(page, 'no own playlists')
    await signInByRequest(page, site.origin(), credentials, origin)
    await checkPlaylistsSection(page, origin)
    const shareUrl = await checkPlaylistPage(page)

    await openHydratedPage(page, shareUrl)
    await expect(pageHeading(page)).toHaveText(PLAYLIST_TITLE)
    await expectNoViolation(page, 'the page of a shared playlist')
    await selectInMenu(page, PLAYLIST_TITLE, 'Report')
    await expectDialogWithoutViolation(page, 'Report this playlist')

    await openHydratedPage(page, `${origin}/playlists`)
    await mainRegion(page).getByRole('link', { name: PLAYLIST_TITLE }).click()
    await selectInMenu(page, PLAYLIST_TITLE, 'Delete')
    await expect(pageHeading(page)).toHaveText('Playlists')
    await selectInMenu(page, 'Your playlists', 'Deleted playlists')
    await expect(locateDialog(page, 'Deleted playlists')).toContainText('can be restored until')
    await expectDialogWithoutViolation(page, 'Deleted playlists')
    await openHydratedPage(page, shareUrl)
    await expect(pageHeading(page)).toHaveText('Page not found')
    await expectNoViolation(page, 'the page of a playlist that is no longer shared')
  })
}
