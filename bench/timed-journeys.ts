import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { installVideoPlatform } from '../e2e/stand-ins/video-platform.ts'

export interface JourneyPaths {
  home: string
  playlist: string
  search: string
}

export type JourneyTimes = Record<keyof JourneyPaths, number[]>

const selectorByJourney: Record<keyof JourneyPaths, string> = {
  home: 'main a[href^="/playlist?"]',
  playlist: 'main a[href^="/song?"]',
  search: 'main a[href^="/song?"]',
}

/** Returns the milliseconds from the start of the navigation to the first frame with an element that matches `selector`. */
async function measureTimeToElement(page: Page, url: string, selector: string): Promise<number> {
  // The injected script is a string, because the compiler would make a function call a helper that the page lacks.
  await page.addInitScript({
    content: `(function look() {
      if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look)
      else window.listShownMs = performance.now()
    })()`,
  })
  await page.goto(url)
  await page.locator(selector).first().waitFor({ state: 'attached' })
  // The measuring script in the page notices the element in the frame that shows it, or in the next one.
  await page.waitForTimeout(100)
  const shownMs: unknown = await page.evaluate(() => Reflect.get(window, 'listShownMs'))
  return typeof shownMs === 'number' ? shownMs : Number.NaN
}

async function measureRound(browser: Browser, origin: string, journeys: JourneyPaths, journeyTimes: JourneyTimes) {
  for (const journeyName of ['home', 'playlist', 'search'] as const) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await installVideoPlatform(context)
    const page = await context.newPage()
    journeyTimes[journeyName].push(await measureTimeToElement(page, `${origin}${journeys[journeyName]}`, selectorByJourney[journeyName]))
    await context.close()
  }
}

/** Measures page loads on several sites alternately, each in a new profile, so that other load on the machine affects all alike. */
export async function timeJourneys(sites: { origin: string; journeys: JourneyPaths }[], roundCount: number): Promise<JourneyTimes[]> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  try {
    const journeyTimes = sites.map((): JourneyTimes => ({ home: [], playlist: [], search: [] }))
    for (let round = 0; round < roundCount; round++) {
      for (const [index, site] of sites.entries()) {
        const siteTimes = journeyTimes[index]
        if (siteTimes !== undefined) await measureRound(browser, site.origin, site.journeys, siteTimes)
      }
    }
    return journeyTimes
  } finally {
    await browser.close()
  }
}
