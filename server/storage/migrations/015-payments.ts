import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the tables of payments, and of what they grant. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table payment_groups (id ${text} primary key)`,
    `create table payment_events (
      id ${text} primary key, group_id ${text} not null, created bigint not null, uid ${text}, email ${text}, fact ${text} not null)`,
    'create index payment_events_by_group on payment_events (group_id)',
    'create index payment_events_by_account on payment_events (uid)',
    'create index payment_events_by_address on payment_events (email)',
    `create table paid_grants (
      group_id ${text} not null, purchase ${text} not null, plan ${text} not null, role ${text} not null, uid ${text}, email ${text},
      until bigint not null, primary key (group_id, purchase, role))`,
    'create index paid_grants_by_account on paid_grants (uid)',
    'create index paid_grants_by_address on paid_grants (email)',
  ]
}
