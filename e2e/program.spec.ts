import { catalogueIds } from './catalogue.ts'
import { expect, tagLong, test } from './fixtures.ts'
import { collectRequestedScripts } from './requested-scripts.ts'

test.use({ serviceWorkers: 'allow' })

const pagePaths = ['/', '/playlists', `/playlist?p=${catalogueIds.accentPlaylist}`, '/search?q=cafe', `/song?s=${catalogueIds.accented}`]

for (const urlPath of pagePaths) {
  test(
    `${urlPath}: until React has hydrated the page, the browser requests exactly the scripts that the HTML lists`,
    tagLong(urlPath !== '/'),
    async ({ page, testCatalogueSite, platform: _ }) => {
      const url = testCatalogueSite.origin() + urlPath
      const requestedFiles = await collectRequestedScripts(page, url)
      const pageHtml = await (await page.request.get(url)).text()
      // The scripts that the HTML lists. `bench/page-weight.ts` weighs the same scripts.
      const listedFiles = new Set([...pageHtml.matchAll(/(?:href|src)="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file))
      expect(requestedFiles).not.toEqual([])
      expect(requestedFiles).toEqual([...listedFiles].sort())
    },
  )
}
