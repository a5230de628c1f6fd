import { randomBytes } from 'node:crypto'

/**
 * The position of an account's synchronised rows. `version` is incremented for every changed row; versions of different epochs are not comparable.
 */
export interface SyncPosition {
  epoch: string
  version: number
}

export const createEpoch = () => randomBytes(8).toString('hex')

/** Returns a position as text, from which a device continues its synchronisation. */
export const formatCursor = ({ epoch, version }: SyncPosition) => `${epoch}.${version}`

export function readCursor(cursorText: string | undefined): SyncPosition | undefined {
  const [, epoch, version] = /^([0-9a-f]{16})\.(\d{1,15})$/.exec(cursorText ?? '') ?? []
  return epoch === undefined ? undefined : { epoch, version: Number(version) }
}

/** Maximum number of rows in an insert statement. */
const ROWS_PER_STATEMENT = 50

/** Splits rows into batches of at most `ROWS_PER_STATEMENT`. */
export function* splitIntoBatches<T>(rows: readonly T[]) {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) yield rows.slice(at, at + ROWS_PER_STATEMENT)
}
