import { join } from 'node:path'

/** How long a conversion may take: its processes have limits of processor time, but wait for it while the server is busy. */
export const CONVERSION_MS = 10 * 60_000

/** Returns the path of a conversion's upload (`in`) or of its converted file (`out`). */
export const fileOf = (dir: string, id: string, kind: 'in' | 'out'): string => join(dir, `${id}.${kind}`)
