import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { installVideoPlatform } from '../e2e/stand-ins/video-platform.ts'

export interface Journeys {
  home: string
  playlist: string
  search: string
}

export type JourneyTimes = Record<keyof Journeys, number[]>

const shown: Record<keyof Journeys, string> = {
  home: 'main a[href^="/playlist?"]',
  playlist: 'main a[href^="/song?"]',
  search: 'main a[href^="/song?"]',
}

/** From the navigation's start to the frame in which the list is there, as the page's own clock saw it. */
async function timeTo(page: Page, url: string, selector: string): Promise<number> {
  // As text: a compiled function would call the compiler's own helpers, which the page does not have.
  await page.addInitScript({
    content: `(function look() {
      if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look)
      else window.listShownMs = performance.now()
    })()`,
  })
  await page.goto(url)
  await page.locator(selector).first().waitFor({ state: 'attached' })
  // The page's own observer sees it in the same frame or the next one.
  await page.waitForTimeout(100)
  const shownMs: unknown = await page.evaluate(() => Reflect.get(window, 'listShownMs'))
  return typeof shownMs === 'number' ? shownMs : Number.NaN
}

async function oneRound(browser: Browser, origin: string, journeys: Journeys, times: JourneyTimes) {
  for (const name of ['home', 'playlist', 'search'] as const) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await installVideoPlatform(context)
    const page = await context.newPage()
    times[name].push(await timeTo(page, `${origin}${journeys[name]}`, shown[name]))
    await context.close()
  }
}

/** The same journeys on several sites in turn, each in a fresh profile, so that what the machine does beside hits all alike. */
export async function timeJourneys(sites: { origin: string; journeys: Journeys }[], rounds: number): Promise<JourneyTimes[]> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  try {
    const times = sites.map((): JourneyTimes => ({ home: [], playlist: [], search: [] }))
    for (let round = 0; round < rounds; round++) {
      for (const [index, site] of sites.entries()) {
        const into = times[index]
        if (into !== undefined) await oneRound(browser, site.origin, site.journeys, into)
      }
    }
    return times
  } finally {
    await browser.close()
  }
}
