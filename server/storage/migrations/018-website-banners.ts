import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the table of uploaded banners of websites, by the hash of their bytes. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table website_banners (uid ${text} primary key, hash ${text} not null, base64 ${text} not null)`,
    'create index website_banners_by_hash on website_banners (hash)',
  ]
}
