import type { BrowserContext } from '@playwright/test'
import { brands } from '../e2e/fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from '../e2e/profile.ts'
import { startSite } from '../e2e/server.ts'
import { startBarePage } from './bare-page.ts'
import { computeMedian, reportFigure } from './report.ts'

// `npm run bench -- repeat-visit`: first contentful paint of pages that the service worker serves, measured alternately with a page of one
// heading, which shows the minimal time on this machine.

const ROUND_COUNT = 9
const cpuSpeeds = [
  { name: 'normal', slowdown: 1, atMostMs: 100 },
  { name: 'CPU slowed 4 times', slowdown: 4, atMostMs: 250 },
] as const
const goalResults: boolean[] = []

async function measureFirstPaint(context: BrowserContext, url: string, cpuSlowdownRatio: number): Promise<number> {
  const page = await context.newPage()
  try {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdownRatio })
    await page.goto(url)
    const readFirstPaintMs = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    return (await page.evaluate(readFirstPaintMs)) ?? Number.NaN
  } finally {
    await page.close()
  }
}

const site = await startSite()
const barePage = await startBarePage()
try {
  for (const { name, subdomain } of brands) {
    const urlPaths = ['/', '/playlists']
    const origin = site.origin(subdomain)
    await withBrowserProfile(
      async (openPage) => {
        const { context, page } = await openPage()
        await page.goto(barePage.url)
        await waitForServiceWorker(page)
        for (const urlPath of urlPaths) {
          await page.goto(origin + urlPath)
          await waitForServiceWorker(page)
          await waitForStoredPage(page)
        }
        await page.goto('about:blank')
        for (const cpuSpeed of cpuSpeeds) {
          const timesMsByPath = new Map<string, number[]>([...urlPaths, 'bare'].map((path) => [path, []]))
          for (let round = 0; round < ROUND_COUNT; round++)
            for (const [path, paintTimesMs] of timesMsByPath)
              paintTimesMs.push(await measureFirstPaint(context, path === 'bare' ? barePage.url : origin + path, cpuSpeed.slowdown))
          const barePageMs = computeMedian(timesMsByPath.get('bare') ?? [])
          reportFigure(`a page of one heading, ${cpuSpeed.name}`, barePageMs, 'ms')
          for (const urlPath of urlPaths) {
            const ms = computeMedian(timesMsByPath.get(urlPath) ?? [])
            goalResults.push(reportFigure(`${name}: repeat visit of ${urlPath}, ${cpuSpeed.name}`, ms, 'ms', { atMost: cpuSpeed.atMostMs }))
            reportFigure('  against the page of one heading', ms / barePageMs, 'times')
          }
        }
      },
      { needsChromium: true },
    )
  }
} finally {
  barePage.stop()
  await site.stop()
}
process.exitCode = goalResults.every(Boolean) ? 0 : 1
