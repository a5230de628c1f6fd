import { appendFileSync } from 'node:fs'

export interface FigureLimit {
  atMost?: number
  atLeast?: number
}
/** A measured figure. `limit` is the goal that it must reach, if it has one. */
export interface Figure {
  name: string
  value: number
  unit: string
  limit?: FigureLimit
}

/** The environment variable with the path of the file to which each benchmark appends its figures as a line of JSON. */
export const FIGURES_FILE_VARIABLE = 'BENCH_FIGURES_FILE'

export const isWithinLimit = (value: number, limit: FigureLimit): boolean =>
  (limit.atMost === undefined || value <= limit.atMost) && (limit.atLeast === undefined || value >= limit.atLeast)

export const formatValue = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2))
export const formatLimit = ({ atMost, atLeast }: FigureLimit): string =>
  atMost !== undefined ? `<= ${atMost}` : atLeast !== undefined ? `>= ${atLeast}` : ''

/** Adds a figure to the report of `npm run bench`, without printing it. */
export function recordFigure(figure: Figure): void {
  const file = process.env[FIGURES_FILE_VARIABLE]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}

/** Prints a measured figure with its limit, and adds it to the report. Returns whether the figure is within the limit. */
export function reportFigure(figureName: string, figureValue: number, figureUnit: string, limit?: FigureLimit): boolean {
  const isGoalMet = limit === undefined || isWithinLimit(figureValue, limit)
  recordFigure({ name: figureName, value: figureValue, unit: figureUnit, ...(limit && { limit }) })
  const outcomeText = limit === undefined ? '' : isGoalMet ? 'ok' : 'MISSED'
  const goalText = limit === undefined ? '' : formatLimit(limit)
  process.stdout.write(
    `${figureName.padEnd(56)} ${formatValue(figureValue).padStart(9)} ${figureUnit.padEnd(5)} ${goalText.padEnd(10)} ${outcomeText}\n`,
  )
  return isGoalMet
}

export function computeMedian(sampleValues: readonly number[]): number {
  const sortedValues = [...sampleValues].sort((a, b) => a - b)
  return sortedValues[Math.floor(sortedValues.length / 2)] ?? Number.NaN
}

export function computePercentile(sampleValues: readonly number[], percentileShare: number): number {
  const sortedValues = [...sampleValues].sort((a, b) => a - b)
  return sortedValues[Math.min(sortedValues.length - 1, Math.floor(sortedValues.length * percentileShare))] ?? Number.NaN
}
