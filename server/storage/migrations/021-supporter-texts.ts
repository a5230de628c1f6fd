import { type DatabaseKind, textType } from '../kind.ts'

/** The texts and links of imported supporters' sites. */
export const statements = (kind: DatabaseKind): string[] => [
  `alter table supporters add column texts ${textType(kind)} not null default '{}'`,
]
