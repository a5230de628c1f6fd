import type { Locator, Page } from '@playwright/test'
import { catalogueIds } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import {
  expectPlaying,
  locatePlayerButton,
  locatePlaylistLinks,
  locateSearchBox,
  mainNavigation,
  mainRegion,
  openSong,
  pageHeading,
  playerRegion,
  waitForHydration,
} from './steps.ts'

/** Presses Tab until `targetLocator` has the focus, and checks that each focused element has a focus indicator. */
async function tabTo(page: Page, targetLocator: Locator, tabKey: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let pressCount = 0; pressCount < 120; pressCount++) {
    const focusIndicator = await targetLocator.evaluateAll((indicatorElements) => {
      const [wantedElement] = indicatorElements
      if (wantedElement === undefined || wantedElement !== document.activeElement) return undefined
      // When the link of a row has the focus, the focus indicator surrounds the row.
      const styles = [wantedElement, wantedElement.closest('li') ?? wantedElement].map((each) => getComputedStyle(each))
      return styles.some((style) => style.outlineStyle !== 'none' || style.boxShadow !== 'none') ? 'shown' : 'not shown'
    })
    if (focusIndicator !== undefined) {
      await expect(targetLocator.first(), 'what has the focus can be seen').toBeVisible()
      expect(focusIndicator, 'the focus').toBe('shown')
      return
    }
    await page.keyboard.press(tabKey)
  }
  throw new Error('Tab does not reach it')
}

test('by keyboard alone, a person can skip to the content, open a playlist, play a song, and go to the next song', async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await page.goto(testCatalogueSite.origin())
  await expect(locatePlaylistLinks(page).first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: /skip to/i })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, mainRegion(page).getByRole('link', { name: 'Årets Låtar' }))
  await page.keyboard.press('Enter')
  await expect(pageHeading(page)).toHaveText('Årets Låtar')
  await tabTo(page, mainRegion(page).getByRole('link', { name: 'Señorita Über Café' }))
  await page.keyboard.press('Enter')
  await expectPlaying(page, platform, catalogueIds.accented)
  await tabTo(page, locatePlayerButton(page, 'Next'))
  await page.keyboard.press('Enter')
  await expectPlaying(page, platform, catalogueIds.accentedNext)
  await tabTo(page, locatePlayerButton(page, 'Pause'), 'Shift+Tab')
  await page.keyboard.press('Space')
  await expect.poll(async () => (await platform.readState(page))?.state).toBe(2)
})

test('by keyboard alone, a person can open a menu, close it, search and sort', { tag: '@long' }, async ({ page, testCatalogueSite }) => {
  await page.goto(testCatalogueSite.origin())
  await waitForHydration(page)
  const exploreButton = mainNavigation(page).getByRole('button', { name: 'Explore' })
  await tabTo(page, exploreButton)
  await page.keyboard.press('Enter')
  await tabTo(page, mainNavigation(page).getByRole('link', { name: 'Playlists', exact: true }))
  await page.keyboard.press('Escape')
  await expect(exploreButton).toBeFocused()
  await tabTo(page, mainNavigation(page).getByRole('button', { name: 'Search' }))
  await page.keyboard.press('Enter')
  await expect(locateSearchBox(page)).toBeFocused()
  await page.keyboard.type('angstrom')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=angstrom/)
  await expect(mainRegion(page).getByRole('link', { name: 'Señorita Über Café' }).first()).toBeVisible()
  await tabTo(page, mainRegion(page).getByRole('combobox', { name: 'Sort' }))
  await page.keyboard.press('ArrowDown')
  await expect(mainRegion(page).locator('a[href^="/song?"]').first()).toContainText(/Señorita|/)
  await expect(mainRegion(page).getByRole('combobox', { name: 'Sort' })).toHaveValue(/.+/)
})

test('by keyboard alone, a person can make two playlists, merge them, delete one and restore it', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
}) => {
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  await waitForHydration(page)
  const locateButton = (name: string) => mainRegion(page).getByRole('button', { name, exact: true })
  const locateDialog = (name: string) => page.getByRole('dialog', { name })
  const selectInMenu = async (menuLabel: string, keyLetter: string, itemName: string) => {
    await tabTo(page, locateButton(`More: ${menuLabel}`))
    await page.keyboard.press('Enter')
    await page.keyboard.press(keyLetter)
    await expect(page.getByRole('menuitem', { name: itemName })).toBeFocused()
    await page.keyboard.press('Enter')
  }
  for (const editTitle of ['First', 'Second']) {
    await tabTo(page, locateButton('New playlist'))
    await page.keyboard.press('Enter')
    await expect(locateDialog('New playlist').getByLabel('Name')).toBeFocused()
    await page.keyboard.type(editTitle)
    await page.keyboard.press('Enter')
    await expect(pageHeading(page)).toHaveText(editTitle)
    await expect(mainRegion(page).getByRole('link', { name: 'Find songs' })).toBeVisible()
    await page.goBack()
    await expect(mainRegion(page).getByRole('link', { name: editTitle })).toBeVisible()
  }
  await selectInMenu('Your playlists', 'm', 'Merge playlists')
  const mergeDialog = locateDialog('Merge playlists')
  for (const title of ['First', 'Second']) {
    await tabTo(page, mergeDialog.getByLabel(title))
    await page.keyboard.press('Space')
  }
  await tabTo(page, mergeDialog.getByRole('button', { name: 'Merge' }))
  await page.keyboard.press('Enter')
  await expect(mergeDialog).toBeHidden()
  await expect(mainRegion(page).getByRole('link', { name: 'Second' })).toHaveCount(0)

  await selectInMenu('Your playlists', 'd', 'Deleted playlists')
  await tabTo(page, locateDialog('Deleted playlists').getByRole('button', { name: 'Restore Second' }))
  await page.keyboard.press('Enter')
  await expect(locateDialog('Deleted playlists')).toContainText('There are no deleted playlists.')
  await page.keyboard.press('Escape')
  await expect(locateButton('More: Your playlists')).toBeFocused()
  await expect(mainRegion(page).getByRole('link', { name: 'Second' })).toBeVisible()
})

test('by keyboard alone, a person can report a song, after which the focus returns, and move from the page to the dock', {
  tag: '@long',
}, async ({ page, testCatalogueSite, platform }) => {
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.accented, catalogueIds.accentPlaylist)
  const reportButton = mainRegion(page).getByRole('button', { name: /report/i })
  await tabTo(page, reportButton)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(reportButton).toBeFocused()

  await tabTo(page, mainNavigation(page).getByRole('link', { name: 'Nightcore Meridian' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(playerRegion(page)).toContainText('Señorita Über Café')
  await tabTo(page, locatePlayerButton(page, 'Pause'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await platform.readState(page))?.state).toBe(2)
})

test('on a phone by keyboard alone, the menu opens, traps the focus and returns it', async ({ page, testCatalogueSite }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  // Waits for hydration: if the rows have changed since the HTML was rendered, React renders the page again and the focus is lost.
  await waitForHydration(page)
  const menuButton = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  await tabTo(page, menuButton)
  await page.keyboard.press('Enter')
  await tabTo(page, mainNavigation(page).getByRole('button', { name: 'Explore' }))
  await page.keyboard.press('Escape')
  await expect(menuButton).toHaveAttribute('aria-expanded', 'false')
  await expect(menuButton).toBeFocused()
})
