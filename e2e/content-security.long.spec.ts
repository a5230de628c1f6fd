import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { endpoints } from '../contract/endpoints.ts'
import { ATOM_PATH } from '../contract/news.ts'
import { locateFavoriteButtons } from './favorites-steps.ts'
import { brands, expect, stoppedServerErrors, test } from './fixtures.ts'
import { createCredentials, locateButton, locateField, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { createSubscriber, createToneFile, downloadExport, loadAudioFile, locateMakerButton, setSlider } from './maker-steps.ts'
import { waitForServiceWorker } from './profile.ts'
import { createRadioOrigin, locateRadioButton } from './radio-steps.ts'
import { checkForUpdate, locateUpdateButton, makeSecondBuild, readBuildName, SECOND_BUILD_NAME } from './second-build.ts'
import { listPagePaths } from './site-paths.ts'
import type { VideoPlatform } from './stand-ins/video-platform.ts'
import {
  expectPlaying,
  fetchApi,
  locatePlayerButton,
  locatePlaylistLinks,
  locateSearchBox,
  mainNavigation,
  mainRegion,
  openSong,
  pageHeading,
  playerRegion,
  postSharedFile,
} from './steps.ts'
import { startViolationReportingSite, VIOLATION_REPORT_PATH, type ViolationReportingSite } from './violation-reporting-site.ts'

// No use of the site violates its content security policy. The browser reports violations in documents and workers to the site. In
// addition, listeners report violations in documents to the console, where the fixture `faults` accepts no error, and violations in workers
// to the site.

const createListenerScript = (send: string) =>
  `addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => ${send})`
const DOCUMENT_LISTENER_SCRIPT = createListenerScript("console.error('violation:', effectiveDirective, blockedURI, sourceFile)")
const WORKER_LISTENER_SCRIPT = createListenerScript(`fetch('${VIOLATION_REPORT_PATH}', {
  method: 'POST',
  body: JSON.stringify({
    'csp-report': { 'effective-directive': effectiveDirective, 'blocked-uri': blockedURI, 'source-file': sourceFile, 'document-uri': 'an event' },
  }),
})`)
const WORKER_SCRIPTS = /^\/(sw|assets\/[\w-]*worker[\w-]*)\.js$/

async function startWatchedSite(env: Record<string, string> = {}): Promise<ViolationReportingSite> {
  const site = await startViolationReportingSite({ RATE_LIMIT_SIGNUP: '1000', ...env })
  site.plantScriptCode(WORKER_SCRIPTS, WORKER_LISTENER_SCRIPT)
  return site
}

/**
 * Matches violations by Chromium's own inline styles, with which it displays XML and pictures. The content security policy of such files
 * refuses them.
 */
const VIEWER_STYLE_VIOLATION = /^style-src-(elem|attr) blocks inline {2}of undefined in /

test.use({ serviceWorkers: 'allow', actionTimeout: 30_000 })
test.beforeEach(({ context }) => context.addInitScript(DOCUMENT_LISTENER_SCRIPT))

let site: ViolationReportingSite
test.beforeAll(async () => {
  site = await startWatchedSite()
})
test.afterAll(() => site.stop())
test.beforeEach(() => {
  site.violations.length = 0
})

async function openPage(page: Page, url: string) {
  await openHydratedPage(page, url)
  await expect(pageHeading(page).first()).toBeVisible()
  // Waits for the parts of the page that are loaded after its first rendering.
  await page.waitForLoadState('networkidle')
}

for (const brand of brands) {
  for (const visitorRole of ['visitor', 'user', 'subscriber'] as const) {
    test.describe(() => {
      // Without a service worker, every document comes from the server.
      test.use({ serviceWorkers: visitorRole === 'visitor' ? 'block' : 'allow' })
      test(`policy, ${brand.name}: no page of any host violates the content security policy, for the role ${visitorRole}`, async ({
        page,
        platform: _,
        faults,
      }) => {
        test.setTimeout(900_000)
        faults.expect(/status of 4\d\d/)
        const origin = site.origin(brand.subdomain)
        if (visitorRole !== 'visitor') {
          await page.goto(origin)
          await waitForServiceWorker(page)
          const credentials = visitorRole === 'subscriber' ? await createSubscriber(site) : createCredentials()
          if (visitorRole === 'user') await signUpByRequest(site.origin(), credentials)
          await signInByRequest(page, site.origin(), credentials, origin)
        }
        const createHostOrigin = (name: string) => origin.replace('//', `//${name}.`)
        const pageUrls = (await listPagePaths(page, site, origin)).map((path) => origin + path)
        for (const url of [...pageUrls, createRadioOrigin(site, brand), createHostOrigin('aria'), `${createHostOrigin('aria')}/nothing`])
          await test.step(url, () => openPage(page, url))
        expect(site.violations).toEqual([])
      })
    })
  }
}

test('policy: no feed, picture, file of the site, API response or documentation violates the content security policy when a browser displays it', async ({
  page,
  faults,
}) => {
  test.setTimeout(300_000)
  faults.expect(/status of [45]\d\d|Applying inline style|violation: style-src-\w+ inline/)
  await page.goto(site.origin())
  const assetUrls = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[rel="stylesheet"]')].map((each) =>
      'src' in each ? each.src : each.href,
    ),
  )
  const apiPaths = Object.keys(endpoints).flatMap((key) => (key.startsWith('GET ') ? [`/api${key.slice('GET '.length)}`] : []))
  const pagePaths = [
    ...[
      '/robots.txt',
      '/sitemap.xml',
      '/sitemaps/pages.xml',
      '/sitemaps/songs-1.xml',
      ATOM_PATH,
      '/manifest.webmanifest',
      '/sw.js',
      '/healthz',
    ],
    ...['/icon.svg', '/favicon.ico', '/apple-touch-icon.png', '/img/og/site.jpg', '/img/playlist/none/640', '/api/docs', '/api/docs/json'],
    ...['/api/no-such-endpoint', '/assets/no-such-file.js', '/shell'],
  ]
  expect(assetUrls.length).toBeGreaterThan(0)
  for (const url of [...assetUrls, ...[...pagePaths, ...apiPaths].map((path) => site.origin() + path)])
    await test.step(url, async () => {
      // A browser downloads a file that it cannot display.
      await page.goto(url).catch((error: unknown) => expect(String(error)).toMatch(/Download is starting|ERR_ABORTED/))
      await page.waitForLoadState('networkidle')
    })
  expect(site.violations.filter((each) => !VIEWER_STYLE_VIOLATION.test(each))).toEqual([])
})

