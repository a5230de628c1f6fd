import type { FeedItem } from '../../contract/community.ts'
import { readListed } from './catalogue-rows.ts'
import { createResource, createResourcePool, type FetchedRows, type RepositoryDeps, type Resource } from './resource.ts'
import { writeList } from './write-list.ts'

/** The key of the list of the news, which is never evicted. */
const KEY = 'feed'

/** Creates the news of the site as stored on this device, newest first, refreshed from the server. */
export function createFeed({
  api,
  database,
  connection,
  initialData: { feed: initial } = {},
  isInitialCurrent = true,
}: RepositoryDeps): Resource<FeedItem[]> {
  const toAnswer = (items: FeedItem[]): FetchedRows<FeedItem[]> => ({
    rows: items,
    write: (tables) => writeList(tables, tables.feed, ({ id }) => id, { key: KEY, rows: items }),
  })
  return createResourcePool({ connection }).get(KEY, () =>
    createResource<FeedItem[]>({
      key: KEY,
      database,
      initial: initial && { rows: initial.rows, answer: isInitialCurrent && initial.complete ? toAnswer(initial.rows) : undefined },
      read: (tables) => readListed(tables, KEY, tables.feed),
      request: async () => toAnswer(await api.call('GET /feed/get', {})),
    }),
  )
}
