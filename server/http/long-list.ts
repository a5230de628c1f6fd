import { Readable } from 'node:stream'

/** The maximum number of rows that are read at once while a long list is sent. */
export const LONG_LIST_PAGE_ROWS = 10_000

/** A list of unlimited length as a response. Its rows are read and sent page by page, so that the memory of a response is bounded. */
export class LongList<T> {
  /**
   * @param firstPage the response's `data`, whose list is its last member (or `data` itself) and has `LONG_LIST_PAGE_ROWS` rows
   * @param readRows reads the rows from `offset`, `LONG_LIST_PAGE_ROWS` at most
   */
  constructor(
    readonly firstPage: T,
    readonly readRows: (offset: number) => Promise<readonly unknown[]>,
  ) {}
}

/**
 * Returns the stream of a JSON response. `firstBody` is the response with the first page only. The stream fails, which ends the connection, if the stored data
 * change in between.
 */
export function streamLongList(firstBody: string, readRows: LongList<unknown>['readRows'], isUnchanged: () => boolean): Readable {
  const listEnd = firstBody.lastIndexOf(']')
  async function* chunks() {
    yield firstBody.slice(0, listEnd)
    for (let offset = LONG_LIST_PAGE_ROWS; ; offset += LONG_LIST_PAGE_ROWS) {
      const rows = await readRows(offset)
      if (!isUnchanged()) throw new Error('The stored data changed while a list was sent.')
      if (rows.length > 0) yield `,${JSON.stringify(rows).slice(1, -1)}`
      if (rows.length < LONG_LIST_PAGE_ROWS) break
    }
    yield firstBody.slice(listEnd)
  }
  return Readable.from(chunks())
}
