import type { BrowserContext } from '@playwright/test'
import { brands } from '../e2e/fixtures.ts'
import { untilControlled, untilKept, withProfile } from '../e2e/profile.ts'
import { startSite } from '../e2e/server.ts'
import { startBarePage } from './bare-page.ts'
import { median, report } from './report.ts'

// First paint of a visit that the service worker answers, the site's server at hand. Beside it, in turn with it, a page of one heading:
// what any page costs on this machine. `npm run bench -- repeat-visit`.

const ROUNDS = 9
const speeds = [
  { name: 'normal', slowdown: 1, atMostMs: 100 },
  { name: 'CPU slowed 4 times', slowdown: 4, atMostMs: 250 },
] as const
const kept: boolean[] = []

async function firstPaint(context: BrowserContext, url: string, slowdown: number): Promise<number> {
  const page = await context.newPage()
  try {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(url)
    const read = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    return (await page.evaluate(read)) ?? Number.NaN
  } finally {
    await page.close()
  }
}

const site = await startSite()
const bare = await startBarePage()
try {
  for (const { name, subdomain } of brands) {
    const paths = ['/', '/playlists']
    const origin = site.origin(subdomain)
    await withProfile(async (open) => {
      const { context, page } = await open()
      await page.goto(bare.url)
      await untilControlled(page)
      for (const path of paths) {
        await page.goto(origin + path)
        await untilControlled(page)
        await untilKept(page)
      }
      await page.goto('about:blank')
      for (const speed of speeds) {
        const times = new Map<string, number[]>([...paths, 'bare'].map((path) => [path, []]))
        for (let round = 0; round < ROUNDS; round++)
          for (const [path, measured] of times)
            measured.push(await firstPaint(context, path === 'bare' ? bare.url : origin + path, speed.slowdown))
        const bareMs = median(times.get('bare') ?? [])
        report(`a page of one heading, ${speed.name}`, bareMs, 'ms')
        for (const path of paths) {
          const ms = median(times.get(path) ?? [])
          kept.push(report(`${name}: repeat visit of ${path}, ${speed.name}`, ms, 'ms', { atMost: speed.atMostMs }))
          report('  against the page of one heading', ms / bareMs, 'times')
        }
      }
    })
  }
} finally {
  bare.stop()
  await site.stop()
}
process.exitCode = kept.every(Boolean) ? 0 : 1
