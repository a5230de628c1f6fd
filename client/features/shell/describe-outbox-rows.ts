import type { OutboxRow } from '../../hooks/outbox.ts'
import { formatPlural } from '../../ui/format.ts'

const callNouns = [
  ['POST /favorite/sync', 'favorite'],
  ['POST /make/history', 'exported file'],
  ['POST /contact/request', 'message'],
  ['POST /song/play', 'play'],
] as const

/** Describes the outbox rows by their kind and number, for example `2 favorites and 1 message`. */
export function describeOutboxRows(rows: readonly OutboxRow[]): string {
  const parts = callNouns.flatMap(([call, noun]) => {
    const count = rows.filter((row) => row.call === call).length
    return count === 0 ? [] : [formatPlural(count, noun)]
  })
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(' and ')
}
