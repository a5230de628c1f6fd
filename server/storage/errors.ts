/** What went wrong with the database as a whole; the message is one line that an administrator can act on. */
export type StorageFault = 'read-only' | 'full' | 'corrupt' | 'unreachable' | 'busy' | 'version' | 'failed'

/** The database could not do its work; nothing of the refused write is kept. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  constructor(
    readonly fault: StorageFault,
    message: string,
    options?: { cause: unknown },
  ) {
    super(message, options)
  }
}
