import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the tables of linked Discord accounts. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table discord_attempts (
      uid ${text} primary key, hash ${text} not null unique, browser_hash ${text} not null, return_url ${text} not null,
      expires bigint not null, taken integer not null)`,
    `create table discord_accounts (
      uid ${text} primary key, discord_id ${text} not null unique, name ${text} not null, linked bigint not null)`,
  ]
}
