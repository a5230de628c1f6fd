import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import pLimit from 'p-limit'
import { ApiError } from '../../contract/errors.ts'
import type { Pagination } from '../storage/pagination.ts'
import { limitLargeResponseMemory } from './large-responses.ts'

/** The number of rows that are read and sent at once, so that a list neither delays other requests nor fills the memory if its client does not read it. */
const ROWS_PER_PAGE = 500
/** A list whose JSON has at most this length is sent as a whole and can be cached. A longer list is sent while it is being read. */
const WHOLE_LIST_MAX_LENGTH = 4_194_304
/** The memory in bytes that a list takes while it is read and sent in parts. */
const STREAMED_LIST_MEMORY_BYTES = 2 * WHOLE_LIST_MAX_LENGTH

/** The rows of a list in order, in batches. */
type ListPages = AsyncIterable<readonly unknown[]>

/** One or several lists of any length as a response. Their rows are read and sent page by page. */
export class LongList<T> {
  readonly lists: readonly ListPages[]
  /**
   * @param head the response's `data` with an empty list for each of `listPages`: these are the last members of `data`, or a single list is `data` itself
   * @param listPages the rows of the lists
   */
  constructor(
    readonly head: T,
    ...listPages: readonly ListPages[]
  ) {
    this.lists = listPages
  }
}

/** Reads a list page by page, and lets other requests run between two pages. `readRows` returns fewer rows than the limit at the end of the list only. */
export async function* readPages(
  { limit, offset }: Pagination,
  readRows: (page: Pagination) => Promise<readonly unknown[]>,
  pageRowCount = ROWS_PER_PAGE,
): AsyncGenerator<readonly unknown[]> {
  const endRow = offset + limit
  for (let startRow = offset; startRow < endRow; startRow += pageRowCount) {
    if (startRow > offset) await nextTurn()
    const pageLimit = Math.min(pageRowCount, endRow - startRow)
    const rows = await readRows({ limit: pageLimit, offset: startRow })
    yield rows
    if (rows.length < pageLimit) return
  }
}

/** Splits the JSON of a response before the end of each of its last `listCount` lists, which are empty. */
function splitAtLists(headJson: string, listCount: number): string[] {
  const jsonTexts: string[] = []
  let remainingHeadJson = headJson
  for (let listIndex = 0; listIndex < listCount; listIndex++) {
    const listEnd = remainingHeadJson.lastIndexOf('[]') + 1
    jsonTexts.unshift(remainingHeadJson.slice(listEnd))
    remainingHeadJson = remainingHeadJson.slice(0, listEnd)
  }
  return [remainingHeadJson, ...jsonTexts]
}

/** Yields a JSON response in parts. `headJson` is the response without rows. */
async function* createJsonParts(headJson: string, listPages: readonly ListPages[], isUnchanged: () => boolean): AsyncGenerator<string> {
  const [startJson = '', ...jsonAfterLists] = splitAtLists(headJson, listPages.length)
  yield startJson
  for (const [index, pages] of listPages.entries()) {
    let listSeparator = ''
    for await (const pageRows of pages) {
      if (!isUnchanged()) throw new ApiError('unavailable', 'The list changed while it was read. Please try again.', 1)
      if (pageRows.length === 0) continue
      yield listSeparator + JSON.stringify(pageRows).slice(1, -1)
      listSeparator = ','
    }
    yield jsonAfterLists[index] ?? ''
  }
}

/** The maximum number of lists that are read at once. Reading more at once would take more memory, and no list would be finished earlier. */
const limitConcurrentReads = pLimit(2)

/**
 * Returns the JSON of a response, or a stream of it if it is long. `headJson` is the response without rows. If the stored data change while the list is
 * being sent, the stream fails, which closes the connection.
 * @throws ApiError 503 if the data change before anything is sent, or if too many long lists are being sent
 */
export function readLongList(
  request: FastifyRequest,
  reply: FastifyReply,
  headJson: string,
  listPages: readonly ListPages[],
  isUnchanged: () => boolean,
): Promise<string | Readable> {
  return limitConcurrentReads(async () => {
    const jsonTexts = createJsonParts(headJson, listPages, isUnchanged)
    const bufferedParts: string[] = []
    let totalBytes = 0
    for (let jsonText = await jsonTexts.next(); jsonText.done !== true; jsonText = await jsonTexts.next()) {
      bufferedParts.push(jsonText.value)
      totalBytes += jsonText.value.length
      if (totalBytes <= WHOLE_LIST_MAX_LENGTH) continue
      const stream = Readable.from(joinParts(bufferedParts, jsonTexts))
      limitLargeResponseMemory(request, reply, stream, STREAMED_LIST_MEMORY_BYTES)
      return stream
    }
    return bufferedParts.join('')
  })
}

async function* joinParts(bufferedParts: string[], laterParts: AsyncIterable<string>): AsyncGenerator<string> {
  // Removes each part from `bufferedParts` when the part is sent, which frees its memory.
  for (let jsonText = bufferedParts.shift(); jsonText !== undefined; jsonText = bufferedParts.shift()) yield jsonText
  yield* laterParts
}
