import { expect, test } from './fixtures.ts'
import {
  createToneFile,
  downloadExport,
  downloadWav,
  loadAudioFile,
  locateMakerButton,
  locateMakerSlider,
  measureFrequency,
  openMaker,
  setSlider,
} from './maker-steps.ts'
import { waitForServiceWorker, withBrowserProfile } from './profile.ts'
import { startSite } from './server.ts'
import { mainRegion, pageHeading, postSharedFile, waitForHydration } from './steps.ts'

test('maker: when the browser is started offline, the maker loads and exports a file', { tag: '@long' }, async () => {
  test.setTimeout(120_000)
  const site = await startSite()
  try {
    await withBrowserProfile(async (openBrowser) => {
      const { page } = await openBrowser()
      await openMaker(page, site)
      await waitForServiceWorker(page)
      await expect(locateMakerButton(page, 'Open a file')).toBeVisible()
      // Waits until the network is idle, because by then the service worker has cached all chunks of the maker.
      const listCachedPaths = () =>
        page.evaluate(async () => {
          const requestsByCache = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
          return requestsByCache.flat().map(({ url }) => new URL(url).pathname)
        })
      let cachedPathCountBefore = 0
      await expect
        .poll(
          async () => {
            const cachedPaths = await listCachedPaths()
            const isComplete = cachedPaths.length === cachedPathCountBefore
            cachedPathCountBefore = cachedPaths.length
            return isComplete && cachedPaths.filter((file) => file.endsWith('.wasm')).length
          },
          { intervals: [2_000] },
        )
        .toBe(2)
      await site.stop()

      const { page: laterPage } = await openBrowser()
      await laterPage.goto(`${site.origin()}/account/maker`)
      await waitForHydration(laterPage)
      await expect(pageHeading(laterPage)).toHaveText('Maker')
      await loadAudioFile(laterPage, createToneFile('cold.wav'))
      await setSlider(laterPage, 'Speed', 1.5)
      const wav = await downloadWav(laterPage)
      expect(measureFrequency(wav)).toBeCloseTo(660, 1)
      for (const format of ['FLAC, 24-bit', 'MP3, 320 kbps']) {
        const { name } = await downloadExport(laterPage, format)
        expect(name).toMatch(/\.(?:flac|mp3)$/)
      }
      await laterPage.waitForTimeout(1_000)

      // The file must not replace the open project without confirmation, because another site can post a file as well.
      const sharedFile = createToneFile('shared.wav')
      await postSharedFile(laterPage, sharedFile.name, sharedFile.buffer)
      const dialog = laterPage.getByRole('dialog')
      await expect(dialog).toContainText('shared.wav opens with the settings that are set. cold.wav stays in')
      await dialog.getByRole('button', { name: 'Keep my song' }).click()
      await expect(mainRegion(laterPage)).toContainText('cold.wav')

      const { page: reopenedPage } = await openBrowser()
      await reopenedPage.goto(`${site.origin()}/account/maker`)
      await waitForHydration(reopenedPage)
      await expect(mainRegion(reopenedPage)).toContainText('cold.wav')
      await expect(locateMakerSlider(reopenedPage, 'Speed')).toHaveValue('1.5')
    })
  } finally {
    await site.stop()
  }
})
