import { statfs } from 'node:fs/promises'

/** The disk space that uploads, conversions and cached pictures must leave free for the database. */
const DATABASE_RESERVE_BYTES = 32 * 1024 ** 2

/**
 * Returns whether `neededBytes` more fit on the disk of a folder without using the space reserved for the database. A file system that does not report its
 * size counts as having enough free space.
 */
export async function hasDiskSpace(checkedDir: string, neededBytes: number): Promise<boolean> {
  const { blocks, bavail, bsize } = await statfs(checkedDir)
  return blocks === 0 || bavail * bsize >= neededBytes + DATABASE_RESERVE_BYTES
}

/** Returns whether an error means that the disk, or the user's disk quota, is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/** How many bytes are written between two checks of the free space. */
const BYTES_BETWEEN_CHECKS = 8 * 1024 ** 2

/**
 * Returns a function that a writer to `checkedDir` calls with the number of bytes that it has written. It throws `ENOSPC` once only the space reserved for
 * the database is left.
 */
export function createDiskSpaceCheck(checkedDir: string): (bytes: number) => Promise<void> {
  let uncheckedBytes = BYTES_BETWEEN_CHECKS
  return async (neededBytes) => {
    uncheckedBytes += neededBytes
    if (uncheckedBytes < BYTES_BETWEEN_CHECKS) return
    uncheckedBytes = 0
    if (!(await hasDiskSpace(checkedDir, BYTES_BETWEEN_CHECKS)))
      throw Object.assign(new Error('only the spare disk space is left'), { code: 'ENOSPC' })
  }
}
