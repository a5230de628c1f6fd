import type { OutboxRow } from '../../bindings/unsent.ts'

export type ChangeKind = 'added' | 'removed' | 'export' | 'play' | 'report' | 'message'

/** What the site was not told yet, as a person knows it: repeated taps and plays of one song are one. */
export interface UnsentChange {
  ids: readonly string[]
  kind: ChangeKind
  /** A song's id, a file's name, or the beginning of a message. */
  subject: string
  isSong: boolean
  /** Why the site refused it; undefined while it waits. */
  refusal: string | undefined
}

const MESSAGE_SHOWN = 80

/** Oldest first. */
export function unsentChanges(rows: readonly OutboxRow[]): UnsentChange[] {
  const changes = new Map<string, UnsentChange>()
  for (const row of rows) {
    const refusal = row.state === 'failed' ? row.lastError : undefined
    const { kind, subject, isSong } = contentOf(row)
    // Of the taps on one song the last one counts.
    const key = isSong ? `${row.call} ${subject} ${row.state}` : row.id
    changes.set(key, { ids: [...(changes.get(key)?.ids ?? []), row.id], kind, subject, isSong, refusal })
  }
  return [...changes.values()]
}

function contentOf(row: OutboxRow): Pick<UnsentChange, 'kind' | 'subject' | 'isSong'> {
  switch (row.call) {
    case 'POST /favorite/sync':
      return { kind: row.body.favorite ? 'added' : 'removed', subject: row.body.s, isSong: true }
    case 'POST /song/play':
      return { kind: 'play', subject: row.body.s, isSong: true }
    case 'POST /make/history':
      return { kind: 'export', subject: row.body.file_name, isSong: false }
    case 'POST /contact/request': {
      const subject = (row.body.message ?? '').slice(0, MESSAGE_SHOWN)
      return { kind: row.body.topic === 'song-report' ? 'report' : 'message', subject, isSong: false }
    }
  }
}
