import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the table of the listeners that each process has counted. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table radio_listeners (
      process_id ${text} not null, brand_id ${text} not null, station ${text} not null, ids ${text} not null, counted_at bigint not null,
      primary key (process_id, brand_id, station))`,
  ]
}
