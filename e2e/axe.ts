import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { untilAlive } from './steps.ts'

/** Every rule of axe, best practices too. The frames of the video platform are another site's. */
export async function expectNoViolation(page: Page, state: string) {
  await untilAlive(page)
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .map((each) => (each.effect?.getComputedTiming().endTime === Infinity ? undefined : each.finished.catch(() => undefined))),
    ),
  )
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze()
  expect(
    violations.map(
      (each) =>
        `${each.id}: ${each.help} at ${each.nodes.map((node) => `${node.target.join(' ')} (${node.any[0]?.message ?? node.failureSummary})`).join(', ')}`,
    ),
    `axe on ${state}`,
  ).toEqual([])
}
