import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { brands as registeredBrands } from '../brands/registry.ts'
import { brands, expect, test } from './fixtures.ts'
import { startSite } from './server.ts'
import { mainRegion, waitForHydration } from './steps.ts'

// The texts of this test are a selection of a public corpus of XSS vectors. Its licence is stored in the same folder.
const xssVectors = readFileSync(new URL('./hostile/xss-vectors.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
const chooseVector = (index: number) => xssVectors[index % xssVectors.length] ?? ''

const createSongId = (index: number) => `hostile_${String(index).padStart(3, '0')}`
const hostileCategory = { category_id: 'hostile', category_name: chooseVector(3).slice(0, 300) }

const hostileCatalogue = {
  songs: xssVectors.map((vector, index) => ({
    ...{ youtube_id: createSongId(index), date_added: '2026-11-01', ...hostileCategory },
    ...{ title: vector.slice(0, 300), author_name: chooseVector(index + 2).slice(0, 300), description: vector },
  })),
  playlists: [
    {
      ...{ id: 'hostile-songs', title: chooseVector(4).slice(0, 300), description: chooseVector(5), home: true, ...hostileCategory },
      songs: xssVectors.map((_, index) => createSongId(index)),
    },
  ],
  feed: xssVectors.map((vector, index) => ({
    id: `item-${index}`,
    title: vector.slice(0, 300),
    content: `<p>before</p>${vector}`,
    date: '2026-11-01',
  })),
  members: xssVectors.map((vector, index) => ({
    channel_id: `channel-${index}`,
    channel_name: vector.slice(0, 300),
    sub_tag: vector.slice(0, 100),
    testimonial: vector,
  })),
  supporters: xssVectors.slice(0, 30).map((vector, index) => ({ domain_name: `supporter-${index}`, name: vector.slice(0, 300) })),
}
const hostileQuestions = xssVectors.map((vector, index) => ({
  section: index % 2 === 0 ? 'General' : 'Network',
  question: chooseVector(index + 1).slice(0, 500),
  answer: `<p>before</p>${vector}`,
}))
const hostileLogo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" onload="alert(1)"><script>alert(1)</script><foreignObject width="64" height="64"><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/></foreignObject></svg>'

/** Replaces the functions that the XSS vectors call by functions that report the call. */
function recordNativeCalls() {
  const nativeCalls: string[] = []
  Object.assign(window, { calls: nativeCalls })
  for (const name of ['alert', 'confirm', 'prompt', 'print'])
    Object.assign(window, { [name]: (text: unknown) => void nativeCalls.push(`${name}(${text})`) })
}

/**
 * Returns problems of the page: code in attributes or addresses, frames and plug-ins, calls made by the XSS vectors, and content wider than
 * the window.
 */
const listFaults = (page: Page) =>
  page.evaluate(() => {
    const faultTexts: string[] = []
    // The page places the frame of the video platform on a layer of its own.
    for (const pageElement of document.querySelectorAll('body *:not(iframe[src^="https://www.youtube-nocookie.com/embed/"])')) {
      if (/^(?:iframe|object|embed|base|meta|style|frame|applet)$/i.test(pageElement.localName))
        faultTexts.push(pageElement.outerHTML.slice(0, 200))
      if (pageElement instanceof HTMLFormElement && new URL(pageElement.action).origin !== origin)
        faultTexts.push(`a form to ${pageElement.action}`)
      for (const { name, value } of pageElement.attributes)
        if (/^on|^srcdoc$/i.test(name) || /^\s*(?:javascript|vbscript|data:text)/i.test(value))
          faultTexts.push(`${pageElement.localName} ${name}=${value.slice(0, 100)}`)
    }
    if ('calls' in window && Array.isArray(window.calls)) faultTexts.push(...window.calls.map(String))
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) faultTexts.push(`${scrollWidth} px wide in a window of ${clientWidth}`)
    return faultTexts
  })

for (const brand of brands) {
  const settings = registeredBrands.find(({ id }) => id === brand.id)?.settings
  test(`${brand.name}: texts written by other people neither run a script nor break the layout`, { tag: '@long' }, async ({
    page,
    faults,
    platform: _,
  }) => {
    test.setTimeout(180_000)
    expect(xssVectors.length).toBeGreaterThan(400)
    const site = await startSite({ DEMO: 'off' })
    try {
      const readHostileFile = async (fileName: string, fileContent: string) => {
        const path = join(site.dataDir, fileName)
        await writeFile(path, fileContent)
        return path
      }
      const setSetting = (key: string, value: string) => site.runAdmin('settings', 'set', key, value, '--brand', brand.id)
      await site.runAdmin('catalog', 'import', await readHostileFile('catalogue.json', JSON.stringify(hostileCatalogue)))
      await setSetting('FAQ', await readHostileFile('faq.json', JSON.stringify(hostileQuestions)))
      await setSetting('WHAT_IS_CONTENT', xssVectors.join('\n'))
      await setSetting('LOGO', await readHostileFile('logo.svg', hostileLogo))
      for (const [index, settingKey] of [
        'NAME',
        'HERO_TITLE',
        'HERO_SUBTITLE',
        'PASSION_TEXT',
        'COMMUNITY_TEXT',
        'META_DESCRIPTION',
        'DOMAIN',
      ].entries())
        await setSetting(settingKey, `</script><img src=x onerror=alert(${index})>${chooseVector(index)}`)

      // When the logo is opened as a document, the browser reports what the logo's content security policy blocks.
      faults.expect(/\/img\/logo\//)
      await page.addInitScript(recordNativeCalls)
      const songPages = ['/playlists', '/playlist?p=hostile-songs', '/search?q=alert', `/song?s=${createSongId(5)}&p=hostile-songs`]
      for (const urlPath of ['/', '/latest', '/faq', '/members', '/network', settings?.WHAT_IS_PATH, ...songPages]) {
        await page.goto(site.origin(brand.subdomain) + urlPath)
        await waitForHydration(page)
        await expect(mainRegion(page)).toBeVisible()
        await page.waitForLoadState('networkidle')
        if (urlPath === '/latest' || urlPath === '/faq') expect(await mainRegion(page).getByText('before').count()).toBeGreaterThan(10)
        for (const summary of (await mainRegion(page).locator('summary').all()).slice(0, 20)) await summary.click()
        await page.setViewportSize({ width: 360, height: 740 })
        expect(await listFaults(page), urlPath).toEqual([])
        await page.setViewportSize({ width: 1280, height: 800 })
      }
      const logoImage = page.getByRole('banner').locator('img').first()
      const logoAddress = await logoImage.getAttribute('src')
      await page.goto(new URL(logoAddress ?? '', site.origin(brand.subdomain)).href)
      expect(await page.evaluate(() => ('calls' in window ? window.calls : undefined))).toEqual([])
    } finally {
      await site.stop()
    }
  })
}
