/** The conversions of uploaded songs. */
export interface ConversionsTable {
  id: string
  uid: string
  state: string
  /** The name of the converted file. */
  file_name: string
  upload_bytes: number
  /** The size of the converted file; 0 before it is done. */
  file_bytes: number
  /** The decoder's name of the uploaded format. */
  demuxer: string
  /** The number of source frames for each frame of the output. */
  rate: number
  format: string
  /** Why it failed; empty otherwise. */
  message: string
  /** The key that signs the addresses of the converted file. */
  secret: string
  created: number
}
