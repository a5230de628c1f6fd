import { expect, test } from '@playwright/test'
import { downloadedWav, frequencyOf, key, load, openMaker, slide, slider, toneFile } from './maker-steps.ts'
import { untilControlled, withProfile } from './profile.ts'
import { startSite } from './server.ts'
import { heading, main, postFile, untilAlive } from './steps.ts'

test('a cold start without a network, in a fresh process: open, load, export', async () => {
  test.setTimeout(120_000)
  const site = await startSite()
  try {
    await withProfile(async (open) => {
      const { page } = await open()
      await openMaker(page, site)
      await untilControlled(page)
      await expect(key(page, 'Open a file')).toBeVisible()
      // What the maker is made of is on its way to the device: all of it, once nothing more comes.
      const keptFiles = () =>
        page.evaluate(async () => {
          const lists = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
          return lists.flat().map(({ url }) => new URL(url).pathname)
        })
      let before = 0
      await expect
        .poll(
          async () => {
            const files = await keptFiles()
            const isStill = files.length === before
            before = files.length
            return isStill && files.filter((file) => file.endsWith('.wasm')).length
          },
          { intervals: [2_000] },
        )
        .toBe(2)
      await site.stop()

      const { page: later } = await open()
      await later.goto(`${site.origin()}/account/maker`)
      await untilAlive(later)
      await expect(heading(later)).toHaveText('Maker')
      await load(later, toneFile('cold.wav'))
      await slide(later, 'Speed', 1.5)
      const wav = await downloadedWav(later)
      expect(frequencyOf(wav)).toBeCloseTo(660, 1)
      const mp3 = await Promise.all([later.waitForEvent('download', { timeout: 30_000 }), key(later, /^MP3 320 kbps/).click()])
      expect(mp3[0].suggestedFilename()).toMatch(/\.mp3$/)
      await later.waitForTimeout(1_000)

      // Another site can send a file as well: what one works on is not lost by it.
      const shared = toneFile('shared.wav')
      await postFile(later, shared.name, shared.buffer)
      const dialog = later.getByRole('dialog')
      await expect(dialog).toContainText('shared.wav would take the place of cold.wav')
      await dialog.getByRole('button', { name: 'Keep my song' }).click()
      await expect(main(later)).toContainText('cold.wav')

      const { page: again } = await open()
      await again.goto(`${site.origin()}/account/maker`)
      await untilAlive(again)
      await expect(main(again)).toContainText('cold.wav')
      await expect(slider(again, 'Speed')).toHaveValue('1.5')
    })
  } finally {
    await site.stop()
  }
})