for (const brand of brands)
  test(`policy, ${brand.name}: menus, search, videos, radio, favorites, forms, maker and conversion do not violate the content security policy`, async ({
    page,
    platform,
    faults,
  }) => {
    test.setTimeout(900_000)
    faults.expect(/status of 40[014]/)
    const origin = site.origin(brand.subdomain)
    await page.goto(origin)
    await waitForServiceWorker(page)
    await signInByRequest(page, site.origin(), await createSubscriber(site), origin)
    await test.step('the policy allows menus and search', () => exerciseMenus(page, origin))
    await test.step('the policy allows a playlist, a song and its dialogs', () => playSong(page, platform, origin))
    await test.step('the policy allows forms', () => exerciseForms(page, origin))
    await test.step('the policy allows the maker', () => exerciseMaker(page, origin))
    await test.step('the policy allows the conversion on the server', () => convertFile(page, origin))
    await test.step('the policy allows the website of a subscriber', async () => {
      await openPage(page, origin.replace('//', '//aria.'))
      await mainRegion(page)
        .getByRole('button', { name: /^Play / })
        .first()
        .click()
      await expect(page.getByRole('button', { name: 'Close the video' })).toBeVisible()
    })
    await test.step('the policy allows the radio', async () => {
      await openPage(page, createRadioOrigin(site, brand))
      await locateRadioButton(page, 'Play').click()
      await expect.poll(() => platform.readState(page).then((state) => state?.state)).toBe(1)
    })
    expect(platform.requests.some((url) => url.includes('/s/player/'))).toBe(true)
    expect(site.violations).toEqual([])
  })

async function exerciseMenus(page: Page, origin: string) {
  await openPage(page, origin)
  for (const name of ['Explore', 'Community', 'Search']) await mainNavigation(page).getByRole('button', { name }).click()
  await locateSearchBox(page).fill('love')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(`${origin}/`)
  await openPage(page, `${origin}/members`)
  await mainRegion(page).getByRole('list', { name: 'Members' }).getByRole('button').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 800 })
}

