import type { Locator } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { catalogueIds } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { expectPlaying, locatePlayerButton, locateSongLinks, mainRegion, pageHeading, playerRegion } from './steps.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

/** Expects that the vertical centres of the buttons and of the texts differ by at most 2 px. */
async function expectInOneRow(dock: Locator, buttonNames: readonly string[], textLocators: readonly Locator[] = []) {
  const dockParts = [...buttonNames.map((name) => dock.getByRole('button', { name, exact: true })), ...textLocators]
  const buttonCentres = await Promise.all(
    dockParts.map(async (dockPart) => {
      const { y, height } = (await dockPart.boundingBox()) ?? { y: Number.NaN, height: 0 }
      return y + height / 2
    }),
  )
  expect(Math.max(...buttonCentres) - Math.min(...buttonCentres), `the vertical centres ${buttonCentres.join(', ')}`).toBeLessThanOrEqual(2)
}

test('dock: on a phone the dock shows the time and the favorite button, and can be used to seek by touch and by keyboard', {
  tag: '@long',
}, async ({ page, testCatalogueSite, platform }) => {
  const readTime = async () => (await platform.readState(page))?.time ?? 0
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  await mainRegion(page).getByRole('link', { name: 'Årets Låtar' }).first().tap()
  await expect(pageHeading(page)).toHaveText('Årets Låtar')
  await locateSongLinks(page).first().tap()
  await expectPlaying(page, platform, catalogueIds.accented)
  await mainRegion(page).getByRole('link', { name: 'Årets Låtar' }).first().tap()
  await expect(pageHeading(page)).toHaveText('Årets Låtar')
  await expect(playerRegion(page)).toContainText('Señorita Über Café')
  await expectNoViolation(page, 'the dock at 390 px')

  const positionSlider = playerRegion(page).getByRole('slider', { name: 'Position' })
  await test.step('the dock seeks by touch', async () => {
    const sliderBox = await positionSlider.boundingBox()
    expect(sliderBox?.width).toBeGreaterThan(150)
    expect(sliderBox?.height).toBeGreaterThanOrEqual(44)
    await positionSlider.tap({ position: { x: (sliderBox?.width ?? 0) / 2, y: (sliderBox?.height ?? 0) / 2 } })
    await expect.poll(readTime).toBeGreaterThan(90)
    await expect(playerRegion(page).getByText(/^1:\d\d$/)).toBeVisible()
    await locatePlayerButton(page, 'Favorite').tap()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(locatePlayerButton(page, 'Favorite')).toBeFocused()
  })

  await test.step('the dock seeks by keyboard alone', async () => {
    await mainRegion(page).focus()
    const readFocusedName = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName.toLowerCase() ?? '')
    const focusedNames: string[] = []
    for (let presses = 0; presses < 60 && focusedNames.at(-1) !== 'Queue'; presses++) {
      await page.keyboard.press('Tab')
      focusedNames.push(await readFocusedName())
    }
    expect(focusedNames.slice(-5)).toEqual(['Position', 'Pause', 'Next', 'Favorite', 'Queue'])
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Shift+Tab')
    await expect(positionSlider).toBeFocused()
    const timeBefore = await readTime()
    await page.keyboard.press('PageUp')
    await expect.poll(readTime).toBeGreaterThan(timeBefore + 10)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(locatePlayerButton(page, 'Play')).toBeFocused()
  })

  await test.step('the paused dock shows the progress line and the heart, and the title takes the place of the time', async () => {
    await expect(positionSlider).toBeVisible()
    for (const viewportWidth of [320, 390]) {
      await page.setViewportSize({ width: viewportWidth, height: 640 })
      await expect.poll(async () => (await positionSlider.boundingBox())?.width).toBeGreaterThan(viewportWidth - 10)
      await expectInOneRow(playerRegion(page), ['Play', 'Next', 'Favorite', 'Queue'])
      const title = playerRegion(page).getByRole('link', { name: 'Señorita Über Café' })
      expect((await title.boundingBox())?.width).toBeGreaterThan(viewportWidth === 320 ? 100 : 170)
    }
  })

  await test.step('the smallest phone has the time beside the heart, and all three buttons of the transport', async () => {
    await locatePlayerButton(page, 'Play').tap()
    await page.setViewportSize({ width: 320, height: 640 })
    await expect(locatePlayerButton(page, 'Pause')).toBeVisible()
    await expectInOneRow(playerRegion(page), ['Favorite', 'Queue'], [playerRegion(page).getByText(/^\d:\d\d$/)])
    await expect(locatePlayerButton(page, 'Previous')).toBeVisible()
    await expect(locatePlayerButton(page, 'Next')).toBeVisible()
    await expect(positionSlider).toBeVisible()
  })

  await test.step('a phone on its side has a low bar and a small video, and shuffle and loop', async () => {
    await page.setViewportSize({ width: 844, height: 390 })
    for (const name of ['Shuffle', 'Previous', 'Next', 'Loop', 'Favorite', 'Queue'])
      await expect(locatePlayerButton(page, name)).toBeVisible()
    expect((await playerRegion(page).boundingBox())?.height).toBeLessThan(80)
    expect(await page.locator('iframe').boundingBox()).toMatchObject({ width: 200, height: 200 })
  })

  await test.step('on a tablet on its side, the dock also has the volume', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    for (const name of ['Shuffle', 'Loop', 'Mute']) await expect(locatePlayerButton(page, name)).toBeVisible()
  })

  await test.step('on a desktop, the dock also has volume, shuffle and loop', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const name of ['Shuffle', 'Loop', 'Mute', 'Favorite', 'Queue']) await expect(locatePlayerButton(page, name)).toBeVisible()
    await expect(playerRegion(page).getByRole('slider', { name: 'Volume' })).toBeVisible()
    await expect(playerRegion(page).getByText(/^\d:\d\d$/)).toBeVisible()
  })
})
