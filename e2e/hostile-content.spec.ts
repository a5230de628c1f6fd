import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { brands as registeredBrands } from '../brands/registry.ts'
import { brands, expect, test } from './fixtures.ts'
import { startSite } from './server.ts'
import { mainRegion, waitForHydration } from './steps.ts'

// The texts of this test are a selection of a public corpus of XSS vectors. Its licence is stored in the same folder.
const vectors = readFileSync(new URL('./hostile/xss-vectors.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
const vectorAt = (index: number) => vectors[index % vectors.length] ?? ''

const songIdAt = (index: number) => `hostile_${String(index).padStart(3, '0')}`
const hostileCategory = { category_id: 'hostile', category_name: vectorAt(3).slice(0, 300) }

const catalogue = {
  songs: vectors.map((vector, index) => ({
    ...{ youtube_id: songIdAt(index), date_added: '2026-11-01', ...hostileCategory },
    ...{ title: vector.slice(0, 300), author_name: vectorAt(index + 2).slice(0, 300), description: vector },
  })),
  playlists: [
    {
      ...{ id: 'hostile-songs', title: vectorAt(4).slice(0, 300), description: vectorAt(5), home: true, ...hostileCategory },
      songs: vectors.map((_, index) => songIdAt(index)),
    },
  ],
  feed: vectors.map((vector, index) => ({
    id: `item-${index}`,
    title: vector.slice(0, 300),
    content: `<p>before</p>${vector}`,
    date: '2026-11-01',
  })),
  members: vectors.map((vector, index) => ({
    channel_id: `channel-${index}`,
    channel_name: vector.slice(0, 300),
    sub_tag: vector.slice(0, 100),
    testimonial: vector,
  })),
  supporters: vectors.slice(0, 30).map((vector, index) => ({ domain_name: `supporter-${index}`, name: vector.slice(0, 300) })),
}
const faq = vectors.map((vector, index) => ({
  section: index % 2 === 0 ? 'General' : 'Network',
  question: vectorAt(index + 1).slice(0, 500),
  answer: `<p>before</p>${vector}`,
}))
const hostileLogo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" onload="alert(1)"><script>alert(1)</script><foreignObject width="64" height="64"><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/></foreignObject></svg>'

/** Replaces the functions that the XSS vectors call by functions that report the call. */
function reportCalls() {
  const calls: string[] = []
  Object.assign(window, { calls })
  for (const name of ['alert', 'confirm', 'prompt', 'print'])
    Object.assign(window, { [name]: (text: unknown) => void calls.push(`${name}(${text})`) })
}

/**
 * Returns problems of the page: code in attributes or addresses, frames and plug-ins, calls made by the XSS vectors, and content wider than
 * the window.
 */
const listFaults = (page: Page) =>
  page.evaluate(() => {
    const faults: string[] = []
    // The page places the frame of the video platform on a layer of its own.
    for (const element of document.querySelectorAll('body *:not(iframe[src^="https://www.youtube-nocookie.com/embed/"])')) {
      if (/^(?:iframe|object|embed|base|meta|style|frame|applet)$/i.test(element.localName)) faults.push(element.outerHTML.slice(0, 200))
      if (element instanceof HTMLFormElement && new URL(element.action).origin !== origin) faults.push(`a form to ${element.action}`)
      for (const { name, value } of element.attributes)
        if (/^on|^srcdoc$/i.test(name) || /^\s*(?:javascript|vbscript|data:text)/i.test(value))
          faults.push(`${element.localName} ${name}=${value.slice(0, 100)}`)
    }
    if ('calls' in window && Array.isArray(window.calls)) faults.push(...window.calls.map(String))
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) faults.push(`${scrollWidth} px wide in a window of ${clientWidth}`)
    return faults
  })

for (const brand of brands) {
  const settings = registeredBrands.find(({ id }) => id === brand.id)?.settings
  test(`${brand.name}: texts written by other people neither run a script nor break the layout`, { tag: '@long' }, async ({
    page,
    faults,
    platform: _,
  }) => {
    test.setTimeout(180_000)
    expect(vectors.length).toBeGreaterThan(400)
    const site = await startSite({ DEMO: 'off' })
    try {
      const fileOf = async (name: string, content: string) => {
        const path = join(site.dataDir, name)
        await writeFile(path, content)
        return path
      }
      const setSetting = (key: string, value: string) => site.admin('settings', 'set', key, value, '--brand', brand.id)
      await site.admin('catalog', 'import', await fileOf('catalogue.json', JSON.stringify(catalogue)))
      await setSetting('FAQ', await fileOf('faq.json', JSON.stringify(faq)))
      await setSetting('WHAT_IS_CONTENT', vectors.join('\n'))
      await setSetting('LOGO', await fileOf('logo.svg', hostileLogo))
      for (const [index, key] of [
        'NAME',
        'HERO_TITLE',
        'HERO_SUBTITLE',
        'PASSION_TEXT',
        'COMMUNITY_TEXT',
        'META_DESCRIPTION',
        'DOMAIN',
      ].entries())
        await setSetting(key, `</script><img src=x onerror=alert(${index})>${vectorAt(index)}`)

      // When the logo is opened as a document, the browser reports what the logo's content security policy blocks.
      faults.expect(/\/img\/logo\//)
      await page.addInitScript(reportCalls)
      const songPages = ['/playlists', '/playlist?p=hostile-songs', '/search?q=alert', `/song?s=${songIdAt(5)}&p=hostile-songs`]
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
