import autocannon, { type Request } from 'autocannon'
import { readProcessCpuMs } from '../server/testing/main-thread-cpu.ts'
import { computeMedian } from './report.ts'

const CONNECTION_COUNT = 40
/** How long a process needs until its code is compiled. */
const WARM_UP_SECONDS = 2

/** A request: a path, and method, headers and body unless it is a plain GET. A list of requests is sent in its order, again and again. */
export interface HttpLoad extends Pick<Request, 'method' | 'headers' | 'body'> {
  path: string
  requests?: Request[]
  connections?: number
}

interface RequestRate {
  requestsPerSecond: number
  p99Ms: number
  failureCount: number
}

/** Loads a server for a time in seconds, or with an amount of requests. */
async function loadServer(
  port: number,
  { path, connections = CONNECTION_COUNT, ...request }: HttpLoad,
  loadLength: { duration: number } | { amount: number },
): Promise<RequestRate> {
  const { requests, latency, non2xx, errors, timeouts } = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections,
    ...loadLength,
    ...request,
  })
  return { requestsPerSecond: requests.average, p99Ms: latency.p99, failureCount: non2xx + errors + timeouts }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const summarizeRates = (sliceRates: readonly RequestRate[]): RequestRate => ({
  requestsPerSecond: sum(sliceRates.map(({ requestsPerSecond }) => requestsPerSecond)) / sliceRates.length,
  p99Ms: computeMedian(sliceRates.map(({ p99Ms }) => p99Ms)),
  failureCount: sum(sliceRates.map(({ failureCount: failures }) => failures)),
})

/**
 * Loads two servers, which alternate each second, so that other load on the machine affects both. Resolves with the figures of each server, in the
 * same order.
 */
export async function loadAlternately(servers: readonly { port: number; load: HttpLoad }[], durationS: number): Promise<RequestRate[]> {
  for (const { port, load } of servers) await loadServer(port, load, { duration: WARM_UP_SECONDS })
  const rateSlices: RequestRate[][] = servers.map(() => [])
  for (let second = 0; second < durationS; second++)
    for (const [index, { port, load }] of servers.entries()) rateSlices[index]?.push(await loadServer(port, load, { duration: 1 }))
  return rateSlices.map(summarizeRates)
}

/** Numbers of requests that warm up a process and that one slice contains, and the number of measured slices. */
export interface RequestAmounts {
  warmUp: number
  slice: number
  slices: number
}

/**
 * Loads two servers, which alternate after each slice. Resolves with the processor time per answer in microseconds of both in each slice, in the
 * order of the servers. Unlike the number of responses per second, this time depends little on other load of the machine.
 */
export async function measureCpuAlternately(
  servers: readonly { port: number; pid: number; load: HttpLoad }[],
  { warmUp, slice, slices }: RequestAmounts,
): Promise<{ cpuUs: number[][]; failureCount: number }> {
  let failureCount = 0
  async function measureCpuUs({ port, pid, load }: (typeof servers)[number], requestCount: number): Promise<number> {
    const startMs = readProcessCpuMs(pid)
    failureCount += (await loadServer(port, load, { amount: requestCount })).failureCount
    return ((readProcessCpuMs(pid) - startMs) * 1000) / requestCount
  }
  for (const server of servers) await measureCpuUs(server, warmUp)
  const cpuUsBySlice: number[][] = []
  for (let index = 0; index < slices; index++) {
    const sliceUs: number[] = []
    for (const server of servers) sliceUs.push(await measureCpuUs(server, slice))
    cpuUsBySlice.push(sliceUs)
  }
  return { cpuUs: cpuUsBySlice, failureCount }
}
