import type { Database, Queries, SqlTypes } from '../storage/database.ts'
import type { PushTarget } from './web-push.ts'

/** The browsers in which accounts receive pushes, by uid of an account of this server or of a Firebase project. */
interface PushSubscriptionsTable {
  endpoint: string
  uid: string
  p256dh: string
  auth: string
  created: number
  /** The revision of the data (`state`) up to which the browser was notified of new songs. */
  revision: number
  /** The date of the newest song of which the browser was notified, at first the time of the subscription. Songs with a later date are new. */
  checked: number
  /** The time of the last push; 0 if there was none. */
  sent: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    push_subscriptions: PushSubscriptionsTable
  }
}

export const createPushSubscriptionsTable = ({ text }: SqlTypes): string[] => [
  `create table push_subscriptions (
    endpoint ${text} primary key, uid ${text} not null, p256dh ${text} not null, auth ${text} not null, created bigint not null,
    revision bigint not null, checked bigint not null, sent bigint not null)`,
  'create index push_subscriptions_by_account on push_subscriptions (uid, created)',
]

/** Maximum number of browsers of an account. The one that subscribed first is deleted. */
export const PUSH_SUBSCRIPTIONS_MAX = 10

export async function deletePushSubscriptions(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('push_subscriptions').where('uid', '=', uid).execute()
}

/** Which songs a browser was notified of, and when. */
type PushMarks = Pick<PushSubscriptionsTable, 'revision' | 'checked' | 'sent'>

/** A browser to which a push about new songs may be sent. */
interface DuePushSubscription extends PushTarget, PushMarks {
  uid: string
}

export function createPushStore(database: Database) {
  const { queries: readQueries } = database

  const readRevision = async (queries: Queries): Promise<number> => {
    const row = await queries.selectFrom('state').select('value').where('key', '=', 'revision').executeTakeFirst()
    return row?.value ?? 0
  }

  return {
    /** Stores that an account receives pushes in a browser. The songs that are in the catalogue at this time do not count as new. */
    subscribe: (uid: string, { endpoint, p256dh, auth }: PushTarget, nowMs: number): Promise<void> =>
      database.write(async (queries) => {
        const knownSubscription = await queries
          .selectFrom('push_subscriptions')
          .select('uid')
          .where('endpoint', '=', endpoint)
          .executeTakeFirst()
        if (knownSubscription?.uid === uid) {
          await queries.updateTable('push_subscriptions').set({ p256dh, auth }).where('endpoint', '=', endpoint).execute()
          return
        }
        const pushRow = { uid, p256dh, auth, created: nowMs, revision: await readRevision(queries), checked: nowMs, sent: 0 }
        await queries
          .insertInto('push_subscriptions')
          .values({ endpoint, ...pushRow })
          .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(pushRow))
          .execute()
        const excessEndpoints = queries
          .selectFrom('push_subscriptions')
          .select('endpoint')
          .where('uid', '=', uid)
          .orderBy('created', 'desc')
          .orderBy('endpoint')
          .limit(1000)
          .offset(PUSH_SUBSCRIPTIONS_MAX)
        await queries.deleteFrom('push_subscriptions').where('endpoint', 'in', excessEndpoints).execute()
      }),
    /** Deletes the subscription of a browser. */
    unsubscribe: (endpointUrl: string): Promise<void> =>
      database.write(async (queries) => {
        await queries.deleteFrom('push_subscriptions').where('endpoint', '=', endpointUrl).execute()
      }),
    /** Returns the browsers of an account, the one that subscribed last first. */
    listOf: (uid: string) =>
      readQueries
        .selectFrom('push_subscriptions')
        .select(['endpoint', 'created'])
        .where('uid', '=', uid)
        .orderBy('created', 'desc')
        .execute(),
    /** The revision of the data, which each import increments. */
    readRevision: () => readRevision(readQueries),
    /**
     * Returns up to `limit` browsers that were not yet notified of the songs of a revision, and got no push since `sentBeforeMs`, in order of
     * endpoint, beginning after the endpoint `after`.
     */
    listDue: (
      revisionNumber: number,
      { sentBeforeMs, after, limit }: { sentBeforeMs: number; after: string; limit: number },
    ): Promise<DuePushSubscription[]> =>
      readQueries
        .selectFrom('push_subscriptions')
        .select(['endpoint', 'uid', 'p256dh', 'auth', 'revision', 'checked', 'sent'])
        .where('revision', '<>', revisionNumber)
        .where('sent', '<=', sentBeforeMs)
        .where('endpoint', '>', after)
        .orderBy('endpoint')
        .limit(limit)
        .execute(),
    /**
     * Returns the number of songs of followed artists that were added after `sinceMs` and after the artist was followed, and the date of the newest,
     * `sinceMs` if there is none.
     */
    countNewSongs: async (uid: string, { sinceMs, untilMs }: { sinceMs: number; untilMs: number }) => {
      const songRow = await readQueries
        .selectFrom('follows as f')
        .innerJoin('catalogue.songs as s', 's.author_folded', 'f.artist')
        .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max<number | null>('s.date_added').as('newestMs')])
        .where('f.uid', '=', uid)
        .where('f.following', '=', 1)
        .whereRef('s.date_added', '>', 'f.changed_at')
        .where('s.date_added', '>', sinceMs)
        .where('s.date_added', '<=', untilMs)
        .executeTakeFirst()
      return { count: songRow?.count ?? 0, newestMs: songRow?.newestMs ?? sinceMs }
    },
    /** Replaces the marks of a browser. Returns false if they are not `marksBefore`, because another process or subscription has replaced them. */
    replaceMarks: (endpointUrl: string, marksBefore: PushMarks, { revision, checked, sent }: PushMarks): Promise<boolean> =>
      database.write(async (queries) => {
        const { numUpdatedRows } = await queries
          .updateTable('push_subscriptions')
          .set({ revision, checked, sent })
          .where('endpoint', '=', endpointUrl)
          .where('revision', '=', marksBefore.revision)
          .where('checked', '=', marksBefore.checked)
          .where('sent', '=', marksBefore.sent)
          .executeTakeFirst()
        return numUpdatedRows > 0
      }),
  }
}
export type PushStore = ReturnType<typeof createPushStore>
