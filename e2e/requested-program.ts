import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** When React committed the hydrated page, in milliseconds since the navigation. */
    hydratedAtMs?: number
  }
}

/**
 * Opens `url` without any input, and returns the JavaScript files that the page requested until React had hydrated it, relative to the origin and
 * sorted. The page's browser context must be new.
 */
export async function requestedUntilHydrated(page: Page, url: string): Promise<string[]> {
  await page.addInitScript(() => {
    // `Dock` sets the attribute in the first commit.
    const observer = new MutationObserver(() => {
      if (document.documentElement.dataset.dock === undefined) return
      window.hydratedAtMs = performance.now()
      observer.disconnect()
    })
    observer.observe(document, { attributes: true, subtree: true, attributeFilter: ['data-dock'] })
  })
  await page.goto(url)
  await page.waitForFunction(() => window.hydratedAtMs !== undefined)
  // A request is listed once it is answered.
  await page.waitForLoadState('networkidle')
  return page.evaluate(() => {
    const files = performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.endsWith('.js') && startTime <= (window.hydratedAtMs ?? 0))
      .map(({ name }) => new URL(name).pathname.slice(1))
    return [...new Set(files)].sort()
  })
}
