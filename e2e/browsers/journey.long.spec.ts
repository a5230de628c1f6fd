import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startSite } from '../server.ts'
import { startViolationReportingSite } from '../violation-reporting-site.ts'
import { openChromium } from './chromium-page.ts'
import { hasFirefox, openFirefox } from './firefox.ts'
import { exportWithPresets, logIn, playVideoAndRadio, runJourney, runPrivateJourney, withPage, writeNoiseFile } from './journey.ts'
import { hasWebKit, openWebKit } from './webkit.ts'

let workFolder = ''
let audioPath = ''
let chromiumHashesByPreset: Record<string, string> = {}

test.beforeAll(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'varispeed-browsers-'))
  audioPath = await writeNoiseFile(workFolder)
  const site = await startSite()
  try {
    chromiumHashesByPreset = await withPage(openChromium, async (page) => {
      await logIn(page, site)
      return exportWithPresets(page, site.origin(), audioPath)
    })
  } finally {
    await site.stop()
  }
})
test.afterAll(() => rm(workFolder, { recursive: true, force: true }))

const WEBKIT_PACKAGES = 'webkit2gtk-driver xvfb gstreamer1.0-libav'
const testedBrowsers = [
  { name: 'Firefox', isInstalled: hasFirefox, openPage: openFirefox, isSecure: false, packages: 'firefox-esr' },
  // WebKit is tested with TLS, because without TLS it keeps pages that were left in its back/forward cache, with their open database
  // transactions.
  { name: 'WebKit', isInstalled: hasWebKit, openPage: openWebKit, isSecure: true, packages: WEBKIT_PACKAGES },
]

for (const { name, isInstalled, openPage, isSecure, packages } of testedBrowsers) {
  test(`${name}: a song plays, a favorite is added, the maker exports the same bytes as in Chromium, the server converts, and the site opens offline`, async () => {
    test.skip(!isInstalled(), `${name} is not installed: apt-get install ${packages}`)
    test.setTimeout(600_000)
    const site = await startViolationReportingSite({}, { isSecure })
    try {
      await withPage(openPage, (page) => runJourney(page, site, audioPath, chromiumHashesByPreset))
      expect(site.violations).toEqual([])
    } finally {
      await site.stop()
    }
  })

  test(`${name}: the website of a subscriber plays a video, and the radio plays`, async () => {
    test.skip(!isInstalled(), `${name} is not installed: apt-get install ${packages}`)
    test.setTimeout(600_000)
    const site = await startViolationReportingSite({}, { isSecure })
    try {
      // This test opens a page in a separate browser, because an automated WebKit stores caches only in memory, and loses those of a host
      // when it visits another host.
      await withPage(openPage, (page) => playVideoAndRadio(page, site))
      expect(site.violations).toEqual([])
    } finally {
      await site.stop()
    }
  })
}

test('Firefox, private window: a page opens again from the service worker, a favorite is added, and nothing fails', async () => {
  test.skip(!hasFirefox(), 'Firefox is not installed: apt-get install firefox-esr')
  test.setTimeout(600_000)
  const site = await startSite()
  try {
    await withPage(
      () => openFirefox({ isPrivate: true }),
      (page) => runPrivateJourney(page, site),
    )
  } finally {
    await site.stop()
  }
})

test('WebKit: a page that is left while it writes to the database does not block the database for the next page', async () => {
  test.skip(!hasWebKit(), `WebKit is not installed: apt-get install ${WEBKIT_PACKAGES}`)
  const site = await startViolationReportingSite({}, { isSecure: true })
  try {
    await withPage(openWebKit, async (page) => {
      // The first page comes from the server, and the second one from the service worker.
      for (let round = 0; round < 2; round++) {
        await page.open(site.origin())
        await page.evaluate(async () => void (await navigator.serviceWorker.ready))
        await page.evaluate(waitForDatabase)
        await page.evaluate(holdWriteTransaction)
        await page.open(`${site.origin()}/recent`)
        expect(await page.evaluate(writeOnce)).toBe('written')
      }
    })
  } finally {
    await site.stop()
  }
})

/** Waits until the page has created its database. */
async function waitForDatabase() {
  while (!(await indexedDB.databases()).some(({ name, version = 0 }) => name === 'varispeed' && version > 1))
    await new Promise((resolve) => setTimeout(resolve, 100))
}

/** Begins a transaction that lasts until the page ends. */
async function holdWriteTransaction() {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open('varispeed')
    opening.onsuccess = () => resolve(opening.result)
  })
  const songs = database.transaction([...database.objectStoreNames], 'readwrite').objectStore('songs')
  const requestAgain = () => {
    songs.get('').onsuccess = requestAgain
  }
  requestAgain()
}

/** Writes to the page's database. */
async function writeOnce() {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open('varispeed')
    opening.onsuccess = () => resolve(opening.result)
  })
  const transaction = database.transaction('songs', 'readwrite')
  const writeResult = new Promise((resolve) => {
    transaction.oncomplete = () => resolve('written')
  })
  const timeout = new Promise((resolve) => setTimeout(() => resolve('waits'), 20_000))
  return Promise.race([writeResult, timeout])
}
