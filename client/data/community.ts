import type { FeedItem, Member, MemberStats, Supporter } from '../../contract/community.ts'
import type { FirstRows, InitialData } from '../../contract/initial-data.ts'
import { putChangedRows, putList, readListRows } from './catalogue-rows.ts'
import type { Table, Tables } from './local-database.ts'
import { createResource, createResourcePool, type FetchedRows, type RepositoryDeps, type Resource } from './resource.ts'

/** The data of the network of creators that a device stores. */
export interface CommunityData {
  /** The members, largest channel first. */
  members: Member[]
  /** The members with a testimonial, largest channel first. */
  testimonials: Member[]
  /** The numbers that describe the size of the network. */
  stats: MemberStats
  /** The supporters, in order of name. */
  supporters: Supporter[]
}

/** The network of creators as stored on this device, refreshed from the server. Each method always returns the same resource object. */
export type Community = { [Name in keyof CommunityData]: () => Resource<CommunityData[Name]> }

const MEMBERS_MAX = 10_000
/** The lists whose rows are in the table of the members. */
const MEMBER_LISTS = ['members', 'testimonials'] as const
const STATS_KEY = 'stats'

export function createCommunity({ api, database, connection, initialData = {}, isInitialCurrent = true }: RepositoryDeps): Community {
  const pool = createResourcePool({ connection })
  const unusedInitialData = { ...initialData }

  const createInitialList = <T>(start: FirstRows<T> | undefined, toAnswer: (rows: T[]) => FetchedRows<T[]>) =>
    start && { rows: start.rows, answer: isInitialCurrent && start.complete ? toAnswer(start.rows) : undefined }

  /** Returns the rows embedded in the HTML, but only on the first call: later they may be older than the rows in the database. */
  function takeInitialRows<K extends keyof InitialData>(dataKey: K): InitialData[K] {
    const rows = unusedInitialData[dataKey]
    delete unusedInitialData[dataKey]
    return rows
  }

  return {
    members: () =>
      pool.get('members', () =>
        createResource<Member[]>({
          key: 'members',
          database,
          initial: createInitialList(takeInitialRows('members'), toFetchedMembers),
          read: (tables) => readListRows(tables, 'members', tables.members),
          request: async () => toFetchedMembers(await api.call('GET /member/all', { limit: MEMBERS_MAX })),
        }),
      ),

    testimonials: () =>
      pool.get('testimonials', () =>
        createResource<Member[]>({
          key: 'testimonials',
          database,
          initial: createInitialList(takeInitialRows('testimonials'), toFetchedTestimonials),
          read: (tables) => readListRows(tables, 'testimonials', tables.members),
          request: async () => toFetchedTestimonials(await api.call('GET /member/testimonial', {})),
        }),
      ),

    stats: () =>
      pool.get(STATS_KEY, () => {
        const stats = takeInitialRows('memberStats')
        return createResource<MemberStats>({
          key: STATS_KEY,
          database,
          initial: stats && { rows: stats, answer: isInitialCurrent ? toFetchedStats(stats) : undefined },
          read: async (tables) => (await tables.memberStats.get(STATS_KEY))?.stats,
          request: async () => toFetchedStats(await api.call('GET /member/stats', {})),
        })
      }),

    supporters: () =>
      pool.get('supporters', () =>
        createResource<Supporter[]>({
          key: 'supporters',
          database,
          initial: createInitialList(takeInitialRows('supporters'), toFetchedSupporters),
          read: (tables) => readListRows(tables, 'supporters', tables.supporters),
          request: async () => toFetchedSupporters(await api.call('GET /subscriber/getsubscriberssite', {})),
        }),
      ),
  }
}

const toFetchedMembers = (members: Member[]) => toFetchedMemberList('members', members)
const toFetchedTestimonials = (members: Member[]) => toFetchedMemberList('testimonials', members)

const toFetchedStats = (stats: MemberStats): FetchedRows<MemberStats> => ({
  rows: stats,
  write: (tables) => putChangedRows(tables.memberStats, [{ key: STATS_KEY, stats }]),
})

const toFetchedSupporters = (supporters: Supporter[]): FetchedRows<Supporter[]> => ({
  rows: supporters,
  write: (tables) => writeList(tables, tables.supporters, { key: 'supporters', rows: supporters }),
})

function toFetchedMemberList(listKey: (typeof MEMBER_LISTS)[number], members: Member[]): FetchedRows<Member[]> {
  return {
    rows: members,
    async write(tables) {
      // The lists of members and of testimonials share a table: a member that only the other list contains is not removed.
      const otherLists = await tables.lists.getMany(MEMBER_LISTS.filter((each) => each !== listKey))
      const otherIds = otherLists.flatMap((list) => list?.ids ?? [])
      await writeList(tables, tables.members, { key: listKey, rows: members, otherIds })
    },
  }
}

/** Writes the rows of a list and their order, and removes the rows of `table` that are neither in the list nor in `otherIds`. */
async function writeList<T>(
  tables: Tables,
  table: Table<T>,
  { key, rows, otherIds = [] }: { key: string; rows: readonly T[]; otherIds?: readonly string[] },
): Promise<void> {
  const storedRowIds = rows.map(table.keyOf)
  const listedRowIds = new Set([...storedRowIds, ...otherIds])
  await table.remove((await table.keys()).filter((id) => !listedRowIds.has(id)))
  await putChangedRows(table, rows)
  await putList(tables, key, storedRowIds, true)
}

/** The key of the list of the news, which is never evicted. */
const FEED_KEY = 'feed'

/** Creates the news of the site as stored on this device, newest first, refreshed from the server. */
export function createNewsFeed({
  api,
  database,
  connection,
  initialData: { feed: initialFeed } = {},
  isInitialCurrent = true,
}: RepositoryDeps): Resource<FeedItem[]> {
  const toFetchedRows = (items: FeedItem[]): FetchedRows<FeedItem[]> => ({
    rows: items,
    write: (tables) => writeList(tables, tables.feed, { key: FEED_KEY, rows: items }),
  })
  return createResourcePool({ connection }).get(FEED_KEY, () =>
    createResource<FeedItem[]>({
      key: FEED_KEY,
      database,
      initial: initialFeed && {
        rows: initialFeed.rows,
        answer: isInitialCurrent && initialFeed.complete ? toFetchedRows(initialFeed.rows) : undefined,
      },
      read: (tables) => readListRows(tables, FEED_KEY, tables.feed),
      request: async () => toFetchedRows(await api.call('GET /feed/get', {})),
    }),
  )
}
