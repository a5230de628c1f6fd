import type { Locator } from '@playwright/test'
import { catalogueIds } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { expectPlaying, fetchApi, followLink, locatePlayerButton, locateSongLinks, mainRegion, openSong } from './steps.ts'

test('queue: Play next starts the first song immediately; the sheet shows the next songs and leaves the player usable; Clear has Undo', async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await page.goto(`${testCatalogueSite.origin()}/playlist?p=${catalogueIds.accentPlaylist}`)
  await expect(locateSongLinks(page).first()).toBeVisible()
  const playNext = async (songTitle: string) => {
    await mainRegion(page)
      .getByRole('button', { name: `More: ${songTitle}` })
      .click()
    await page.getByRole('menuitem', { name: 'Play next' }).click()
  }
  await playNext('Señorita Über Café')
  await expectPlaying(page, platform, catalogueIds.accented)
  await playNext('Zebra Crossing')
  await playNext('Ærlig Łódź')
  await expect(page.getByText('Plays next (2): Zebra Crossing, Ærlig Łódź')).toBeVisible()

  const queueDialog = page.getByRole('dialog', { name: 'Queue' })
  const rows = queueDialog.getByRole('list', { name: 'Queue' }).getByRole('listitem')
  const moveButtons = rows.getByRole('button', { name: /^Move / })
  await test.step('while the sheet is open, the player is visible and can be used', async () => {
    await locatePlayerButton(page, 'Queue').click()
    await expect(rows.nth(1)).toContainText('Ærlig Łódź')
    await locatePlayerButton(page, 'Pause').click()
    await expect(locatePlayerButton(page, 'Play')).toBeVisible()
    await locatePlayerButton(page, 'Play').click()
    await expect(queueDialog).toBeVisible()
    await rows.nth(1).getByRole('button', { name: 'More: Ærlig Łódź' }).press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(rows.nth(1).getByRole('button', { name: 'More: Ærlig Łódź' })).toBeFocused()
    await expect(queueDialog).toBeVisible()
  })

  await test.step('Clear can be undone', async () => {
    const titlesBefore = await rows.allInnerTexts()
    await queueDialog.getByRole('button', { name: 'Clear' }).click()
    await expect(moveButtons).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rows.allInnerTexts()).toEqual(titlesBefore)
  })

  await test.step('after a title has played its song, the focus is on the title of the next row', async () => {
    const secondTitle = await rows.nth(2).getByRole('button').nth(1).textContent()
    await rows.nth(1).getByRole('button').nth(1).press('Enter')
    await expect(rows.nth(1).getByRole('button', { name: secondTitle ?? '', exact: true })).toBeFocused()
  })

  await test.step('with shuffle the songs play in the order that the queue shows', async () => {
    await locatePlayerButton(page, 'Shuffle').click()
    await expect(moveButtons.nth(2)).toBeVisible()
    const queueTitles = (await moveButtons.evaluateAll((buttons) => buttons.map((button) => button.ariaLabel ?? ''))).slice(1)
    await locatePlayerButton(page, 'Next').click()
    await expect(moveButtons.first()).toHaveAccessibleName(queueTitles[0] ?? '')
    await page.keyboard.press('Tab')
    await queueDialog.press('Escape')
    await expect(queueDialog).toBeHidden()
    await expect(locatePlayerButton(page, 'Queue')).toBeFocused()
  })
})

