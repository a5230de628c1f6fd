import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the table of logos that an admin has stored. */
export function statements(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [`create table logos (hash ${text} primary key, type ${text} not null, base64 ${text} not null)`]
}
