import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Figure, type FigureLimit, formatLimit, formatValue, isWithinLimit } from './report.ts'

/** The figures of one run of a benchmark. */
export interface BenchmarkRun {
  /** When the run ended, as an ISO date. */
  measuredAt: string
  /** The commit that was measured; followed by `+` if files differed from it. */
  commit: string
  figures: Figure[]
}
/** The latest run of each benchmark, by its name. */
export type BenchmarkRuns = Record<string, BenchmarkRun>

const benchmarksDir = fileURLToPath(new URL('../docs/benchmarks/', import.meta.url))
const figuresFile = `${benchmarksDir}figures.json`

export function readRuns(): BenchmarkRuns {
  try {
    return JSON.parse(readFileSync(figuresFile, 'utf8'))
  } catch {
    return {}
  }
}

type LimitedFigure = Figure & { limit: FigureLimit }
const hasFigureLimit = (figure: Figure): figure is LimitedFigure => figure.limit !== undefined
const hasMissedLimit = ({ value, limit }: LimitedFigure) => !isWithinLimit(value, limit)

/** Returns how much of its limit a figure takes: at most 1 if the limit is met. */
function computeLimitShare({ value, limit }: LimitedFigure): number {
  if (limit.atMost !== undefined) return limit.atMost === 0 ? (value === 0 ? 0 : Number.POSITIVE_INFINITY) : value / limit.atMost
  return limit.atLeast === undefined || value === 0 ? Number.POSITIVE_INFINITY : limit.atLeast / value
}

const escapeXml = (text: string) => text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`)

const chartSizes = { width: 860, rowHeight: 26, nameWidth: 430, barWidth: 300, maxShare: 2 }

/** Draws each figure as a bar, in proportion to its limit. The line marks the limit; a bar ends at twice the limit. */
function drawChart(chartTitle: string, figures: readonly LimitedFigure[]): string {
  const { width, rowHeight, nameWidth, barWidth, maxShare } = chartSizes
  const chartHeight = figures.length * rowHeight + 12
  const limitX = nameWidth + barWidth / maxShare
  const svgRows = figures.map((figure, index) => {
    const y = index * rowHeight + 6
    const barLength = (Math.min(computeLimitShare(figure), maxShare) / maxShare) * barWidth
    const color = hasMissedLimit(figure) ? '#c2410c' : '#15803d'
    const text = `${formatValue(figure.value)} ${figure.unit}`.trim()
    return `<text x="${nameWidth - 10}" y="${y + 17}" text-anchor="end">${escapeXml(figure.name)}</text><rect x="${nameWidth}" y="${y + 4}" width="${barLength.toFixed(1)}" height="${rowHeight - 8}" rx="3" fill="${color}"/><text x="${nameWidth + barWidth + 10}" y="${y + 17}">${escapeXml(text)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${chartHeight}" font-family="system-ui, sans-serif" font-size="13"><title>${escapeXml(chartTitle)}</title><rect width="${width}" height="${chartHeight}" fill="#fff"/>${svgRows.join('')}<path d="M${limitX} 0V${chartHeight}" stroke="#111" stroke-dasharray="4 3"/></svg>\n`
}

const formatChartTitle = (name: string) => `Figures of ${name}, as shares of their limits`

const formatTableRow = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

function describeFigure(figure: Figure): string {
  const outcomeText = hasFigureLimit(figure) ? (hasMissedLimit(figure) ? '**missed**' : 'met') : ''
  return formatTableRow([
    figure.name,
    `${formatValue(figure.value)} ${figure.unit}`.trim(),
    figure.limit ? formatLimit(figure.limit) : '',
    outcomeText,
  ])
}

function describeRun(runName: string, { measuredAt, commit, figures }: BenchmarkRun): string {
  const picture = figures.some(hasFigureLimit) ? `![${formatChartTitle(runName)}](${runName}.svg)\n\n` : ''
  return `## ${runName}\n\nMeasured ${measuredAt.slice(0, 10)} at ${commit}.\n\n${picture}| figure | value | limit | |\n|---|---|---|---|\n${figures.map(describeFigure).join('\n')}\n`
}

/** Writes the report of all runs to `docs/benchmarks/`: `figures.json`, `README.md`, and a chart for each benchmark that has limits. */
export function writeReport(runs: BenchmarkRuns): void {
  rmSync(benchmarksDir, { recursive: true, force: true })
  mkdirSync(benchmarksDir, { recursive: true })
  writeFileSync(figuresFile, `${JSON.stringify(runs, null, 2)}\n`)
  const runEntries = Object.entries(runs)
  const missedGoals = runEntries.flatMap(([runName, { figures }]) =>
    figures
      .filter(hasFigureLimit)
      .filter(hasMissedLimit)
      .map((figure) => ({ name: runName, figure })),
  )
  const missedLines = missedGoals.map(
    ({ name, figure }) => `- ${name}: ${figure.name}: ${formatValue(figure.value)} ${figure.unit} (limit ${formatLimit(figure.limit)})`,
  )
  const [cpuInfo] = cpus()
  const reportHeader = `# Benchmarks

\`npm run bench\` measures and writes this page; \`npm run bench -- --report NAME…\` measures the benchmarks NAME and keeps the figures of the others.
Ratios compare both sides within one run. Times depend on the machine: ${cpus().length} x ${cpuInfo?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB. In a chart, a bar
shows how much of its limit a figure takes, and the dashed line is the limit.

## What falls short

${missedLines.length === 0 ? 'Nothing.' : missedLines.join('\n')}
`
  writeFileSync(`${benchmarksDir}README.md`, [reportHeader, ...runEntries.map(([name, run]) => describeRun(name, run))].join('\n'))
  for (const [name, { figures }] of runEntries)
    if (figures.some(hasFigureLimit))
      writeFileSync(`${benchmarksDir}${name}.svg`, drawChart(formatChartTitle(name), figures.filter(hasFigureLimit)))
}
