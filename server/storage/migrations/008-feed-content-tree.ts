import { type DatabaseKind, textType } from '../kind.ts'

/** Adds the content of news items as rich text (JSON); empty in rows of before. */
export const statements = (kind: DatabaseKind): string[] => [
  `alter table feed add column content_tree ${textType(kind)} not null default ''`,
]
