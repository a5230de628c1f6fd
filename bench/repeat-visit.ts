import type { BrowserContext } from '@playwright/test'
import { brands } from '../e2e/fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from '../e2e/profile.ts'
import { startSite } from '../e2e/server.ts'
import { startBarePage } from './bare-page.ts'
import { median, reportFigure } from './report.ts'

// `npm run bench -- repeat-visit`: first contentful paint of pages that the service worker serves, measured alternately with a page of one
// heading, which shows the minimal time on this machine.

const ROUND_COUNT = 9
const cpuSpeeds = [
  { name: 'normal', slowdown: 1, atMostMs: 100 },
  { name: 'CPU slowed 4 times', slowdown: 4, atMostMs: 250 },
] as const
const results: boolean[] = []

async function firstPaint(context: BrowserContext, url: string, slowdown: number): Promise<number> {
  const page = await context.newPage()
  try {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
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
    const paths = ['/', '/playlists']
    const origin = site.origin(subdomain)
    await withBrowserProfile(
      async (open) => {
        const { context, page } = await open()
        await page.goto(barePage.url)
        await waitForServiceWorker(page)
        for (const urlPath of paths) {
          await page.goto(origin + urlPath)
          await waitForServiceWorker(page)
          await waitForStoredPage(page)
        }
        await page.goto('about:blank')
        for (const speed of cpuSpeeds) {
          const timesMs = new Map<string, number[]>([...paths, 'bare'].map((path) => [path, []]))
          for (let round = 0; round < ROUND_COUNT; round++)
            for (const [path, paintTimesMs] of timesMs)
              paintTimesMs.push(await firstPaint(context, path === 'bare' ? barePage.url : origin + path, speed.slowdown))
          const bareMs = median(timesMs.get('bare') ?? [])
          reportFigure(`a page of one heading, ${speed.name}`, bareMs, 'ms')
          for (const urlPath of paths) {
            const ms = median(timesMs.get(urlPath) ?? [])
            results.push(reportFigure(`${name}: repeat visit of ${urlPath}, ${speed.name}`, ms, 'ms', { atMost: speed.atMostMs }))
            reportFigure('  against the page of one heading', ms / bareMs, 'times')
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
process.exitCode = results.every(Boolean) ? 0 : 1
