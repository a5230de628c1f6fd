import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the table of files exported from the maker. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  const realType = kind === 'postgres' ? 'double precision' : 'real'
  return [
    `create table make_history (
      uid ${text} not null, id ${text} not null, file_name ${text} not null, file_size bigint not null, speed ${realType} not null,
      pitch ${realType} not null, created bigint not null, primary key (uid, id))`,
    'create index make_history_by_time on make_history (uid, created, id)',
  ]
}
