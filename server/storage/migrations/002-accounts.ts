import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the tables of accounts and roles. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table accounts (
      uid ${text} primary key, email ${text} not null unique, password_hash ${text} not null, email_verified integer not null,
      disabled integer not null, created bigint not null, last_login bigint not null, valid_after bigint not null)`,
    `create table refresh_families (id ${text} primary key, uid ${text} not null, auth_time bigint not null)`,
    'create index refresh_families_by_account on refresh_families (uid)',
    `create table refresh_tokens (
      hash ${text} primary key, family_id ${text} not null, issued bigint not null, replaced bigint)`,
    'create index refresh_tokens_by_family on refresh_tokens (family_id)',
    `create table account_codes (
      uid ${text} not null, kind ${text} not null, hash ${text} not null unique, expires bigint not null, primary key (uid, kind))`,
    `create table roles (
      email ${text} not null, role ${text} not null, source ${text} not null, until bigint, primary key (email, role, source))`,
  ]
}
