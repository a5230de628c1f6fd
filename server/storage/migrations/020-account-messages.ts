import { type DatabaseKind, textType } from '../kind.ts'

/** Lets messages name the account that sent them. */
export const statements = (kind: DatabaseKind): string[] => [`alter table contacts add column uid ${textType(kind)}`]
