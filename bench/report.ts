/** Prints a measured figure with its limit. Returns whether the figure is within the limit. */
export function reportFigure(name: string, value: number, unit: string, limit?: { atMost?: number; atLeast?: number }): boolean {
  const isMet = (limit?.atMost === undefined || value <= limit.atMost) && (limit?.atLeast === undefined || value >= limit.atLeast)
  const goal = limit?.atMost !== undefined ? `<= ${limit.atMost}` : limit?.atLeast !== undefined ? `>= ${limit.atLeast}` : ''
  const figureText = value >= 100 ? value.toFixed(0) : value.toFixed(2)
  process.stdout.write(
    `${name.padEnd(56)} ${figureText.padStart(9)} ${unit.padEnd(5)} ${goal.padEnd(10)} ${limit === undefined ? '' : isMet ? 'ok' : 'MISSED'}\n`,
  )
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
