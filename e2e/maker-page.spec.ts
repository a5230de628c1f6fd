import type { Locator } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, signUpByRequest, submitLogIn } from './identity/steps.ts'
import { createToneFile, loadAudioFile, locateMakerButton, locateMakerSlider, openMaker, setSlider } from './maker-steps.ts'
import { mainRegion, waitForHydration } from './steps.ts'

test('maker: the controls of the editor are visible without scrolling, and the account menu is below them; dragging over the waveform sets the loop', {
  tag: '@long',
}, async ({ page, site }) => {
  const expectInView = (locator: Locator) => expect(locator.locator('visible=true').first()).toBeInViewport({ ratio: 1 })
  const expectButtonsInView = async () => {
    for (const name of ['Pause', 'A Original', 'B Edited', 'Download as WAV']) await expectInView(locateMakerButton(page, name))
    await expectInView(mainRegion(page).getByText('1.25×'))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await openMaker(page, site)
  await loadAudioFile(page, createToneFile('reach.wav', { seconds: 20 }))
  await test.step('on a desktop, all controls are visible', async () => {
    await expectNoViolation(page, 'the editor')
    await expectButtonsInView()
    for (const name of ['Speed', 'Pitch', 'Reverb size', 'Reverb amount', 'Bass']) await expectInView(locateMakerSlider(page, name))
  })
  await test.step('the reverb explains why the file is longer than the song', async () => {
    await expect(mainRegion(page)).not.toContainText('reverb tail')
    await setSlider(page, 'Reverb amount', 40)
    await expect(mainRegion(page)).toContainText(/The length includes a reverb tail of \d\.\d\ss\./)
  })
  const waveRegion = mainRegion(page).getByRole('region', { name: 'Waveform' })
  const dragOverWave = async (fromFraction: number, toFraction: number) => {
    const sliderBox = await locateMakerSlider(page, 'Position').boundingBox()
    if (!sliderBox) throw new Error('The waveform is not shown')
    await page.mouse.move(sliderBox.x + fromFraction * sliderBox.width, sliderBox.y + sliderBox.height / 3)
    await page.mouse.down()
    await page.mouse.move(sliderBox.x + toFraction * sliderBox.width, sliderBox.y + sliderBox.height / 3, { steps: 5 })
  }
  const readLoopEnds = async () =>
    Promise.all(['Loop start', 'Loop end'].map(async (name) => Number(await locateMakerSlider(page, name).getAttribute('aria-valuenow'))))
  await test.step('a drag sets the loop, and Escape cancels a drag', async () => {
    await expect(waveRegion.getByText('Drag to loop a part')).toBeVisible()
    await dragOverWave(0.75, 0.25)
    await page.mouse.up()
    const [startS = 0, endS = 0] = await readLoopEnds()
    expect(startS).toBeCloseTo(5, 0)
    expect(endS).toBeCloseTo(15, 0)
    await expect(waveRegion.getByText('Drag to loop a part')).toBeHidden()
    await dragOverWave(0.4, 0.6)
    expect(await readLoopEnds()).not.toEqual([startS, endS])
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await readLoopEnds()).toEqual([startS, endS])
  })
  await test.step('on a phone, the buttons are visible', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate(() => scrollTo(0, 0))
    await expectButtonsInView()
    await expectNoViolation(page, 'the editor on a phone')
  })
  const menuTop = (await mainRegion(page).getByRole('navigation', { name: 'Account' }).boundingBox())?.y ?? 0
  expect(menuTop).toBeGreaterThan((await waveRegion.boundingBox())?.y ?? 0)
  await expect(mainRegion(page).getByRole('button', { name: 'Play Favorites' })).toBeAttached()
})

test('maker: an anonymous visitor is redirected to the login and back; without a subscription the page says why the maker is locked, and plays a sample', {
  tag: '@long',
}, async ({ page, site }) => {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await page.goto(`${site.origin()}/account/maker`)
  await expect(page).toHaveURL(/\/login/)
  await waitForHydration(page)
  await submitLogIn(page, credentials)
  await expect(page).toHaveURL(/\/account\/maker$/)
  await expect(
    mainRegion(page).getByText(
      'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.',
    ),
  ).toBeVisible()
  await expect(mainRegion(page).getByRole('link', { name: 'Subscribe' })).toHaveAttribute('href', '/subscribe')
  await test.step('a sample is loaded with the first press, and plays with the chosen preset', async () => {
    const sampleRegion = mainRegion(page).getByRole('region', { name: 'Hear what it does' })
    const locatePresetButton = (name: string) => sampleRegion.getByRole('button', { name: new RegExp(`^${name} \\d`) })
    await expect(locatePresetButton('Slowed')).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(page.workers()).toHaveLength(0)
    // Requests that synchronise the account are small.
    const bodySizesBytes: number[] = []
    page.on('request', (request) => bodySizesBytes.push(request.postDataBuffer()?.byteLength ?? 0))
    await locatePresetButton('Nightcore').click()
    await expect(locatePresetButton('Nightcore')).toHaveAttribute('aria-pressed', 'true')
    await expectNoViolation(page, 'the locked page while the sample plays')
    await locatePresetButton('Slowed').click()
    await expect(locatePresetButton('Slowed')).toHaveAttribute('aria-pressed', 'true')
    await expect(locatePresetButton('Nightcore')).toHaveAttribute('aria-pressed', 'false')
    await locatePresetButton('Slowed').click()
    await expect(locatePresetButton('Slowed')).toHaveAttribute('aria-pressed', 'false')
    expect(Math.max(0, ...bodySizesBytes)).toBeLessThan(1000)
    await expect(mainRegion(page).getByRole('button', { name: /Download|Open a file/ })).toHaveCount(0)
  })
})
