import { createRequire } from 'node:module'

/** The version of Node-API that better-sqlite3 13 and later require. Node supports it since 22.14. */
const NODE_API_VERSION = 10

/**
 * The driver of SQLite. Older versions of Node load version 12 of better-sqlite3, which newer versions of Node must not load: from 24.19
 * on, Node ends the process when the garbage collector frees a statement of version 12 outside of JavaScript
 * (https://github.com/WiseLibs/better-sqlite3/issues/1515).
 */
export const SqliteFile: typeof import('better-sqlite3') = createRequire(import.meta.url)(
  Number(process.versions.napi) >= NODE_API_VERSION ? 'better-sqlite3' : 'better-sqlite3-node20',
)
