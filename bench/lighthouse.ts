import { launch } from 'chrome-launcher'
import lighthouse, { type RunnerResult } from 'lighthouse'
import { TraceProcessor } from 'lighthouse/core/lib/tracehouse/trace-processor.js'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { brands } from '../e2e/fixtures.ts'
import { createSharedListPath } from '../e2e/own-playlist-steps.ts'
import { createRadioOrigin } from '../e2e/radio-steps.ts'
import { type Site, startSite } from '../e2e/server.ts'
import type { TraceEvent } from '../e2e/task-times.ts'
import { listSitemapPaths } from '../server/pages/indexing.ts'
import { computeMedian, type FigureLimit, reportFigure } from './report.ts'

// `npm run bench -- lighthouse [RUNS] [PATH…]`: Lighthouse's mobile preset with simulated throttling, median of RUNS (default 5). Requests to
// YouTube and Discord are blocked. The path `radio` is the page of the radio host, `subscriber` that of the demo subscriber's host, `list` that of a
// shared playlist that search engines may index.
//
// Two blocking times are printed. TBT is Lighthouse's: it multiplies the wall time of each task of the main thread, in which the task also waits for
// a processor that the browser's other processes, Lighthouse and the server use. 'CPU' is the same sum by the processor time of each task
// (`tdur` of the Trace Event Format), from the trace of the same run. The goal applies to 'CPU', which depends on the page alone.

type Brand = (typeof brands)[number]

const [runsText, ...chosenPages] = process.argv.slice(2)
const runCount = Number(runsText ?? 5)
const goalLimits = { performance: 97, other: 100, lcpMs: 1800, cls: 0.001, blockingCpuMs: 50 }
/** How often Lighthouse is run at most until a run has a complete trace: on a loaded machine, a trace may lack events. */
const RUN_ATTEMPTS_MAX = 3
/** The part of a task that blocks no input, as in the definition of the total blocking time (https://web.dev/articles/tbt). */
const TASK_NON_BLOCKING_MS = 50
/** The hosts of which only the home page is measured, by the word that stands for the host on the command line. */
const originByHostWord = {
  radio: createRadioOrigin,
  subscriber: (site: Site, { subdomain }: Brand) => site.origin(subdomain === undefined ? 'aria' : `aria.${subdomain}`),
}
const hostWords = Object.keys(originByHostWord) as (keyof typeof originByHostWord)[]
const LIST_WORD = 'list'
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
  const playlistBody = (await response.json()) as { data: { songs: { youtube_id: string }[] } }
  const songIds = playlistBody.data.songs.map((song) => song.youtube_id)
  const pagePaths =
    chosenPages.length > 0
      ? chosenPages.filter((path) => !isHostWord(path))
      : [...listSitemapPaths(), '/playlist?p=new', '/search?q=the', `/song?s=${songIds[0] ?? ''}&p=new`, LIST_WORD]
  const sharedListPath = pagePaths.includes(LIST_WORD) ? await createSharedListPath(site, songIds) : ''
  const urlPaths = pagePaths.map((path) => (path === LIST_WORD ? sharedListPath : path))
  process.stdout.write(`${'page'.padEnd(52)} perf a11y best  seo   LCP ms   TBT ms      CPU    CLS\n`)
  for (const brand of brands) {
    for (const path of urlPaths) await runLighthouse(`${brand.id} ${path}`, site.origin(brand.subdomain) + path)
    for (const word of hostWords)
      if (chosenPages.length === 0 || chosenPages.includes(word))
        await runLighthouse(`${brand.id} ${word}`, originByHostWord[word](site, brand))
  }
} finally {
  await site.stop()
}

/** Reports the worst value of all pages. Returns whether it is within the limit. */
function reportWorst(figureName: string, figureKey: Exclude<keyof PageFigures, 'page'>, figureUnit: string, limit: FigureLimit): boolean {
  const sortSign = limit.atLeast === undefined ? 1 : -1
  const [worstPage] = measuredPages.toSorted((a, b) => sortSign * (b[figureKey] - a[figureKey]))
  if (worstPage === undefined) return false
  return reportFigure(`${figureName} of ${measuredPages.length} pages (${worstPage.page})`, worstPage[figureKey], figureUnit, limit)
}

