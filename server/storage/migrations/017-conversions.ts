import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the table of conversions on the server. `secret` signs the addresses of the converted file. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table conversions (
      id ${text} primary key, uid ${text} not null, state ${text} not null, file_name ${text} not null, upload_bytes bigint not null,
      file_bytes bigint not null, demuxer ${text} not null, rate ${kind === 'postgres' ? 'double precision' : 'real'} not null, format ${text} not null,
      message ${text} not null, secret ${text} not null, created bigint not null)`,
    'create index conversions_by_account on conversions (uid, created)',
  ]
}