test('queue: on a phone the song page opens the whole queue, of which it shows four rows', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { plainPlaylist } = catalogueIds
  const { songs } = await fetchApi(testCatalogueSite, 'GET /playlist/get', { p: plainPlaylist })
  await openSong(page, platform, testCatalogueSite.origin(), songs[0]?.youtube_id ?? '', plainPlaylist)
  const locateVisibleRows = (queue: Locator) => queue.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ visible: true })
  await expect(locateVisibleRows(mainRegion(page).getByRole('complementary', { name: 'Queue' }))).toHaveCount(4)
  await page.getByRole('button', { name: 'Show the whole queue' }).click()
  const queueDialog = page.getByRole('dialog', { name: 'Queue' })
  await expect(locateVisibleRows(queueDialog)).toHaveCount(101)

  await test.step('Clear keeps the focus, its Undo is above the sheet, and Escape still closes the sheet', async () => {
    const clearButton = queueDialog.getByRole('button', { name: 'Clear' })
    await clearButton.click()
    await expect(locateVisibleRows(queueDialog)).toHaveCount(1)
    await expect(clearButton).toBeFocused()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(locateVisibleRows(queueDialog)).toHaveCount(101)
    await clearButton.press('Escape')
    await expect(queueDialog).toBeHidden()
  })

  await test.step('after the last visible row has been removed, the focus is in a visible row', async () => {
    const rows = locateVisibleRows(mainRegion(page).getByRole('complementary', { name: 'Queue' }))
    const moreButton = rows.nth(3).getByRole('button', { name: /^More: / })
    const removedName = await moreButton.getAttribute('aria-label')
    await moreButton.click()
    await page.getByRole('menuitem', { name: 'Remove' }).press('Enter')
    await expect(moreButton).not.toHaveAccessibleName(removedName ?? '')
    await expect(rows.getByRole('button').and(page.locator(':focus'))).toHaveCount(1)
  })

  await test.step('on other pages the sheet covers the page, and Back closes it', async () => {
    await followLink(page, '/playlists')
    await followLink(page, '/faq')
    await expect(page).toHaveURL(/\/faq$/)
    await locatePlayerButton(page, 'Queue').click()
    await expect(queueDialog).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/\/playlists$/)
    await expect(queueDialog).toBeHidden()
  })
})

test('queue: Start radio plays a song and related ones, which are marked; other queues have a remembered switch that adds related songs', {
  tag: '@long',
}, async ({ page, testCatalogueSite, platform }) => {
  await page.goto(`${testCatalogueSite.origin()}/playlist?p=${catalogueIds.accentPlaylist}`)
  const moreButton = mainRegion(page).getByRole('button', { name: 'More: Señorita Über Café' })
  await moreButton.press('Enter')
  await page.getByRole('menuitem', { name: 'Start radio' }).press('Enter')
  await expectPlaying(page, platform, catalogueIds.accented)
  await locatePlayerButton(page, 'Queue').click()
  const queueDialog = page.getByRole('dialog', { name: 'Queue' })
  await expect(queueDialog.getByText('From Radio: Señorita Über Café')).toBeVisible()
  const rows = queueDialog.getByRole('list', { name: 'Queue' }).getByRole('listitem')
  await expect(rows.nth(1)).toContainText('Related')
  const secondTitle =
    (
      await rows
        .nth(2)
        .getByRole('button', { name: /^Move / })
        .getAttribute('aria-label')
    )?.slice('Move '.length) ?? ''
  await rows
    .nth(1)
    .getByRole('button', { name: /^More: / })
    .click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(rows.nth(1)).toContainText(secondTitle)
  await expect(rows.nth(1).getByRole('button', { name: /^More: / })).toBeFocused()

  const endlessCheckbox = queueDialog.getByRole('checkbox', { name: 'When the queue ends, play related songs' })
  // A song radio always continues with related songs.
  await expect(endlessCheckbox).toBeHidden()
  await page.goto(`${testCatalogueSite.origin()}/song?s=${catalogueIds.accented}&p=${catalogueIds.accentPlaylist}`)
  await expectPlaying(page, platform, catalogueIds.accented)
  await page.getByRole('navigation').getByRole('link', { name: 'Nightcore Meridian' }).click()
  await locatePlayerButton(page, 'Queue').click()
  await expect(endlessCheckbox).not.toBeChecked()
  await endlessCheckbox.press('Space')
  await expect(endlessCheckbox).toBeChecked()
  await page.reload()
  await locatePlayerButton(page, 'Queue').click()
  await expect(endlessCheckbox).toBeChecked()
  await expect(rows.last()).toContainText('Related')
})
