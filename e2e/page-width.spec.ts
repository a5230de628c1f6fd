import type { Locator, Page } from '@playwright/test'
import { pagePaths, pages, type Page as TablePage } from '../contract/pages.ts'
import { catalogueIds } from './catalogue.ts'
import { fetchIdToken } from './favorites-steps.ts'
import { brands, expect, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { createSubscriber, locateMakerButton } from './maker-steps.ts'
import { createOwnPlaylists, shareOwnPlaylist } from './own-playlist-steps.ts'
import { addRecentPlays } from './recent-plays.ts'
import { fetchApi, followLink, locatePlayerButton, mainRegion, openSong, pageHeading, waitForHydration } from './steps.ts'

// On touch screens the text of fields is larger.
test.use({ hasTouch: true })

const LONG_WORD = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft'

/** Returns the address of each page of the main site. The addresses of playlists, songs and the search page select titles with long words. */
const listAddresses = (ownPlaylistId: string, shareToken: string) =>
  pagePaths.flatMap((routePath) => {
    const page: TablePage = pages[routePath]
    if (page.planned) return []
    const queryByRoute: Partial<Record<typeof routePath, string>> = {
      '/playlist': `?p=${catalogueIds.hostilePlaylist}`,
      '/list': `?l=${shareToken}`,
      '/song': `?s=${catalogueIds.hostile}&p=${catalogueIds.hostilePlaylist}`,
      '/search': `?q=${LONG_WORD}`,
    }
    const address = `${routePath}${queryByRoute[routePath] ?? ''}`
    return routePath === '/playlist' ? [`/playlist?p=my-${ownPlaylistId}`, address] : [address]
  })

/** Window sizes in CSS pixels, each with the text size as a multiple of the default. */
const windowSizes = [
  { width: 320, height: 640, textScale: 1 },
  { width: 390, height: 844, textScale: 2 },
  { width: 1280, height: 800, textScale: 2 },
]

/**
 * Describes the page if it is wider than the window, and each element whose end can be neither seen nor reached by scrolling. Waits for two frames,
 * because the video follows its placeholder one frame later.
 */
const findTooWideElements = (page: Page) =>
  page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
    const clipsContent = (element: Element | null): boolean =>
      element !== null &&
      element !== document.body &&
      (getComputedStyle(element).overflowX !== 'visible' || clipsContent(element.parentElement))
    const tooWideElements = [...document.querySelectorAll('a, button, input, select, h1, h2, h3, p, li, dt, dd, label, summary')].filter(
      (element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 1 && (right > innerWidth + 1 || left < -1) && element.checkVisibility() && !clipsContent(element.parentElement)
      },
    )
    const pageWidth = document.documentElement.scrollWidth
    return [
      ...(pageWidth > innerWidth ? [`the page: ${pageWidth} px`] : []),
      ...tooWideElements.map(
        (element) => `${element.tagName} ${element.textContent?.slice(0, 40)}: ${element.getBoundingClientRect().right} px`,
      ),
    ]
  })

