import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the table of plays that restore excluded songs. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table unplayable_plays (
      song_id ${text} not null, client_id ${text} not null, played_at bigint not null, primary key (song_id, client_id))`,
  ]
}
