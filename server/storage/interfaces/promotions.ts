import type { PromotionLinks } from '../../../contract/promotion-rules.ts'

/** A subscriber who waits for a day. Days are counted from 1970-01-01 UTC. */
export interface WaitingPromotion {
  uid: string
  /** Epoch milliseconds; the begin of the day after its last one, if the promotion was shown before. */
  sinceMs: number
  /** The day on which it was last shown. */
  lastDay: number | undefined
}

/** The promotions of the subscribers, and the days on which they were shown. */
export interface PromotionStore {
  /** Stores the addresses of an account. The account waits from `atMs`, unless it waits already. `email` is its address if it is verified, else empty. */
  save(uid: string, promotion: PromotionLinks & { email: string }, atMs: number): Promise<void>
  find(uid: string): Promise<PromotionLinks | undefined>
  /** Lists the days on which the account's promotion was shown, oldest first. */
  listDays(uid: string): Promise<number[]>
  /** Lists the accounts with a promotion that wait at `atMs`: subscribers that are not disabled, from the day after their last one on. */
  listWaiting(atMs: number): Promise<WaitingPromotion[]>
  /** Stores since when each account waits: accounts that are no subscribers at `atMs` stop waiting, others begin. */
  updateWaiting(atMs: number): Promise<void>
  /** Returns the promotion of a day; `undefined` if the day is free. `links` is undefined while the account is disabled. */
  findShown(day: number): Promise<{ links: PromotionLinks | undefined } | undefined>
  /** Gives a free day to an account, which then waits again from `againSinceMs`. A day that is taken, by another process too, stays as it is. */
  takeDay(day: number, uid: string, againSinceMs: number): Promise<void>
  deleteAll(uid: string): Promise<void>
}
