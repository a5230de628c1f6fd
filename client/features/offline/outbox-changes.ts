import { formTopics } from '../../../contract/contact-rules.ts'
import type { OutboxRow } from '../../hooks/outbox.ts'

export type ChangeKind = 'added' | 'removed' | 'playlist' | 'followed' | 'unfollowed' | 'export' | 'play' | 'report' | 'message'

/** A change in the outbox as shown to the visitor: rows about the same song or playlist with the same call are combined. */
export interface OutboxChange {
  /** The ids of the outbox rows that are combined into this change. */
  rowIds: readonly string[]
  kind: ChangeKind
  /**
   * The subject of the change: the id of a song, the title of a playlist, the name of an artist, the name of a file, or the beginning of a message (its URL if it has no
   * text). Empty for a playlist whose title is in none of its changes.
   */
  subjectText: string
  isSong: boolean
  /** The id of the song or own playlist that was changed, whose stored title is shown in place of `subjectText`. */
  titleId?: string
  /** The path of the page on which the change can be edited, if there is such a page. */
  editPath?: string
  /** The server's error message; `undefined` while the change is waiting. */
  refusalText: string | undefined
}

const MESSAGE_LENGTH_MAX = 80

/** Combines the rows of the outbox into the changes that the page lists, oldest first. */
export function groupOutboxRows(rows: readonly OutboxRow[]): OutboxChange[] {
  const changeByKey = new Map<string, OutboxChange>()
  for (const outboxRow of rows) {
    const refusalText = outboxRow.state === 'failed' ? outboxRow.lastError : undefined
    const description = describeOutboxRow(outboxRow)
    const { titleId } = description
    // The last favorite change of a song replaces the earlier ones.
    const groupKey = titleId === undefined ? outboxRow.id : `${outboxRow.call} ${titleId} ${outboxRow.state}`
    const earlierChange = changeByKey.get(groupKey)
    const subjectText = description.subjectText || (earlierChange?.subjectText ?? '')
    changeByKey.set(groupKey, { rowIds: [...(earlierChange?.rowIds ?? []), outboxRow.id], ...description, subjectText, refusalText })
  }
  return [...changeByKey.values()]
}

function describeOutboxRow(row: OutboxRow): Pick<OutboxChange, 'kind' | 'subjectText' | 'isSong' | 'titleId' | 'editPath'> {
  switch (row.call) {
    case 'POST /favorite/sync':
      return { kind: row.body.favorite ? 'added' : 'removed', subjectText: row.body.s, isSong: true, titleId: row.body.s }
    case 'POST /list/sync':
      return { kind: 'playlist', subjectText: row.body.title ?? '', isSong: false, titleId: row.body.l }
    case 'POST /follow/sync':
      return { kind: row.body.follow ? 'followed' : 'unfollowed', subjectText: row.body.artist, isSong: false }
    case 'POST /song/play':
      return { kind: 'play', subjectText: row.body.s, isSong: true, titleId: row.body.s }
    case 'POST /make/history':
      return { kind: 'export', subjectText: row.body.file_name, isSong: false }
    case 'POST /contact/request': {
      const subjectText = (row.body.message || row.body.youtube_url || '').slice(0, MESSAGE_LENGTH_MAX)
      const { topic } = row.body
      const isFormTopic = formTopics.some((each) => each === topic)
      return {
        kind: topic === 'song-report' ? 'report' : 'message',
        subjectText,
        isSong: false,
        ...(isFormTopic && { editPath: '/get-in-touch' }),
      }
    }
  }
}
