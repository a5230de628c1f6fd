import { launch } from 'chrome-launcher'
import lighthouse, { type RunnerResult } from 'lighthouse'
import { TraceProcessor } from 'lighthouse/core/lib/tracehouse/trace-processor.js'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { brands } from '../e2e/fixtures.ts'
import { radioOrigin } from '../e2e/radio-steps.ts'
import { type Site, startSite } from '../e2e/server.ts'
import type { TraceEvent } from '../e2e/task-times.ts'
import { sitemapPaths } from '../server/pages/indexing.ts'
import { type Limit, median, reportFigure } from './report.ts'

// `npm run bench -- lighthouse [RUNS] [PATH…]`: Lighthouse's mobile preset with simulated throttling, median of RUNS (default 5). Requests to
// YouTube and Discord are blocked. The path `radio` is the page of the radio host, `subscriber` that of the demo subscriber's host.
//
// Two blocking times are printed. TBT is Lighthouse's: it multiplies the wall time of each task of the main thread, in which the task also waits for
// a processor that the browser's other processes, Lighthouse and the server use. 'CPU' is the same sum by the processor time of each task
// (`tdur` of the Trace Event Format), from the trace of the same run. The goal applies to 'CPU', which depends on the page alone.

type Brand = (typeof brands)[number]

const [runsText, ...only] = process.argv.slice(2)
const runCount = Number(runsText ?? 5)
const limits = { performance: 97, other: 100, lcpMs: 1800, cls: 0.001, blockingCpuMs: 50 }
/** The maximum number of runs for a result, because a loaded machine loses traces. */
const ATTEMPT_COUNT = 3
/** The part of a task that blocks no input, as in the definition of the total blocking time (https://web.dev/articles/tbt). */
const NON_BLOCKING_MS = 50
/** The hosts that have one page, by the word that selects them. */
const otherHosts = {
  radio: radioOrigin,
  subscriber: (site: Site, { subdomain }: Brand) => site.origin(subdomain === undefined ? 'aria' : `aria.${subdomain}`),
}
const hostWords = Object.keys(otherHosts) as (keyof typeof otherHosts)[]
const isHostWord = (text: string) => hostWords.some((word) => word === text)
const blockedUrlPatterns = ['*youtube.com*', '*youtube-nocookie.com*', '*discord.com*']

/** The median figures of a page. `worstOther` is the lowest score besides the performance. */
interface PageFigures {
  page: string
  performance: number
  worstOther: number
  lcpMs: number
  blockingCpuMs: number
  cls: number
}
const measuredPages: PageFigures[] = []

const site = await startSite()
try {
  const response = await fetch(`http://127.0.0.1:${site.port}/api/playlist/get?p=new`)
  const body = (await response.json()) as { data: { songs: { youtube_id: string }[] } }
  const songId = body.data.songs[0]?.youtube_id ?? ''
  const paths =
    only.length > 0
      ? only.filter((path) => !isHostWord(path))
      : [...sitemapPaths(), '/playlist?p=new', '/search?q=the', `/song?s=${songId}&p=new`]
  process.stdout.write(`${'page'.padEnd(52)} perf a11y best  seo   LCP ms   TBT ms      CPU    CLS\n`)
  for (const brand of brands) {
    for (const path of paths) await runLighthouse(`${brand.id} ${path}`, site.origin(brand.subdomain) + path)
    for (const word of hostWords)
      if (only.length === 0 || only.includes(word)) await runLighthouse(`${brand.id} ${word}`, otherHosts[word](site, brand))
  }
} finally {
  await site.stop()
}

/** Reports the worst value of all pages. Returns whether it is within the limit. */
function reportWorst(name: string, key: Exclude<keyof PageFigures, 'page'>, unit: string, limit: Limit): boolean {
  const sign = limit.atLeast === undefined ? 1 : -1
  const [worstPage] = measuredPages.toSorted((a, b) => sign * (b[key] - a[key]))
  if (worstPage === undefined) return false
  return reportFigure(`${name} of ${measuredPages.length} pages (${worstPage.page})`, worstPage[key], unit, limit)
}

