import type { Pagination } from '../pagination.ts'

/** A file that an account exported from the maker. */
export interface MadeFileRow {
  id: string
  file_name: string
  /** The size of the file in bytes. */
  file_size: number
  speed: number
  /** The change of pitch in semitones. */
  pitch: number
  /** The time of the export in ISO 8601 UTC. */
  created: string
}

/** The newest 1,000 exported files of each account, by uid of an account of this server or of a Firebase project. */
export interface MakeHistoryStore {
  /** Adds a file and returns its row. If the account already has a file with this id, that row is returned unchanged. */
  add(uid: string, file: Omit<MadeFileRow, 'created'> & { createdMs: number }): Promise<MadeFileRow>
  /** Lists the exported files of an account, newest first. */
  list(uid: string, page: Pagination): Promise<MadeFileRow[]>
  deleteAll(uid: string): Promise<void>
}
