import { type DatabaseKind, textType } from '../kind.ts'

/** Creates the table of the salts of client ids. */
export const statements = (kind: DatabaseKind): string[] => [
  `create table daily_salts (day integer primary key, salt ${textType(kind)} not null)`,
]
