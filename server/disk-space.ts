import { statfs } from 'node:fs/promises'

/** The disk space that uploads, conversions and cached pictures must leave free for the database. */
const SPARE_BYTES = 32 * 1024 ** 2

/**
 * Returns whether `neededBytes` more fit on the disk of a folder without using the space reserved for the database. A file system that does not report its
 * size counts as having enough free space.
 */
export async function hasDiskSpace(checkedDir: string, neededBytes: number): Promise<boolean> {
  const { blocks, bavail, bsize } = await statfs(checkedDir)
  return blocks === 0 || bavail * bsize >= neededBytes + SPARE_BYTES
}

/** Returns whether an error means that the disk, or the user's disk quota, is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/** How many bytes are written between two checks of the free space. */
const CHECK_INTERVAL_BYTES = 8 * 1024 ** 2

/**
 * Returns a function that a writer to `checkedDir` calls with the number of bytes that it has written. It throws `ENOSPC` once only the space reserved for
 * the database is left.
 */
export function createDiskSpaceCheck(checkedDir: string): (bytes: number) => Promise<void> {
  let uncheckedBytes = CHECK_INTERVAL_BYTES
  return async (neededBytes) => {
    uncheckedBytes += neededBytes
    if (uncheckedBytes < CHECK_INTERVAL_BYTES) return
    uncheckedBytes = 0
    if (!(await hasDiskSpace(checkedDir, CHECK_INTERVAL_BYTES)))
      throw Object.assign(new Error('only the spare disk space is left'), { code: 'ENOSPC' })
  }
}
