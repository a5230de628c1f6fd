import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { findPageAt } from '../../contract/pages.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Log } from '../log.ts'
import type { StorageOptions } from '../storage/open.ts'

/** A query that takes longer than this is logged. */
const SLOW_QUERY_MS = 250
const REQUEST_BUCKETS_SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]
const QUERY_BUCKETS_SECONDS = [0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5]
/** The time for reading a value, far less than the 10 s after which Prometheus gives up by default. */
const READ_MAX_MS = 3000

/** The value of a metric when Prometheus requests the metrics; or several values, each with different labels. */
type MetricReading = number | readonly { labels: Readonly<Record<string, string>>; value: number }[]

interface ReadMetric {
  name: string
  help: string
  kind: 'gauge' | 'counter'
  labelNames?: readonly string[]
  read: () => MetricReading | Promise<MetricReading>
  /** The value if reading fails or takes longer than `READ_MAX_MS`. If undefined, the metric is left out then. */
  valueOnFailure?: number
}

/** Resolves like `reading`, or with undefined if it fails or takes longer than `READ_MAX_MS`. */
const waitForReading = (reading: Promise<MetricReading>) =>
  new Promise<MetricReading | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), READ_MAX_MS)
    reading.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })

/**
 * Creates the metrics of this process in the format of Prometheus. Names and units follow its conventions: base units, and the ending of counters
 * (https://prometheus.io/docs/practices/naming/). No label has a value that visitors choose, so that the number of series is bounded.
 */
export function createMetrics({ build, log }: { build: string; log: Log }) {
  const metricRegistry = new Registry()
  const allRegistries = [metricRegistry]
  collectDefaultMetrics({ register: metricRegistry })
  new Gauge({
    name: 'varispeed_build_info',
    help: 'Always 1; the label names the build.',
    labelNames: ['build'],
    registers: allRegistries,
  }).set({ build }, 1)
  const requestHistogram = new Histogram({
    name: 'varispeed_http_request_duration_seconds',
    help: 'Requests by route, method and class of status, from the first byte of the request to the last byte of the response.',
    labelNames: ['route', 'method', 'status'],
    buckets: REQUEST_BUCKETS_SECONDS,
    registers: allRegistries,
  })
  const queryHistogram = new Histogram({
    name: 'varispeed_query_duration_seconds',
    help: 'Queries of the database by their first word.',
    labelNames: ['statement'],
    buckets: QUERY_BUCKETS_SECONDS,
    registers: allRegistries,
  })
  const failedQueryCounter = new Counter({
    name: 'varispeed_query_failures_total',
    help: 'Queries that the database refused.',
    registers: allRegistries,
  })

  const fileStoreCallCounter = new Counter({
    name: 'varispeed_file_store_calls_total',
    help: 'Calls of the store of files by function; failed ones are those that the store did not answer.',
    labelNames: ['call', 'outcome'],
    registers: allRegistries,
  })

  /** Records a query. The log gets the text of a slow query without its values, because these may be personal. */
  const observeQuery: NonNullable<StorageOptions['observeQuery']> = ({ sql, durationMs, hasFailed }) => {
    queryHistogram.observe({ statement: /^\w{1,12}/.exec(sql)?.[0].toLowerCase() ?? 'other' }, durationMs / 1000)
    if (hasFailed) failedQueryCounter.inc()
    if (durationMs > SLOW_QUERY_MS) log.warn({ sql: sql.slice(0, 2000), ms: Math.round(durationMs) }, 'slow query')
  }

  return {
    observeQuery,

    /** Records every request of the app. Call this before the app's routes are registered. */
    observeRequests(app: FastifyInstance): void {
      app.addHook('onResponse', (request, reply, done) => {
        // Pages that are not in the page table have no route: the not-found handler sends them.
        const { url } = request.routeOptions
        const routeLabel = request.is404 || url === undefined || findPageAt(url) !== undefined ? 'page' : url
        requestHistogram.observe(
          { route: routeLabel, method: request.method, status: `${Math.floor(reply.statusCode / 100)}xx` },
          reply.elapsedTime / 1000,
        )
        done()
      })
    },

    /** Returns the store with its calls recorded. */
    observeFileStore(store: FileStore): FileStore {
      async function recordCall<T>(callName: keyof FileStore, callPromise: Promise<T>): Promise<T> {
        let callOutcome = 'failed'
        try {
          const result = await callPromise
          callOutcome = 'done'
          return result
        } finally {
          fileStoreCallCounter.inc({ call: callName, outcome: callOutcome })
        }
      }
      return {
        put: (...input) => recordCall('put', store.put(...input)),
        moveIn: (...input) => recordCall('moveIn', store.moveIn(...input)),
        open: (...input) => recordCall('open', store.open(...input)),
        size: (...input) => recordCall('size', store.size(...input)),
        localPath: (...input) => recordCall('localPath', store.localPath(...input)),
        delete: (...input) => recordCall('delete', store.delete(...input)),
        list: (...input) => recordCall('list', store.list(...input)),
      }
    },

    /** Adds a metric whose value is read when Prometheus requests the metrics. */
    add({ name, help, kind, labelNames = [], read, valueOnFailure }: ReadMetric): void {
      const metricOptions = { name, help, labelNames: [...labelNames], registers: allRegistries }
      const metric: Gauge | Counter =
        kind === 'gauge'
          ? new Gauge({ ...metricOptions, collect: collectMetrics })
          : new Counter({ ...metricOptions, collect: collectMetrics })
      let pendingReading: Promise<MetricReading> | undefined
      async function collectMetrics(): Promise<void> {
        // Requests share a running read, so that those of a database that does not answer use one connection each, however many requests come.
        pendingReading ??= Promise.resolve()
          .then(read)
          .finally(() => {
            pendingReading = undefined
          })
        const reading = (await waitForReading(pendingReading)) ?? valueOnFailure
        // From here on nothing is awaited, because the reads of overlapping requests would add up.
        metric.reset()
        if (typeof reading === 'number') metric.inc(reading)
        else if (reading !== undefined) for (const { labels, value } of reading) metric.inc({ ...labels }, value)
        else if (labelNames.length === 0) metric.remove()
      }
    },

    contentType: metricRegistry.contentType,
    /** Resolves with the text that Prometheus reads. */
    read: (): Promise<string> => metricRegistry.metrics(),
  }
}
export type Metrics = ReturnType<typeof createMetrics>
