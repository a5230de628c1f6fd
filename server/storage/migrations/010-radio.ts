import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the table of what the radio's stations play. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table radio_stations (
      brand_id ${text} not null, station ${text} not null, song_id ${text} not null, start bigint not null, state ${text} not null,
      primary key (brand_id, station))`,
  ]
}
