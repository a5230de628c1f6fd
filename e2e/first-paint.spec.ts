import type { BrowserContext } from '@playwright/test'
import { ids } from './catalogue.ts'
import { brands, expect, secondIsLong, startOwnSite, test } from './fixtures.ts'
import { alert, button, field, WRONG_PAIR } from './identity/steps.ts'
import { heading, main, nav, openFromShell, untilAlive } from './steps.ts'

const routes = [
  { path: '/', shown: 'a[href^="/playlist?"]' },
  { path: '/playlists', shown: 'a[href^="/playlist?"]' },
  { path: `/playlist?p=${ids.accentPlaylist}`, shown: 'a[href^="/song?"]' },
  // Its rows are soon replaced by those near the view.
  { path: `/playlist?p=${ids.longPlaylist}`, shown: 'a[href^="/song?"]', kept: 1 },
  { path: '/search?q=cafe', shown: 'a[href^="/song?"]' },
  // The queue stands before the links, and is the player's.
  { path: `/song?s=${ids.accented}`, shown: 'h1', kept: 1 },
  // Only the browser knows what it stores.
  { path: '/storage', shown: 'h1', kept: 1 },
  { path: '/login', shown: 'h1', kept: 1 },
  { path: '/signup', shown: 'h1', kept: 1 },
] as const

for (const brand of brands) {
  test(
    `${brand.name}: pages show their content without a script, and the program takes over what is shown`,
    secondIsLong(brand),
    async ({ page }) => {
      test.setTimeout(120_000)
      // Nobody has played anything there: what is popular is the same in the HTML and in the answers that follow.
      const site = await startOwnSite()
      await page.addInitScript(() => {
        const marks = { parsed: false, shift: 0 }
        Object.assign(window, { marks })
        addEventListener('DOMContentLoaded', () => {
          marks.parsed = true
          for (const element of document.querySelectorAll('#root h1, #root main a')) Reflect.set(element, 'inHtml', true)
        })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            if (Reflect.get(entry, 'hadRecentInput') === false) marks.shift += Reflect.get(entry, 'value')
        }).observe({ type: 'layout-shift', buffered: true })
      })
      try {
        for (const { path, shown, ...rest } of routes) {
          const address = `${site.origin(brand.subdomain)}${path}`
          const answer = await page.goto(address)
          const html = (await answer?.text()) ?? ''
          const markup = html.slice(html.indexOf('id="root"'), html.indexOf('<noscript>'))
          expect(markup, path).toMatch(/<h1\b[^>]*>[^<]*\w/)
          if (shown !== 'h1') expect(markup, path).toContain(shown.includes('playlist') ? 'href="/playlist?' : 'href="/song?')

          // React marks what it has taken over by properties of its own.
          const taken = () =>
            page.evaluate(() => {
              const title = document.querySelector('#root h1')
              return title !== null && Object.keys(title).some((key) => key.startsWith('__react'))
            })
          await expect.poll(taken, path).toBe(true)
          const kept = await page.evaluate(
            (count) => {
              const all = [...document.querySelectorAll('#root h1, #root main a')]
              return all.length > 0 && all.slice(0, count).every((element) => Reflect.get(element, 'inHtml') === true)
            },
            'kept' in rest ? rest.kept : 5,
          )
          expect(kept, `${path}: the elements of the HTML are those of the program`).toBe(true)
          await expect(heading(page)).toBeVisible()
          await expect(main(page).locator(shown).first()).toBeAttached()
          await page.waitForTimeout(300)
          const shift = await page.evaluate(() => Number(Reflect.get(Reflect.get(window, 'marks'), 'shift')))
          expect(shift, `${path}: nothing moves`).toBeLessThan(0.001)
        }
        // What comes when a page is idle is still on its way.
        await page.goto('about:blank')
      } finally {
        await site.stop()
      }
    },
  )
}

/** Holds back the program until `release` is called. */
async function holdProgram(context: BrowserContext): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await context.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}

test('what is pressed before the program is there happens once it is', async ({ page, ownSite, context }) => {
  const release = await holdProgram(context)
  await page.goto(`${ownSite.origin()}/playlists`)
  await main(page).getByRole('combobox').selectOption({ label: 'Z-A' })
  await nav(page).getByRole('button', { name: 'Search' }).click()
  await nav(page).getByRole('button', { name: 'Search' }).click()
  release()
  await expect(page.getByRole('searchbox')).toBeVisible()
  await expect(page).toHaveURL(/sort=za/)
})

for (const way of ['press', 'Enter'] as const) {
  test(`a form that is sent by ${way} before the program is there is sent by the program, once`, async ({
    page,
    ownSite,
    context,
    faults,
  }) => {
    faults.expect(/status of 400/)
    const release = await holdProgram(context)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
    })
    await page.goto(`${ownSite.origin()}/login`)
    await field(page, 'Email').fill('nobody@example.com')
    await field(page, 'Password').fill('tempo160')
    if (way === 'press') await button(page, 'Log in').click()
    else await page.keyboard.press('Enter')
    release()
    await expect(alert(page)).toHaveText(WRONG_PAIR)
    await expect(page).toHaveURL(/\/login$/)
    expect(sent).toEqual(['/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword'])
  })
}

test('what is pressed while the page of the service worker is being replaced happens', async ({ page, ownSite, context }) => {
  await openFromShell(context)
  await page.addInitScript(() => {
    const { port1, port2 } = new MessageChannel()
    let noted = false
    port1.onmessage = () => {
      if (Reflect.get(window, 'early') !== undefined) noted = true
      else if (noted) return document.querySelector<HTMLElement>('nav button[aria-label="Search"]')?.click()
      port2.postMessage(0)
    }
    port2.postMessage(0)
  })
  await page.goto(`${ownSite.origin()}/playlists`)
  await expect(page.getByRole('searchbox')).toBeVisible()
})

test('who scrolls before the program is there stays there', async ({ page, ownSite, context }) => {
  const release = await holdProgram(context)
  await page.goto(`${ownSite.origin()}/playlists`)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300)
  release()
  await untilAlive(page)
  await page.waitForTimeout(500)
  expect(await page.evaluate(() => scrollY)).toBe(300)
})
