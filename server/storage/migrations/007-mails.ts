import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the table of mails. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table mails (
      id ${text} primary key, contact_id bigint, recipient ${text} not null, reply_to ${text}, subject ${text} not null, body ${text} not null,
      link ${text}, created bigint not null, expires bigint not null, attempts integer not null, due bigint, sent bigint,
      failure ${text})`,
    'create index mails_by_due on mails (due) where due is not null',
    'create index mails_by_contact on mails (contact_id) where contact_id is not null',
    'create index mails_by_time on mails (created)',
  ]
}