for (const brand of brands) {
  test(`width, ${brand.name}: no page is wider than its window at 320 px or with text of twice the size, while a song plays`, {
    tag: '@long',
  }, async ({ page, testCatalogueSite, platform }) => {
    const origin = testCatalogueSite.origin(brand.subdomain)
    const credentials = await createSubscriber(testCatalogueSite)
    await signInByRequest(page, testCatalogueSite.origin(), credentials, origin)
    const idToken = await fetchIdToken(testCatalogueSite, credentials)
    const playlists = ['A', 'B'].map((name) => ({ title: `${name} ${LONG_WORD}`, songIds: [catalogueIds.hostile, catalogueIds.accented] }))
    const [playlistId = ''] = await createOwnPlaylists(testCatalogueSite.origin(), idToken, playlists)
    const shareToken = await shareOwnPlaylist(testCatalogueSite.origin(), idToken, playlistId, true)
    const listUrls = listAddresses(playlistId, shareToken)
    await openSong(page, platform, origin, catalogueIds.hostile, catalogueIds.hostilePlaylist)
    await waitForHydration(page)
    const wideElementsByUrl: Record<string, string[]> = {}
    for (const pageUrl of listUrls) {
      const titleBefore = await page.title()
      await followLink(page, pageUrl)
      await expect(page).toHaveURL(`${origin}${pageUrl}`)
      // The title changes once the new page is rendered.
      await expect.poll(() => page.title()).not.toBe(titleBefore)
      await expect(pageHeading(page)).toHaveCount(1)
      await page.waitForLoadState('networkidle')
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      if (pageUrl === '/account/maker') await locateMakerButton(page, 'Download as WAV').waitFor()
      for (const { textScale, ...windowSize } of windowSizes) {
        await page.setViewportSize(windowSize)
        await page.evaluate((scale) => document.documentElement.style.setProperty('font-size', `${scale * 100}%`), textScale)
        const tooWide = await findTooWideElements(page)
        if (tooWide.length > 0) wideElementsByUrl[`${pageUrl} at ${windowSize.width} px, text × ${textScale}`] = tooWide
      }
    }
    expect(wideElementsByUrl).toEqual({})
  })
}

