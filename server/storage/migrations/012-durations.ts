import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the tables of the songs' lengths that players report. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table duration_reports (
      song_id ${text} not null, client_id ${text} not null, day integer not null, duration integer not null,
      primary key (song_id, client_id))`,
    `create table learned_durations (song_id ${text} primary key, duration integer not null)`,
  ]
}