async function playSong(page: Page, platform: VideoPlatform, origin: string) {
  const [playlist] = await fetchApi(site, 'GET /playlist/all')
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const songId = songs[0]?.youtube_id ?? ''
  await openPage(page, `${origin}/playlist?p=${playlist?.id}`)
  await locateFavoriteButtons(page).first().click()
  await expect(page.getByText('Added to your favorites').first()).toBeVisible()
  await page.getByRole('button', { name: /^Keep offline/ }).click()
  await openSong(page, platform, origin, songId, playlist?.id)
  const positionSlider = playerRegion(page).getByRole('slider', { name: 'Position' })
  await positionSlider.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('PageDown')
  await expect.poll(async () => (await platform.readState(page))?.time ?? 0).toBeGreaterThan(100)
  await expectPlaying(page, platform, songId)
  for (const dialogName of ['Report', 'Sleep timer']) {
    await mainRegion(page).getByRole('button', { name: dialogName }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  // Only touch screens show the share button that is pressed next. Without a share sheet, the button copies the link; if copying is refused, the page
  // shows the link.
  await page.evaluate(() => {
    Object.assign(navigator, { share: undefined })
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
  })
  await mainRegion(page)
    .getByRole('button', { name: 'Share', includeHidden: true })
    .first()
    .evaluate((button: HTMLElement) => button.click())
  await expect(page.getByRole('dialog', { name: 'Copy link' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await mainNavigation(page).getByRole('link').first().click()
  await locatePlayerButton(page, 'Queue').click()
  await expect(page.getByRole('list', { name: 'Queue' })).toBeVisible()
}

async function exerciseForms(page: Page, origin: string) {
  await openPage(page, `${origin}/get-in-touch?topic=apply-member`)
  await locateField(page, 'Email').fill('someone@example.org')
  await locateField(page, 'Discord').fill('someone')
  await locateField(page, 'YouTube URL').fill('https://www.youtube.com/@someone')
  await locateField(page, 'Message').fill('Hello')
  await locateButton(page, 'Send').click()
  await expect(mainRegion(page).getByText('Your request has been sent successfully!')).toBeVisible()
  await openPage(page, `${origin}/account/website`)
  await locateField(page, 'Domain name').fill(`mika${Date.now() % 1_000_000}`)
  await locateButton(page, 'Activate').click()
  await expect(mainRegion(page).getByText('Your site has been activated!')).toBeVisible()
  await openPage(page, `${origin}/account/promotion`)
  await locateField(page, 'YouTube channel').fill('https://www.youtube.com/@mika')
  await locateField(page, 'What to share').fill('https://youtu.be/dQw4w9WgXcQ')
  await locateButton(page, 'Save').click()
  await expect(mainRegion(page).getByText('Your channel promotion has been saved!')).toBeVisible()
  await openPage(page, `${origin}/account/artwork`)
  await locateField(page, 'Channel URL').fill('https://www.youtube.com/@mika')
  await locateField(page, 'What do you want?').fill('A banner in red')
  await locateField(page, 'Discord name').fill('mika')
  await locateButton(page, 'Send').click()
  await expect(mainRegion(page).getByText('Your request has been sent!')).toBeVisible()
  await openPage(page, `${origin}/account`)
  await locateButton(page, 'Delete account').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
}

async function exerciseMaker(page: Page, origin: string) {
  await openPage(page, `${origin}/account/maker`)
  await loadAudioFile(page, createToneFile('tone.wav'))
  // The maker plays a song as soon as its file is loaded.
  await expect(locateMakerButton(page, 'Pause')).toBeVisible()
  await setSlider(page, 'Speed', 1.5)
  await setSlider(page, 'Reverb amount', 40)
  await locateMakerButton(page, 'Pause').click()
  await downloadExport(page)
  await downloadExport(page, 'MP3, 320 kbps')
  const { name, buffer } = createToneFile('shared.wav')
  await postSharedFile(page, name, buffer)
  await expect(mainRegion(page).or(page.getByRole('dialog')).getByText('shared.wav').first()).toBeVisible()
}

async function convertFile(page: Page, origin: string) {
  await openPage(page, `${origin}/account/make`)
  await locateField(page, 'Song').setInputFiles(createToneFile('tone.wav'))
  await locateButton(page, 'Convert').click()
  await expect(mainRegion(page).getByText('Your song has been converted!')).toBeVisible({ timeout: 60_000 })
  const downloadStarted = page.waitForEvent('download')
  await mainRegion(page).getByRole('link', { name: 'Click here to download your song!' }).click()
  expect((await downloadStarted).suggestedFilename()).toMatch(/^tone .*\.mp3$/)
}

test('policy: an update of the service worker does not violate the content security policy', async ({ page, faults }) => {
  test.setTimeout(300_000)
  faults.expect(stoppedServerErrors)
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-policy-'))
  const updatedSite = await startWatchedSite({ DATA_DIR: dataDir })
  try {
    const secondBuild = await makeSecondBuild()
    await page.goto(`${updatedSite.origin()}/playlists`)
    await waitForServiceWorker(page)
    await updatedSite.restart(secondBuild)
    await checkForUpdate(page)
    await locateUpdateButton(page).click()
    await expect.poll(() => readBuildName(page).catch(() => 'reloading')).toBe(SECOND_BUILD_NAME)
    await locatePlaylistLinks(page).first().click()
    await expect(locateFavoriteButtons(page).first()).toBeVisible()
    expect(updatedSite.violations).toEqual([])
  } finally {
    await updatedSite.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('share target: a link of another site opens the maker; a file posted by a form of another site is not stored; a file posted without origin and referrer, as by the operating system, is stored', async ({
  page,
  faults,
}) => {
  const makerUrl = `${site.origin()}/account/maker`
  const otherSite = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html').setHeader('referrer-policy', url.slice(1))
    response.end(`<title>Other</title><a href="${makerUrl}">link</a><form method="post" enctype="multipart/form-data" action="${makerUrl}">
      <input type="file" name="file"><button>share</button></form>`)
  }).listen(0, '127.0.0.1')
  await once(otherSite, 'listening')
  const otherOrigin = `http://127.0.0.1:${(otherSite.address() as AddressInfo).port}`
  faults.expect(/favicon\.ico/)
  const shareFileFromOtherSite = async (referrerPolicy: string) => {
    await page.goto(`${otherOrigin}/${referrerPolicy}`)
    await page.locator('input').setInputFiles(createToneFile('other.wav', { seconds: 1 }))
    await page.locator('button').click()
    await expect(pageHeading(page)).toHaveText('Log in')
    return page.evaluate(async () => (await caches.match('/received-file'))?.headers.get('x-file-name'))
  }
  try {
    // No service worker is active yet, so the server answers the form, and stores no file.
    expect(await shareFileFromOtherSite('unsafe-url')).toBeUndefined()
    await waitForServiceWorker(page)
    expect(await shareFileFromOtherSite('unsafe-url')).toBeUndefined()
    expect(await shareFileFromOtherSite('no-referrer')).toBe('other.wav')
    await signInByRequest(page, site.origin(), await createSubscriber(site))
    await page.goto(`${otherOrigin}/unsafe-url`)
    await page.getByRole('link').click()
    await expect(pageHeading(page)).toHaveText('Maker')
    await expect(mainRegion(page)).toContainText('other.wav')
    expect(site.violations).toEqual([])
  } finally {
    otherSite.close()
    otherSite.closeAllConnections()
  }
})

test('policy: the tests notice a violation in a page, in a worker and in the service worker', async ({ page, faults }) => {
  test.setTimeout(180_000)
  faults.expect(/violation|TrustedScript/)
  const plantedSite = await startWatchedSite()
  const documentViolations: string[] = []
  page.on('console', (message) => {
    if (message.text().startsWith('violation:')) documentViolations.push(message.text())
  })
  try {
    plantedSite.plantScriptCode(/^\/(sw|assets\/[\w-]+)\.js$/, "setTimeout(() => { try { eval('1') } catch {} })")
    await page.goto(plantedSite.origin())
    await waitForServiceWorker(page)
    await signInByRequest(page, plantedSite.origin(), await createSubscriber(plantedSite))
    await openHydratedPage(page, `${plantedSite.origin()}/account/maker`)
    await loadAudioFile(page, createToneFile('tone.wav'))
    for (const scriptPattern of [/\/sw\.js/, /decode-worker/, /render-worker/]) {
      const listReports = () => plantedSite.violations.filter((each) => scriptPattern.test(each))
      await expect.poll(() => listReports().some((each) => each.includes('an event'))).toBe(true)
      await expect.poll(() => listReports().some((each) => !each.includes('an event'))).toBe(true)
    }
    await expect.poll(() => plantedSite.violations.some((each) => each.endsWith('/account/maker'))).toBe(true)
    expect(documentViolations).not.toEqual([])
  } finally {
    await plantedSite.stop()
  }
})
