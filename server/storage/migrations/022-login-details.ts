import { type DatabaseKind, textType } from '../kind.ts'

/** Gives logins a public id, and what their owner sees of them. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  const randomId = kind === 'postgres' ? 'gen_random_uuid()::text' : 'lower(hex(randomblob(16)))'
  return [
    ...['login_id', 'device', 'network'].map((name) => `alter table refresh_families add column ${name} ${text} not null default ''`),
    ...['created', 'last_used'].map((name) => `alter table refresh_families add column ${name} bigint not null default 0`),
    `update refresh_families set login_id = ${randomId}, created = auth_time, last_used =
      coalesce((select max(issued) from refresh_tokens where family_id = refresh_families.id), auth_time)`,
    'create unique index refresh_families_by_login on refresh_families (login_id)',
  ]
}
