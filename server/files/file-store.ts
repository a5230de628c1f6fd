import type { Readable } from 'node:stream'

/** The first and the last byte of a part of a file. */
export interface ByteRange {
  start: number
  end: number
}

/** The error of a file store that cannot be used at present. Its message is one line that an administrator can act on. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError'
}

/**
 * The files that every process of a site must see: the signing keys, uploads that wait for their conversion, and converted files. Their names are
 * paths such as `conversions/ID.out`. A file appears, and is replaced, as a whole. Every function rejects with a `FileStoreError` if the store is out
 * of reach.
 */
export interface FileStore {
  /** Stores a short text under a name. */
  put(name: string, content: string): Promise<void>
  /** Stores the file at a path of this machine under a name, and then removes it from its path. If this fails, the file remains at its path. */
  moveIn(path: string, name: string): Promise<void>
  /** Opens a file, or a part of it. Returns undefined if there is no such file. The caller reads the stream to its end or destroys it. */
  open(name: string, range?: ByteRange): Promise<Readable | undefined>
  /** Returns the size of a file in bytes; undefined if there is no such file. */
  size(name: string): Promise<number | undefined>
  /**
   * Returns the path at which a program on this machine can read a file; undefined if there is no such file. A store on another machine copies the file
   * to `copyPath`, which the caller deletes.
   */
  localPath(name: string, copyPath: string): Promise<string | undefined>
  /** Deletes a file, if it exists. */
  delete(name: string): Promise<void>
  /** Lists the names of the files in a folder, without the folder. */
  list(folder: string): Promise<string[]>
}
