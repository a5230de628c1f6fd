import type { PromotionLinks } from '../../contract/promotion-rules.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { DAY_MS } from '../durations.ts'
import { selectSubscriberUids } from '../payments/store-subscribers.ts'
import { bumpRevision, type Database, type Queries, type SqlTypes } from '../storage/database.ts'

/** Promotions, by uid of a subscriber. `waiting_since` is null while the account is no subscriber. */
interface PromotionsTable {
  uid: string
  /** The account's verified address, to which roles may have been granted; empty if it is not verified. */
  email: string
  youtube_channel: string
  youtube_share: string
  waiting_since: number | null
}

/** The days, counted from 1970-01-01 UTC, on which promotions were shown. */
interface PromotionDaysTable {
  day: number
  uid: string
}

declare module '../storage/schema.ts' {
  interface Tables {
    promotions: PromotionsTable
    promotion_days: PromotionDaysTable
  }
}

export const createPromotionTables = ({ text }: SqlTypes): string[] => [
  `create table promotions (
    uid ${text} primary key, email ${text} not null, youtube_channel ${text} not null, youtube_share ${text} not null,
    waiting_since bigint)`,
  `create table promotion_days (day integer primary key, uid ${text} not null)`,
  'create index promotion_days_by_account on promotion_days (uid, day)',
]

/** A subscriber who waits for a day. Days are counted from 1970-01-01 UTC. */
export interface WaitingPromotion {
  uid: string
  /**
   * The time in epoch milliseconds since which the account waits. If its promotion was shown before, it waits since the start of the following day.
   */
  sinceMs: number
  /** The day on which the account's promotion was last shown. */
  lastDay: number | undefined
}

/** Deletes an account's promotion and its days, which may free the current day. */
export async function deletePromotion(queries: Queries, uid: string): Promise<void> {
  const { numDeletedRows } = await queries.deleteFrom('promotions').where('uid', '=', uid).executeTakeFirst()
  if (numDeletedRows === 0n) return
  await queries.deleteFrom('promotion_days').where('uid', '=', uid).execute()
  await bumpRevision(queries)
}

/** Returns those of the given promotions whose video an admin has hidden. They are not shown until the video is shown again or replaced. */
async function filterHidden<P extends Pick<PromotionLinks, 'youtube_share'>>(queries: Queries, promotions: readonly P[]): Promise<P[]> {
  const videoIds = promotions.flatMap(({ youtube_share }) => parseVideoId(youtube_share) ?? [])
  if (videoIds.length === 0) return []
  const hiddenRows = await queries.selectFrom('hidden_songs').select('song_id').where('song_id', 'in', videoIds).execute()
  const hiddenIds = new Set(hiddenRows.map((row) => row.song_id))
  return promotions.filter(({ youtube_share }) => hiddenIds.has(parseVideoId(youtube_share) ?? ''))
}

