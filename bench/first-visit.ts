import { type BrowserWithPage, withBrowserProfile } from '../e2e/profile.ts'
import { startSite } from '../e2e/server.ts'
import { median, reportFigure } from './report.ts'
import { startSlowLine } from './slow-line.ts'

// `npm run bench -- first-visit [PROGRAM…]`: a first visit of the home page over a line with a round-trip time of 100 ms: its first paint, its
// largest paint, the time until the site works offline, and the requests until then. Further server programs are measured alternately.

const ROUND_TRIP_MS = 100
const ROUND_COUNT = 5
const OFFLINE_READY_AT_MOST_MS = 5_000
const measuredValues = ['first paint', 'largest paint', 'works offline', 'requests'] as const
type MeasuredValue = (typeof measuredValues)[number]

async function measureFirstVisit({ context, page }: BrowserWithPage, url: string): Promise<Record<MeasuredValue, number>> {
  let requestCount = 0
  context.on('request', () => {
    requestCount += 1
  })
  await page.goto(url)
  const worksOfflineMs = await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (navigator.serviceWorker.controller?.state !== 'activated') await new Promise((resolve) => setTimeout(resolve, 10))
    return performance.now()
  })
  const paints = await page.evaluate(
    () =>
      new Promise<{ first: number; largest: number }>((resolve) =>
        new PerformanceObserver((list) =>
          resolve({
            first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
            largest: list.getEntries().at(-1)?.startTime ?? Number.NaN,
          }),
        ).observe({ type: 'largest-contentful-paint', buffered: true }),
      ),
  )
  return { 'first paint': paints.first, 'largest paint': paints.largest, 'works offline': worksOfflineMs, requests: requestCount }
}

const programs = [undefined, ...process.argv.slice(2)]
const samples = new Map(programs.map((program) => [program, [] as Record<MeasuredValue, number>[]]))
for (let round = 0; round < ROUND_COUNT; round++) {
  for (const program of programs) {
    const site = await startSite({}, program === undefined ? {} : { programFile: program })
    const line = await startSlowLine(site.port, ROUND_TRIP_MS)
    await withBrowserProfile(
      async (open) => {
        samples.get(program)?.push(await measureFirstVisit(await open(), `http://localhost:${line.port}/`))
      },
      { needsChromium: true },
    )
    line.stop()
    await site.stop()
  }
}
const results: boolean[] = []
for (const [program, rows] of samples) {
  for (const name of measuredValues) {
    const limit = program === undefined && name === 'works offline' ? { atMost: OFFLINE_READY_AT_MOST_MS } : {}
    const isMet = reportFigure(
      `${program ?? 'this build'}: first visit, ${name}`,
      median(rows.map((row) => row[name])),
      name === 'requests' ? '' : 'ms',
      limit,
    )
    if (program === undefined) results.push(isMet)
  }
}
process.exitCode = results.every(Boolean) ? 0 : 1
