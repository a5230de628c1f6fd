/** The tags of a music file. Absent and empty texts are not written. */
export interface FileTags {
  readonly title?: string
  readonly artist?: string
  readonly album?: string
  /** A year, or a date that begins with it. */
  readonly year?: string
  /** Beats per minute. */
  readonly bpm?: number
}

/** Media type and size in bytes of a picture, such as a Blob. */
export interface CoverFacts {
  readonly type: string
  readonly size: number
}
