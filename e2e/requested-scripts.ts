import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** The time at which React committed the hydrated page, in milliseconds since the navigation. */
    hydratedAtMs?: number
  }
}

/**
 * Opens `url`, and waits without any input until React has hydrated the page. Returns the JavaScript files that the page has requested by
 * then, relative to the origin and sorted. The page's browser context must be new.
 */
export async function collectRequestedScripts(page: Page, url: string): Promise<string[]> {
  await page.addInitScript(() => {
    // `Dock` sets this attribute in React's first commit.
    const observer = new MutationObserver(() => {
      if (document.documentElement.dataset.dock === undefined) return
      window.hydratedAtMs = performance.now()
      observer.disconnect()
    })
    observer.observe(document, { attributes: true, subtree: true, attributeFilter: ['data-dock'] })
  })
  await page.goto(url)
  await page.waitForFunction(() => window.hydratedAtMs !== undefined)
  // The browser lists a request once it is answered.
  await page.waitForLoadState('networkidle')
  return page.evaluate(() => {
    const scriptFiles = performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.endsWith('.js') && startTime <= (window.hydratedAtMs ?? 0))
      .map(({ name }) => new URL(name).pathname.slice(1))
    return [...new Set(scriptFiles)].sort()
  })
}
