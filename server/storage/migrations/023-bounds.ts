import { type DatabaseKind, textType } from '../kind.ts'

/**
 * Bounds what visitors can store: marks of plays by their arrival (those of the last hour are lost), and indexes for the limits of
 * reports and messages.
 */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    'drop table play_marks',
    `create table play_marks (
      client_id ${text} not null, song_id ${text} not null, hour integer not null, stored_at bigint not null,
      primary key (client_id, song_id, hour))`,
    'create index play_marks_by_time on play_marks (stored_at)',
    'create index unplayable_reports_by_client on unplayable_reports (client_id)',
    'create index contacts_by_time on contacts (created)',
  ]
}
