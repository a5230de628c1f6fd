import type { BrowserContext } from '@playwright/test'
import { startSite } from '../e2e/server.ts'
import { median, report } from './report.ts'
import { untilControlled, withProfile } from './visited-profile.ts'

// First paint of a visit that the service worker answers, the site's server at hand. `npm run bench -- repeat-visit`.

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
try {
  for (const subdomain of [undefined, 'slowedreverb']) {
    const origin = site.origin(subdomain)
    await withProfile(async (open) => {
      const context = await open()
      const first = await context.newPage()
      for (const path of ['/', '/playlists']) {
        await first.goto(origin + path)
        await untilControlled(first)
        await first.waitForSelector('main a[href^="/playlist?"]')
      }
      await first.waitForTimeout(1000)
      await first.goto('about:blank')
      for (const { name, slowdown, atMostMs } of speeds) {
        for (const path of ['/', '/playlists']) {
          const times: number[] = []
          for (let round = 0; round < ROUNDS; round++) times.push(await firstPaint(context, origin + path, slowdown))
          const label = `${subdomain ?? 'default brand'}: repeat visit of ${path}, ${name}`
          kept.push(report(label, median(times), 'ms', { atMost: atMostMs }))
        }
      }
    })
  }
} finally {
  await site.stop()
}
process.exitCode = kept.every(Boolean) ? 0 : 1
