import { appendFileSync } from 'node:fs'

export interface Limit {
  atMost?: number
  atLeast?: number
}
/** A measured figure. `limit` is the goal that it must reach, if it has one. */
export interface Figure {
  name: string
  value: number
  unit: string
  limit?: Limit
}

/** The environment variable with the path of the file to which each benchmark appends its figures as a line of JSON. */
export const FIGURES_FILE_VARIABLE = 'BENCH_FIGURES_FILE'

export const isWithin = (value: number, limit: Limit): boolean =>
  (limit.atMost === undefined || value <= limit.atMost) && (limit.atLeast === undefined || value >= limit.atLeast)

export const formatValue = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2))
export const formatLimit = ({ atMost, atLeast }: Limit): string =>
  atMost !== undefined ? `<= ${atMost}` : atLeast !== undefined ? `>= ${atLeast}` : ''

/** Adds a figure to the report of `npm run bench`, without printing it. */
export function recordFigure(figure: Figure): void {
  const file = process.env[FIGURES_FILE_VARIABLE]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}

/** Prints a measured figure with its limit, and adds it to the report. Returns whether the figure is within the limit. */
export function reportFigure(name: string, value: number, unit: string, limit?: Limit): boolean {
  const isMet = limit === undefined || isWithin(value, limit)
  recordFigure({ name, value, unit, ...(limit && { limit }) })
  const outcome = limit === undefined ? '' : isMet ? 'ok' : 'MISSED'
  const goal = limit === undefined ? '' : formatLimit(limit)
  process.stdout.write(`${name.padEnd(56)} ${formatValue(value).padStart(9)} ${unit.padEnd(5)} ${goal.padEnd(10)} ${outcome}\n`)
  return isMet
}

export function median(values: readonly number[]): number {
  const sortedValues = [...values].sort((a, b) => a - b)
  return sortedValues[Math.floor(sortedValues.length / 2)] ?? Number.NaN
}

export function percentile(values: readonly number[], share: number): number {
  const sortedValues = [...values].sort((a, b) => a - b)
  return sortedValues[Math.min(sortedValues.length - 1, Math.floor(sortedValues.length * share))] ?? Number.NaN
}
