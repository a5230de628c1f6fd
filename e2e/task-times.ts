/**
 * An event of Chromium's traces, in the Trace Event Format
 * (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
 */
export interface TraceEvent {
  readonly name: string
  /** The start and the wall time of a task, in microseconds. */
  readonly ts: number
  readonly dur?: number
  readonly pid: number
  readonly tid: number
  /** The processor time of a task, in microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The categories of a trace for `findLongestTaskMs`. */
export const taskTraceCategories = ['toplevel']

/** Returns the longest processor time of a task on the main thread of a page, in milliseconds. */
export function findLongestTaskMs(traceJson: Buffer): number {
  // The cast is safe, because Chromium writes traces in this format.
  const { traceEvents } = JSON.parse(traceJson.toString()) as { traceEvents: readonly TraceEvent[] }
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const taskMs = traceEvents
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && mainThreads.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000)
  if (taskMs.every((ms) => ms === 0)) throw new Error('the trace has no processor times')
  return Math.max(...taskMs)
}
