import type { Config } from '../config.ts'
import type { ConversionService } from '../conversion/conversions.ts'
import type { ReadCache } from '../http/read-cache.ts'
import type { PageGate } from '../pages/page-gate.ts'
import type { RadioListeners } from '../radio/listeners.ts'
import type { Storage } from '../storage/open.ts'
import type { Metrics } from './metrics.ts'

interface MeasuredServices {
  config: Pick<Config, 'backup'>
  readCache: Pick<ReadCache, 'counts' | 'size'>
  pageGate: Pick<PageGate<unknown>, 'waitingCount'>
  storage: Pick<Storage, 'mails' | 'checkHealth' | 'readBackupTime'>
  conversions: Pick<ConversionService, 'queueCounts'>
  listeners: Pick<RadioListeners, 'counts'>
}

/** Adds the metrics of the services that the routes share. */
export function addServiceMetrics(
  metrics: Metrics,
  { config, readCache, pageGate, storage, conversions, listeners }: MeasuredServices,
): void {
  const readHitCounts = () => [
    { labels: { outcome: 'hit' }, value: readCache.counts().hits },
    { labels: { outcome: 'miss' }, value: readCache.counts().misses },
  ]
  const helpText = 'Responses that were looked up in memory.'
  metrics.add({
    name: 'varispeed_response_cache_lookups_total',
    help: helpText,
    kind: 'counter',
    labelNames: ['outcome'],
    read: readHitCounts,
  })
  metrics.add({ name: 'varispeed_response_cache_entries', help: 'Responses in memory.', kind: 'gauge', read: readCache.size })
  metrics.add({
    name: 'varispeed_pages_waiting',
    help: 'Pages of this process that wait to be rendered.',
    kind: 'gauge',
    read: pageGate.waitingCount,
  })
  metrics.add({
    name: 'varispeed_mails_waiting',
    help: 'Mails to be sent, of all processes.',
    kind: 'gauge',
    read: storage.mails.countWaiting,
  })
  metrics.add({
    name: 'varispeed_conversions',
    help: 'Conversions of this process that wait or run.',
    kind: 'gauge',
    labelNames: ['state'],
    read: () => Object.entries(conversions.queueCounts()).map(([state, value]) => ({ labels: { state }, value })),
  })
  metrics.add({
    name: 'varispeed_radio_listeners',
    help: 'Listeners of each station that this process has counted.',
    kind: 'gauge',
    labelNames: ['station'],
    read: () => listeners.counts().map(({ station, count }) => ({ labels: { station }, value: count })),
  })
  if (config.backup !== undefined)
    metrics.add({
      name: 'varispeed_last_backup_timestamp_seconds',
      help: 'Time of the last backup that was restored and compared, of all processes; 0 if there is none.',
      kind: 'gauge',
      read: async () => (await storage.readBackupTime()) / 1000,
    })
  metrics.add({
    name: 'varispeed_database_up',
    help: '1 if the database reads and writes within 3 s, else 0.',
    kind: 'gauge',
    read: () => storage.checkHealth().then(() => 1),
    valueOnFailure: 0,
  })
}
