import { type DatabaseKind, textType } from '../kind.ts'

/**
 * Creates the tables of favorites and applied changes. Recreates the play marks with an hour in their key, because plays may be
 * reported late; marks of the last hour are lost.
 */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table favorites (
      uid ${text} not null, song_id ${text} not null, favorite integer not null, changed_at bigint not null, device_id ${text} not null,
      claimed_at bigint not null, version bigint not null, primary key (uid, song_id))`,
    'create index favorites_by_version on favorites (uid, version)',
    'create index favorites_by_time on favorites (uid, favorite, changed_at, version)',
    'create index favorites_by_song on favorites (song_id) where favorite = 1',
    `create table favorite_lists (uid ${text} primary key, epoch ${text} not null, version bigint not null)`,
    `create table applied_changes (owner ${text} not null, id ${text} not null, applied_at bigint not null, primary key (owner, id))`,
    'create index applied_changes_by_time on applied_changes (applied_at)',
    'drop table play_marks',
    `create table play_marks (
      client_id ${text} not null, song_id ${text} not null, hour integer not null, counted_at bigint not null, stored_at bigint not null,
      primary key (client_id, song_id, hour))`,
    'create index play_marks_by_time on play_marks (stored_at)',
  ]
}