test('width: the dialogs of own playlists are not wider than their window, at 320 px or with text of twice the size', {
  tag: '@long',
}, async ({ page, testCatalogueSite }) => {
  const origin = testCatalogueSite.origin()
  const credentials = createCredentials()
  await signUpByRequest(origin, credentials)
  const songIds = [catalogueIds.hostile, catalogueIds.accented]
  const playlistTitles = ['A', 'B'].map((name) => `${name} ${LONG_WORD}`)
  const idToken = await fetchIdToken(testCatalogueSite, credentials)
  const [playlistId = ''] = await createOwnPlaylists(
    origin,
    idToken,
    playlistTitles.map((title) => ({ title, songIds })),
  )
  await signInByRequest(page, origin, credentials)
  await openHydratedPage(page, `${origin}/playlists`)
  await expect(mainRegion(page).getByRole('list', { name: 'Your playlists' }).getByRole('listitem')).toHaveCount(2)
  const wideElements: Record<string, string[]> = {}
  const checkDialog = async (dialogTitle: string, actInDialog: (dialog: Locator) => Promise<void> = async () => {}) => {
    const dialog = page.getByRole('dialog', { name: dialogTitle })
    await expect(dialog).toBeVisible()
    await actInDialog(dialog)
    for (const { textScale, ...windowSize } of windowSizes) {
      await page.setViewportSize(windowSize)
      await page.evaluate((scale) => document.documentElement.style.setProperty('font-size', `${scale * 100}%`), textScale)
      const tooWideElements = await findTooWideElements(page)
      const overflow = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)
      if (tooWideElements.length > 0 || overflow > 0)
        wideElements[`${dialogTitle} at ${windowSize.width} px, text × ${textScale}`] = [...tooWideElements, `${overflow} px`]
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  const selectInMenu = async (menuSubject: string, itemName: string) => {
    await mainRegion(page)
      .getByRole('button', { name: `More: ${menuSubject}` })
      .press('Enter')
    await page.getByRole('menuitem', { name: itemName }).press('Enter')
  }
  await mainRegion(page).getByRole('button', { name: 'New playlist' }).press('Enter')
  await checkDialog('New playlist')
  await mainRegion(page).getByRole('button', { name: 'Import' }).press('Enter')
  await checkDialog('Import playlists', async (dialog) => {
    const csv = `Video ID,Playlist Video Creation Timestamp\n${catalogueIds.accented},2025-11-01T10:00:00+00:00\nzzzzzzzz-_0,2025-11-01T10:00:00+00:00\n`
    await dialog.getByLabel('File').setInputFiles({ name: `${LONG_WORD}-videos.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await dialog.getByText('1 song not found', { exact: true }).click()
  })
  await selectInMenu('Your playlists', 'Merge playlists')
  await checkDialog('Merge playlists', async (dialog) => {
    for (const title of playlistTitles) await dialog.getByLabel(title).check()
  })
  await followLink(page, `/playlist?p=my-${playlistId}`)
  await expect(pageHeading(page)).toHaveText(playlistTitles[0] ?? '')
  await selectInMenu(playlistTitles[0] ?? '', 'Name and description')
  await checkDialog('Name and description')
  await selectInMenu(playlistTitles[0] ?? '', 'Share')
  await checkDialog('Share', async (dialog) => {
    await dialog.getByRole('button', { name: 'Make a link' }).click()
    await expect(dialog.getByRole('button', { name: 'Stop sharing' })).toBeVisible()
  })
  await selectInMenu(playlistTitles[0] ?? '', 'Delete')
  await expect(pageHeading(page)).toHaveText('Playlists')
  await selectInMenu('Your playlists', 'Deleted playlists')
  await checkDialog('Deleted playlists', (dialog) => expect(dialog).toContainText('can be restored until'))
  expect(wideElements).toEqual({})
})

for (const brand of brands) {
  test(`width, ${brand.name}: a history, the search box, the queue and the radio in the dock are not wider than their window at 320 px or with text of twice the size`, {
    tag: '@long',
  }, async ({ page, site, platform }) => {
    const origin = site.origin(brand.subdomain)
    const wideElements: Record<string, string[]> = {}
    const checkWindowSizes = async (stateName: string) => {
      for (const { textScale, ...windowSize } of windowSizes) {
        await page.setViewportSize(windowSize)
        await page.evaluate((scale) => document.documentElement.style.setProperty('font-size', `${scale * 100}%`), textScale)
        const tooWide = await findTooWideElements(page)
        if (tooWide.length > 0) wideElements[`${stateName} at ${windowSize.width} px, text × ${textScale}`] = tooWide
      }
    }
    const [playlist] = await fetchApi(site, 'GET /playlist/all')
    const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
    await page.goto(origin)
    await addRecentPlays(page, songs.slice(0, 4))
    await checkWindowSizes('a history')
    await followLink(page, '/recent')
    await expect(mainRegion(page).getByRole('list', { name: 'Recently played' })).toBeVisible()
    await checkWindowSizes('the recently played songs')
    await followLink(page, '/year')
    await expect(mainRegion(page).getByRole('list', { name: 'Songs' })).toBeVisible()
    await checkWindowSizes('a year')
    await page.goto(origin)
    await mainRegion(page).getByRole('heading', { name: 'Radio', exact: true }).scrollIntoViewIfNeeded()
    await mainRegion(page).getByRole('button', { name: 'Play the radio' }).click()
    await mainRegion(page).locator('a[href="/playlists"]').first().click()
    await expect(page.getByRole('region', { name: 'Radio', exact: true })).toContainText('On air')
    await checkWindowSizes('the radio in the dock')
    await openSong(page, platform, origin, songs[0]?.youtube_id ?? '', playlist?.id)
    await waitForHydration(page)
    await followLink(page, '/search')
    await expect(pageHeading(page)).toHaveText('Search')
    await locatePlayerButton(page, 'Queue').click()
    await expect(page.getByRole('dialog', { name: 'Queue' })).toBeVisible()
    await checkWindowSizes('the queue above the begin of a search')
    expect(wideElements).toEqual({})
  })
}

test('width: the websites of a subscriber and the list of members are not wider than their window, at 320 px or with text of twice the size', {
  tag: '@long',
}, async ({ page, site }) => {
  for (const pageUrl of [site.origin('aria'), site.origin('aria.slowedreverb'), `${site.origin('slowedreverb')}/members`]) {
    await page.goto(pageUrl)
    await waitForHydration(page)
    for (const { textScale, ...windowSize } of windowSizes) {
      await page.setViewportSize(windowSize)
      await page.evaluate((scale) => document.documentElement.style.setProperty('font-size', `${scale * 100}%`), textScale)
      expect(await findTooWideElements(page), `${pageUrl} at ${windowSize.width} px, text × ${textScale}`).toEqual([])
    }
  }
})
