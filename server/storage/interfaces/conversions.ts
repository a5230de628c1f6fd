import type { ConversionFormat, ConversionState } from '../../../contract/conversion-rules.ts'

/** A conversion of an uploaded song. */
export interface Conversion {
  id: string
  uid: string
  state: ConversionState
  file_name: string
  upload_bytes: number
  file_bytes: number
  demuxer: string
  rate: number
  format: ConversionFormat
  message: string
  secret: string
  /** Epoch milliseconds. */
  created: number
}

export interface ConversionStore {
  /** Adds a conversion, unless the account has begun `limit` since `sinceMs`, or the id exists. */
  add(conversion: Conversion, limit: number, sinceMs: number): Promise<'done' | 'too-many' | 'exists'>
  /** Counts the conversions that an account has begun since `sinceMs`. */
  countSince(uid: string, sinceMs: number): Promise<number>
  find(id: string): Promise<Conversion | undefined>
  /** Changes a conversion that has not ended. */
  update(id: string, changes: Partial<Pick<Conversion, 'state' | 'file_bytes' | 'message'>>): Promise<void>
  /** Lists the conversions that have not ended, oldest first. */
  listUnfinished(): Promise<Conversion[]>
  /** Lists the done conversions of an account. */
  listDone(uid: string): Promise<Conversion[]>
  /** Returns the bytes of all uploads that are not converted yet, and of all converted files, or of those of one account. */
  sumBytes(uid?: string): Promise<number>
  /** Deletes the conversions that were begun before `beforeMs`. */
  deleteBefore(beforeMs: number): Promise<void>
  listIds(): Promise<string[]>
  deleteAll(uid: string): Promise<void>
}