/** The promotions of the subscribers, and the days on which they were shown. */
export function createPromotionStore(database: Database) {
  const { queries } = database
  return {
    /**
     * Stores the two addresses that an account promotes. The account waits for a day from `savedAtMs` on, unless it waits already. `email` is the
     * account's email address if it is verified, else empty.
     */
    save: async (uid: string, promotion: PromotionLinks & { email: string }, savedAtMs: number): Promise<void> => {
      const currentDayRow = await queries
        .selectFrom('promotion_days')
        .select('day')
        .where('uid', '=', uid)
        .where('day', '=', Math.floor(savedAtMs / DAY_MS))
        .executeTakeFirst()
      const runChange = currentDayRow === undefined ? database.write : database.writeWithRevision
      await runChange(async (writeQueries) => {
        await writeQueries
          .insertInto('promotions')
          .values({ uid, ...promotion, waiting_since: savedAtMs })
          .onConflict((conflict) => conflict.column('uid').doUpdateSet(promotion))
          .execute()
        await writeQueries
          .updateTable('promotions')
          .set({ waiting_since: savedAtMs })
          .where('uid', '=', uid)
          .where('waiting_since', 'is', null)
          .execute()
      })
    },
    find: (uid: string): Promise<PromotionLinks | undefined> =>
      queries.selectFrom('promotions').select(['youtube_channel', 'youtube_share']).where('uid', '=', uid).executeTakeFirst(),
    /** Returns whether an admin has hidden the video that is promoted. */
    isVideoHidden: async (links: PromotionLinks): Promise<boolean> => (await filterHidden(queries, [links])).length > 0,
    /** Lists the days on which the account's promotion was shown, oldest first. */
    listDays: async (uid: string): Promise<number[]> =>
      (await queries.selectFrom('promotion_days').select('day').where('uid', '=', uid).orderBy('day').execute()).map(({ day }) => day),
    /**
     * Lists the accounts with a promotion that wait at `nowMs`: subscribers that are not disabled and whose video is not hidden, from the day after
     * their promotion was last shown.
     */
    listWaiting: async (nowMs: number): Promise<WaitingPromotion[]> => {
      const promotionRows = await queries
        .selectFrom('promotions')
        .leftJoin('promotion_days', 'promotion_days.uid', 'promotions.uid')
        .select((eb) => ['promotions.uid', 'waiting_since', 'youtube_share', eb.fn.max('day').as('lastDay')])
        .where('promotions.uid', 'in', selectSubscriberUids(queries, 'promotions', nowMs))
        .where((eb) => eb.or([eb('waiting_since', 'is', null), eb('waiting_since', '<=', nowMs)]))
        .groupBy(['promotions.uid', 'waiting_since', 'youtube_share'])
        .execute()
      const hiddenPromotions = new Set(await filterHidden(queries, promotionRows))
      const shownPromotions = promotionRows.filter((each) => !hiddenPromotions.has(each))
      return shownPromotions.map(({ uid, waiting_since, lastDay }) => ({
        uid,
        sinceMs: waiting_since ?? nowMs,
        lastDay: lastDay ?? undefined,
      }))
    },
    /**
     * Updates `waiting_since` of all accounts: those that are not subscribers at `nowMs` stop waiting, and subscribers that do not wait yet begin
     * to.
     */
    updateWaiting: async (nowMs: number): Promise<void> => {
      const outdatedRow = await queries
        .selectFrom('promotions')
        .select('uid')
        .where((eb) =>
          eb.or([
            eb('waiting_since', 'is', null).and('uid', 'in', selectSubscriberUids(queries, 'promotions', nowMs)),
            eb('waiting_since', 'is not', null).and('uid', 'not in', selectSubscriberUids(queries, 'promotions', nowMs)),
          ]),
        )
        .limit(1)
        .executeTakeFirst()
      if (outdatedRow === undefined) return
      await database.write(async (writeQueries) => {
        await writeQueries
          .updateTable('promotions')
          .set({ waiting_since: null })
          .where('waiting_since', 'is not', null)
          .where('uid', 'not in', selectSubscriberUids(writeQueries, 'promotions', nowMs))
          .execute()
        await writeQueries
          .updateTable('promotions')
          .set({ waiting_since: nowMs })
          .where('waiting_since', 'is', null)
          .where('uid', 'in', selectSubscriberUids(writeQueries, 'promotions', nowMs))
          .execute()
      })
    },
    /** Returns the promotion of a day; `undefined` if the day is free. `links` is undefined while the account is disabled or the video hidden. */
    findShown: async (dayNumber: number): Promise<{ uid: string; links: PromotionLinks | undefined } | undefined> => {
      const shownRow = await queries
        .selectFrom('promotion_days')
        .innerJoin('promotions', 'promotions.uid', 'promotion_days.uid')
        .leftJoin('accounts', 'accounts.uid', 'promotions.uid')
        .select(['promotions.uid', 'youtube_channel', 'youtube_share', 'disabled'])
        .where('day', '=', dayNumber)
        .executeTakeFirst()
      if (shownRow === undefined) return undefined
      const { uid, disabled, ...links } = shownRow
      const isHidden = disabled === 1 || (await filterHidden(queries, [links])).length > 0
      return { uid, links: isHidden ? undefined : links }
    },
    /** Assigns a free day to an account, which then waits again from `waitingAgainSinceMs`. Does nothing if the day is taken, also by another process. */
    takeDay: (dayNumber: number, uid: string, waitingAgainSinceMs: number): Promise<void> =>
      database.writeWithRevision(async (writeQueries) => {
        const takenRow = await writeQueries
          .insertInto('promotion_days')
          .values({ day: dayNumber, uid })
          .onConflict((conflict) => conflict.column('day').doNothing())
          .executeTakeFirst()
        if (takenRow.numInsertedOrUpdatedRows !== 1n) return
        const waitingUpdate = await writeQueries
          .updateTable('promotions')
          .set({ waiting_since: waitingAgainSinceMs })
          .where('uid', '=', uid)
          .executeTakeFirst()
        // The account was deleted after its day was planned.
        if (waitingUpdate.numUpdatedRows === 0n) await writeQueries.deleteFrom('promotion_days').where('day', '=', dayNumber).execute()
      }),
  }
}
export type PromotionStore = ReturnType<typeof createPromotionStore>
