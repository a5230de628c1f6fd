/** The kinds of database failures. The error's message is one line that an administrator can act on. */
export type StorageFault = 'read-only' | 'full' | 'corrupt' | 'unreachable' | 'busy' | 'version' | 'failed'

/**
 * The error of a failed database operation. A write that fails with it has stored nothing, unless it is `unreachable`: the connection may have been lost
 * after the commit.
 */
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

/** The error of an invalid row in an import file. The import changed nothing. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** The message of a backup that is refused because another one is being made, which the server reads from the output of the admin command. */
export const BACKUP_RUNNING_MESSAGE = 'Another backup is under way; try again when it has ended.'
