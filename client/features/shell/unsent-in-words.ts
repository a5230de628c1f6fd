import type { OutboxRow } from '../../bindings/unsent.ts'
import { formatPlural } from '../../ui/format.ts'

const kinds = [
  ['POST /favorite/sync', 'favorite'],
  ['POST /make/history', 'exported file'],
  ['POST /contact/request', 'message'],
  ['POST /song/play', 'play'],
] as const

/** How many there are of what kind, in words: `2 favorites and 1 message`. */
export function unsentInWords(rows: readonly OutboxRow[]): string {
  const parts = kinds.flatMap(([call, one]) => {
    const count = rows.filter((row) => row.call === call).length
    return count === 0 ? [] : [formatPlural(count, one)]
  })
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(' and ')
}
