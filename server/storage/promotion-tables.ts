/** Promotions, by uid of a subscriber. `waiting_since` is null while the account is no subscriber. */
export interface PromotionsTable {
  uid: string
  /** The address, if the account has verified it, which may have a role; else empty. */
  email: string
  youtube_channel: string
  youtube_share: string
  waiting_since: number | null
}

/** The days, counted from 1970-01-01 UTC, on which promotions were shown. */
export interface PromotionDaysTable {
  day: number
  uid: string
}
