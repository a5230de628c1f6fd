import type { FeedItem } from '../../contract/community.ts'
import type { InitialData } from '../../contract/initial-data.ts'
import type { Api } from '../platform/api.ts'
import type { Connection } from '../platform/connection.ts'
import { readListed } from './catalogue-rows.ts'
import type { LocalDatabase } from './local-database.ts'
import { createResource, type FetchedRows, type Resource } from './resource.ts'
import { writeList } from './write-list.ts'

/** The key of the list of the news, which is never evicted. */
const KEY = 'feed'

interface FeedDeps {
  api: Api
  database: LocalDatabase
  connection: Pick<Connection, 'offline' | 'subscribe'>
  /** The rows that the server embedded in the page's HTML. */
  initialData?: InitialData
  /** Whether `initialData` is as new as a response of the server. */
  isInitialCurrent?: boolean
}

/** Creates the news of the site as stored on this device, newest first, refreshed from the server. */
export function createFeed({
  api,
  database,
  connection,
  initialData: { feed: initial } = {},
  isInitialCurrent = true,
}: FeedDeps): Resource<FeedItem[]> {
  const toAnswer = (items: FeedItem[]): FetchedRows<FeedItem[]> => ({
    rows: items,
    write: (tables) => writeList(tables, tables.feed, ({ id }) => id, { key: KEY, rows: items }),
  })
  const resource = createResource<FeedItem[]>({
    key: KEY,
    database,
    initial: initial && { rows: initial.rows, answer: isInitialCurrent && initial.complete ? toAnswer(initial.rows) : undefined },
    read: (tables) => readListed(tables, KEY, tables.feed),
    request: async () => toAnswer(await api.call('GET /feed/get', {})),
  })
  connection.subscribe(() => {
    if (!connection.offline && resource.isWatched) void resource.refresh({ force: true })
  })
  return resource
}
