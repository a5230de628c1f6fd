import autocannon, { type Request } from 'autocannon'
import { median } from './report.ts'

const CONNECTION_COUNT = 40
/** How long a process needs until its code is compiled. */
const WARM_UP_SECONDS = 2

/** What is requested: a path, and method, headers and body if it is no plain GET. */
export interface Load extends Pick<Request, 'method' | 'headers' | 'body'> {
  path: string
  connections?: number
}

interface Pace {
  perSecond: number
  p99Ms: number
  failures: number
}

async function loadServer(port: number, { path, connections = CONNECTION_COUNT, ...request }: Load, seconds: number): Promise<Pace> {
  const { requests, latency, non2xx, errors, timeouts } = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections,
    duration: seconds,
    ...request,
  })
  return { perSecond: requests.average, p99Ms: latency.p99, failures: non2xx + errors + timeouts }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const summarize = (slices: readonly Pace[]): Pace => ({
  perSecond: sum(slices.map(({ perSecond }) => perSecond)) / slices.length,
  p99Ms: median(slices.map(({ p99Ms }) => p99Ms)),
  failures: sum(slices.map(({ failures }) => failures)),
})

/** Loads two servers, which alternate each second, so that other load on the machine meets both. Resolves with the pace of each, in the same order. */
export async function loadAlternately(servers: readonly { port: number; load: Load }[], seconds: number): Promise<Pace[]> {
  for (const { port, load } of servers) await loadServer(port, load, WARM_UP_SECONDS)
  const slices: Pace[][] = servers.map(() => [])
  for (let second = 0; second < seconds; second++)
    for (const [index, { port, load }] of servers.entries()) slices[index]?.push(await loadServer(port, load, 1))
  return slices.map(summarize)
}