const results = [
  reportWorst('lowest performance', 'performance', '', { atLeast: limits.performance }),
  reportWorst('lowest accessibility, best practices or SEO', 'worstOther', '', { atLeast: limits.other }),
  reportWorst('latest largest contentful paint', 'lcpMs', 'ms', { atMost: limits.lcpMs }),
  reportWorst('longest blocking time, by processor time,', 'blockingCpuMs', 'ms', { atMost: limits.blockingCpuMs }),
  reportWorst('largest layout shift', 'cls', '', { atMost: limits.cls }),
]
process.exitCode = results.every(Boolean) ? 0 : 1

async function runLighthouse(page: string, url: string) {
  const results: number[][] = []
  for (let run = 0; run < runCount; run++) {
    const result = await auditPage(url)
    const { categories, audits } = result.lhr
    results.push([
      ...['performance', 'accessibility', 'best-practices', 'seo'].map((id) => Math.round((categories[id]?.score ?? 0) * 100)),
      ...['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'].map((id) => audits[id]?.numericValue ?? Number.NaN),
      blockingCpuMs(result),
    ])
  }
  const medianOf = (index: number) => median(results.map((result) => result[index] ?? Number.NaN))
  const [performance, accessibility, bestPracticesScore, seo, lcp, tbt, cls, blockingCpu] = [0, 1, 2, 3, 4, 5, 6, 7].map(medianOf) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const worstOther = Math.min(accessibility, bestPracticesScore, seo)
  measuredPages.push({ page, performance, worstOther, lcpMs: lcp, blockingCpuMs: blockingCpu, cls })
  const isMet =
    performance >= limits.performance &&
    worstOther >= limits.other &&
    lcp <= limits.lcpMs &&
    blockingCpu <= limits.blockingCpuMs &&
    cls <= limits.cls
  const scores = [performance, accessibility, bestPracticesScore, seo].map((score) => String(score).padStart(4)).join(' ')
  const figuresText = `${lcp.toFixed(0).padStart(8)} ${tbt.toFixed(0).padStart(8)} ${blockingCpu.toFixed(0).padStart(8)} ${cls.toFixed(3).padStart(6)}`
  process.stdout.write(`${url.replace(/^http:\/\//, '').padEnd(52)} ${scores} ${figuresText} ${isMet ? 'ok' : 'MISSED'}\n`)
}

/** Runs Lighthouse in a browser of its own. A run whose trace lacks the page is repeated, because a loaded machine loses its first events. */
async function auditPage(url: string): Promise<RunnerResult> {
  for (let attempt = 0; attempt < ATTEMPT_COUNT; attempt++) {
    const chrome = await launch({ chromePath: chromiumPath, chromeFlags: [...chromiumFlags, '--headless=new'] })
    try {
      const result = await lighthouse(url, {
        port: chrome.port,
        logLevel: 'error',
        onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
        blockedUrlPatterns,
      })
      if (result !== undefined && Number.isFinite(result.lhr.audits['total-blocking-time']?.numericValue)) return result
    } finally {
      chrome.kill()
    }
  }
  throw new Error(`Lighthouse has no trace of ${url} after ${ATTEMPT_COUNT} runs`)
}

/**
 * Returns the blocking time of the tasks that ended after the first contentful paint, in milliseconds: each task takes its processor time, slowed down as
 * Lighthouse's preset slows the processor down.
 */
function blockingCpuMs({ lhr, artifacts }: RunnerResult): number {
  const trace = TraceProcessor.processTrace(artifacts.Trace)
  const firstPaintUs: number = TraceProcessor.processNavigation(trace).timestamps.firstContentfulPaint
  const events: readonly TraceEvent[] = trace.mainThreadEvents
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && event.ts + (event.dur ?? 0) > firstPaintUs)
  const slowdown = lhr.configSettings.throttling.cpuSlowdownMultiplier
  return tasks.reduce((sum, { tdur = Number.NaN }) => sum + Math.max(0, (tdur / 1000) * slowdown - NON_BLOCKING_MS), 0)
}
