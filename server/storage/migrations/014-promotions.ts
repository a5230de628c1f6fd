import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the tables of promotions, and of the days on which they were shown. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table promotions (
      uid ${text} primary key, email ${text} not null, youtube_channel ${text} not null, youtube_share ${text} not null,
      waiting_since bigint)`,
    `create table promotion_days (day integer primary key, uid ${text} not null)`,
    'create index promotion_days_by_account on promotion_days (uid, day)',
  ]
}
