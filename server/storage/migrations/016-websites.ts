import { type DatabaseKind, textType } from '../kind.ts'

/**
 * Creates the tables of subscribers' websites: their texts, the domain names that lead to them, and the clicks on them. `until` is null
 * for the current name.
 */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table websites (
      uid ${text} primary key, email ${text} not null, name ${text} not null, enabled integer not null, texts ${text} not null)`,
    `create table website_names (domain_name ${text} primary key, uid ${text} not null, until bigint)`,
    'create index website_names_by_account on website_names (uid)',
    `create table website_clicks (
      uid ${text} not null, day integer not null, target ${text} not null, count bigint not null, primary key (uid, day, target))`,
  ]
}
