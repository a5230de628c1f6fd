/** A measured figure and the limit that it must keep; prints one line and gives whether it was kept. */
export function report(name: string, value: number, unit: string, limit?: { atMost?: number; atLeast?: number }): boolean {
  const kept = (limit?.atMost === undefined || value <= limit.atMost) && (limit?.atLeast === undefined || value >= limit.atLeast)
  const goal = limit?.atMost !== undefined ? `<= ${limit.atMost}` : limit?.atLeast !== undefined ? `>= ${limit.atLeast}` : ''
  const figure = value >= 100 ? value.toFixed(0) : value.toFixed(2)
  process.stdout.write(
    `${name.padEnd(56)} ${figure.padStart(9)} ${unit.padEnd(5)} ${goal.padEnd(10)} ${limit === undefined ? '' : kept ? 'ok' : 'MISSED'}\n`,
  )
  return kept
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
