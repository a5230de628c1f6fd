import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { createMemberName, createTestCatalogue, MEMBER_COUNT } from '../e2e/catalogue.ts'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { startSite } from '../e2e/server.ts'
import { waitForHydration } from '../e2e/steps.ts'
import { computeMedian, computePercentile, reportFigure } from './report.ts'
import { measureScrollFramesMs } from './scroll-frames.ts'

// `npm run bench -- members`: the page of a network of 10,000 members, on a processor that is slowed four times.

const CPU_SLOWDOWN_FACTOR = 4
const goalResults: boolean[] = []
const reportResult = (...args: Parameters<typeof reportFigure>) => goalResults.push(reportFigure(...args))

/** Fills the search field, and returns the milliseconds until the page shows only the member with the typed name. */
async function measureSearch(page: Page, searchedName: string): Promise<number> {
  const searchField = page.getByRole('searchbox', { name: 'Find a member' })
  await searchField.fill('')
  await page.waitForTimeout(1000)
  const startMs = performance.now()
  await searchField.fill(searchedName)
  await page.waitForFunction((expectedText) => {
    const items = document.querySelectorAll('main ul[aria-label="Members"] li')
    return items.length === 1 && items[0]?.textContent === expectedText
  }, searchedName)
  return performance.now() - startMs
}

const site = await startSite({ DEMO: 'off' })
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
try {
  const cataloguePath = join(site.dataDir, 'members.json')
  await writeFile(cataloguePath, JSON.stringify({ members: createTestCatalogue().members }))
  await site.runAdmin('catalog', 'import', cataloguePath)
  for (const [deviceName, viewport] of [
    ['1440 px', { width: 1440, height: 900 }],
    ['390 px', { width: 390, height: 844 }],
  ] as const) {
    const context = await browser.newContext({ viewport })
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN_FACTOR })
    const startMs = performance.now()
    await page.goto(`${site.origin()}/members`)
    await waitForHydration(page)
    await page.waitForFunction((count) => document.querySelector('main li')?.getAttribute('aria-setsize') === count, String(MEMBER_COUNT))
    reportFigure(`${deviceName}: from the address to all 10,000 members`, performance.now() - startMs, 'ms')
    await page.waitForTimeout(5000)
    const frameTimesMs = await measureScrollFramesMs(page)
    reportResult(`${deviceName}: frames while the members scroll: median`, computeMedian(frameTimesMs), 'ms', { atMost: 17 })
    reportResult(`${deviceName}: frames while the members scroll: 95th of 100`, computePercentile(frameTimesMs, 0.95), 'ms', { atMost: 34 })
    reportFigure(`${deviceName}: frames while the members scroll: the longest`, Math.max(...frameTimesMs), 'ms')
    const searchTimesMs: number[] = []
    for (const index of [9000, 77, 4321]) searchTimesMs.push(await measureSearch(page, createMemberName(index)))
    reportFigure(`${deviceName}: from a key to the found member, the first time`, searchTimesMs[0] ?? 0, 'ms')
    reportFigure(`${deviceName}: from a key to the found member, later`, computeMedian(searchTimesMs.slice(1)), 'ms')
    await context.close()
  }
} finally {
  await browser.close()
  await site.stop()
}
process.exitCode = goalResults.every(Boolean) ? 0 : 1