const goalResults = [
  reportWorst('lowest performance', 'performance', '', { atLeast: goalLimits.performance }),
  reportWorst('lowest accessibility, best practices or SEO', 'worstOther', '', { atLeast: goalLimits.other }),
  reportWorst('latest largest contentful paint', 'lcpMs', 'ms', { atMost: goalLimits.lcpMs }),
  reportWorst('longest blocking time, by processor time,', 'blockingCpuMs', 'ms', { atMost: goalLimits.blockingCpuMs }),
  reportWorst('largest layout shift', 'cls', '', { atMost: goalLimits.cls }),
]
process.exitCode = goalResults.every(Boolean) ? 0 : 1

async function runLighthouse(pageName: string, url: string) {
  const resultsByRun: number[][] = []
  for (let runIndex = 0; runIndex < runCount; runIndex++) {
    const pageAudit = await auditPage(url)
    const { categories, audits } = pageAudit.lhr
    resultsByRun.push([
      ...['performance', 'accessibility', 'best-practices', 'seo'].map((id) => Math.round((categories[id]?.score ?? 0) * 100)),
      ...['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'].map((id) => audits[id]?.numericValue ?? Number.NaN),
      computeBlockingCpuMs(pageAudit),
    ])
  }
  const computeMedianAt = (index: number) => computeMedian(resultsByRun.map((result) => result[index] ?? Number.NaN))
  const [performanceScore, accessibilityScore, bestPracticesScore, seoScore, lcpMs, tbtMs, layoutShift, blockingCpu] = [
    0, 1, 2, 3, 4, 5, 6, 7,
  ].map(computeMedianAt) as [number, number, number, number, number, number, number, number]
  const worstOther = Math.min(accessibilityScore, bestPracticesScore, seoScore)
  measuredPages.push({
    page: pageName,
    performance: performanceScore,
    worstOther,
    lcpMs,
    blockingCpuMs: blockingCpu,
    cls: layoutShift,
  })
  const isGoalMet =
    performanceScore >= goalLimits.performance &&
    worstOther >= goalLimits.other &&
    lcpMs <= goalLimits.lcpMs &&
    blockingCpu <= goalLimits.blockingCpuMs &&
    layoutShift <= goalLimits.cls
  const scores = [performanceScore, accessibilityScore, bestPracticesScore, seoScore].map((score) => String(score).padStart(4)).join(' ')
  const figuresText = `${lcpMs.toFixed(0).padStart(8)} ${tbtMs.toFixed(0).padStart(8)} ${blockingCpu.toFixed(0).padStart(8)} ${layoutShift.toFixed(3).padStart(6)}`
  process.stdout.write(`${url.replace(/^http:\/\//, '').padEnd(52)} ${scores} ${figuresText} ${isGoalMet ? 'ok' : 'MISSED'}\n`)
}

/** Runs Lighthouse in a browser of its own. A run whose trace lacks the page is repeated, because a loaded machine loses its first events. */
async function auditPage(url: string): Promise<RunnerResult> {
  for (let attempt = 0; attempt < RUN_ATTEMPTS_MAX; attempt++) {
    const chrome = await launch({ chromePath: chromiumPath, chromeFlags: [...chromiumFlags, '--headless=new'] })
    try {
      const lighthouseResult = await lighthouse(url, {
        port: chrome.port,
        logLevel: 'error',
        onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
        blockedUrlPatterns,
      })
      if (lighthouseResult !== undefined && Number.isFinite(lighthouseResult.lhr.audits['total-blocking-time']?.numericValue))
        return lighthouseResult
    } finally {
      chrome.kill()
    }
  }
  throw new Error(`Lighthouse has no trace of ${url} after ${RUN_ATTEMPTS_MAX} runs`)
}

/**
 * Returns the blocking time of the tasks that ended after the first contentful paint, in milliseconds: each task takes its processor time, slowed down as
 * Lighthouse's preset slows the processor down. A task without a processor time in the trace takes its wall time.
 */
function computeBlockingCpuMs({ lhr, artifacts }: RunnerResult): number {
  const trace = TraceProcessor.processTrace(artifacts.Trace)
  const firstPaintUs: number = TraceProcessor.processNavigation(trace).timestamps.firstContentfulPaint
  const traceEvents: readonly TraceEvent[] = trace.mainThreadEvents
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && event.ts + (event.dur ?? 0) > firstPaintUs)
  const slowdown = lhr.configSettings.throttling.cpuSlowdownMultiplier
  return tasks.reduce((sum, { dur = 0, tdur = dur }) => sum + Math.max(0, (tdur / 1000) * slowdown - TASK_NON_BLOCKING_MS), 0)
}
