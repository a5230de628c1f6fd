import type { Locator, Page } from '@playwright/test'
import { ids } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { expectPlaying, heading, main, nav, openSong, player, playerButton, playlistLinks, untilAlive } from './steps.ts'

/** Presses Tab until `target` has the focus, as a person without a mouse does; each stop must be visible. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let presses = 0; presses < 120; presses++) {
    const focus = await target.evaluateAll((elements) => {
      const [wanted] = elements
      if (wanted === undefined || wanted !== document.activeElement) return undefined
      // A link that stands for a whole row shows its focus around the row.
      const styles = [wanted, wanted.closest('li') ?? wanted].map((each) => getComputedStyle(each))
      return styles.some((style) => style.outlineStyle !== 'none' || style.boxShadow !== 'none') ? 'shown' : 'not shown'
    })
    if (focus !== undefined) {
      await expect(target.first(), 'what has the focus can be seen').toBeVisible()
      expect(focus, 'the focus').toBe('shown')
      return
    }
    await page.keyboard.press(key)
  }
  throw new Error('Tab does not reach it')
}

test('by keyboard alone: skip to the content, open a playlist, play a song, go on', async ({ page, ownSite, platform }) => {
  await page.goto(ownSite.origin())
  await expect(playlistLinks(page).first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: /skip to/i })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, main(page).getByRole('link', { name: 'Årets Låtar' }))
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Årets Låtar')
  await tabTo(page, main(page).getByRole('link', { name: 'Señorita Über Café' }))
  await page.keyboard.press('Enter')
  await expectPlaying(page, platform, ids.accented)
  await tabTo(page, playerButton(page, 'Next'))
  await page.keyboard.press('Enter')
  await expectPlaying(page, platform, ids.accentedNext)
  await tabTo(page, playerButton(page, 'Pause'), 'Shift+Tab')
  await page.keyboard.press('Space')
  await expect.poll(async () => (await platform.playing(page))?.state).toBe(2)
})

test('by keyboard alone: open a menu, close it, search and sort', async ({ page, ownSite }) => {
  await page.goto(ownSite.origin())
  await untilAlive(page)
  const explore = nav(page).getByRole('button', { name: 'Explore' })
  await tabTo(page, explore)
  await page.keyboard.press('Enter')
  await tabTo(page, nav(page).getByRole('link', { name: 'Playlists' }))
  await page.keyboard.press('Escape')
  await expect(explore).toBeFocused()
  await tabTo(page, nav(page).getByRole('button', { name: 'Search' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('angstrom')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=angstrom/)
  await expect(main(page).getByRole('link', { name: 'Señorita Über Café' }).first()).toBeVisible()
  await tabTo(page, main(page).getByRole('combobox'))
  await page.keyboard.press('ArrowDown')
  await expect(main(page).locator('a[href^="/song?"]').first()).toContainText(/Señorita|/)
  await expect(main(page).getByRole('combobox')).toHaveValue(/.+/)
})

test('by keyboard alone: report a song, and the focus comes back', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  const report = main(page).getByRole('button', { name: /report/i })
  await tabTo(page, report)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(report).toBeFocused()
})

test('by keyboard alone: from the page to the dock', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await tabTo(page, nav(page).getByRole('link', { name: 'Nightcore Meridian' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(player(page)).toContainText('Señorita Über Café')
  await tabTo(page, playerButton(page, 'Pause'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await platform.playing(page))?.state).toBe(2)
})

test('on a phone by keyboard alone: the menu opens, keeps the focus inside and gives it back', async ({ page, ownSite }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(ownSite.origin())
  // A page that is made anew, as somebody has played a song since, does not keep the focus of the HTML.
  await untilAlive(page)
  const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  await tabTo(page, menu)
  await page.keyboard.press('Enter')
  await tabTo(page, nav(page).getByRole('button', { name: 'Explore' }))
  await page.keyboard.press('Escape')
  await expect(menu).toHaveAttribute('aria-expanded', 'false')
  await expect(menu).toBeFocused()
})
