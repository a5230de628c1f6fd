export type DatabaseKind = 'sqlite' | 'postgres'

/** The collation "C" makes PostgreSQL order texts by code points, as SQLite does. */
export const textType = (kind: DatabaseKind) => (kind === 'postgres' ? 'text collate "C"' : 'text')
