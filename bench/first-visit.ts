import { type BrowserWithPage, withBrowserProfile } from '../e2e/profile.ts'
import { startSite } from '../e2e/server.ts'
import { computeMedian, reportFigure } from './report.ts'
import { startSlowLine } from './slow-line.ts'

// `npm run bench -- first-visit [PROGRAM…]`: a first visit of the home page over a line with a round-trip time of 100 ms: its first paint, its
// largest paint, the time until the site works offline, and the requests until then. Further server programs are measured alternately.

const ROUND_TRIP_MS = 100
const ROUND_COUNT = 5
const OFFLINE_READY_AT_MOST_MS = 5_000
const measuredFigureNames = ['first paint', 'largest paint', 'works offline', 'requests'] as const
type MeasuredValue = (typeof measuredFigureNames)[number]

async function measureFirstVisit({ context, page }: BrowserWithPage, url: string): Promise<Record<MeasuredValue, number>> {
  let requestCount = 0
  context.on('request', () => {
    requestCount += 1
  })
  await page.goto(url)
  const offlineReadyMs = await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (navigator.serviceWorker.controller?.state !== 'activated') await new Promise((resolve) => setTimeout(resolve, 10))
    return performance.now()
  })
  const paintTimes = await page.evaluate(
    () =>
      new Promise<{ firstMs: number; largestMs: number }>((resolve) =>
        new PerformanceObserver((entryList) =>
          resolve({
            firstMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
            largestMs: entryList.getEntries().at(-1)?.startTime ?? Number.NaN,
          }),
        ).observe({ type: 'largest-contentful-paint', buffered: true }),
      ),
  )
  return {
    'first paint': paintTimes.firstMs,
    'largest paint': paintTimes.largestMs,
    'works offline': offlineReadyMs,
    requests: requestCount,
  }
}

const programPaths = [undefined, ...process.argv.slice(2)]
const samplesByProgram = new Map(programPaths.map((program) => [program, [] as Record<MeasuredValue, number>[]]))
for (let round = 0; round < ROUND_COUNT; round++) {
  for (const programPath of programPaths) {
    const site = await startSite({}, programPath === undefined ? {} : { programFile: programPath })
    const slowLine = await startSlowLine(site.port, ROUND_TRIP_MS)
    await withBrowserProfile(
      async (open) => {
        samplesByProgram.get(programPath)?.push(await measureFirstVisit(await open(), `http://localhost:${slowLine.port}/`))
      },
      { needsChromium: true },
    )
    slowLine.stop()
    await site.stop()
  }
}
const goalResults: boolean[] = []
for (const [programPath, sampleRows] of samplesByProgram) {
  for (const valueName of measuredFigureNames) {
    const limit = programPath === undefined && valueName === 'works offline' ? { atMost: OFFLINE_READY_AT_MOST_MS } : {}
    const isGoalMet = reportFigure(
      `${programPath ?? 'this build'}: first visit, ${valueName}`,
      computeMedian(sampleRows.map((row) => row[valueName])),
      valueName === 'requests' ? '' : 'ms',
      limit,
    )
    if (programPath === undefined) goalResults.push(isGoalMet)
  }
}
process.exitCode = goalResults.every(Boolean) ? 0 : 1
