import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { waitForHydration } from './steps.ts'

/**
 * Expects that axe finds no violation of any rule, best practices included, after all finite animations have ended. YouTube's frames are
 * excluded. The failure message contains `pageDescription`. With a `selector`, only the parts that match it of the page are analyzed.
 */
export async function expectNoViolation(page: Page, pageDescription: string, selector = 'html') {
  await waitForHydration(page)
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        // An animation that is driven by scrolling has another timeline, and ends only at the end of the scrolling.
        .filter(({ timeline }) => timeline === document.timeline)
        .map((each) => (each.effect?.getComputedTiming().endTime === Infinity ? undefined : each.finished.catch(() => undefined))),
    ),
  )
  // axe runs in legacy mode, which analyzes only the page. The default mode analyzes each frame, and joins the results in a second page.
  const { violations } = await new AxeBuilder({ page })
    .include(selector)
    .exclude('iframe')
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  expect(
    violations.map(
      (each) =>
        `${each.id}: ${each.help} at ${each.nodes.map((node) => `${node.target.join(' ')} (${node.any[0]?.message ?? node.failureSummary})`).join(', ')}`,
    ),
    `axe on ${pageDescription}`,
  ).toEqual([])
}
