/** The HTTP statuses that the API answers errors with; one cause each. */
export const statusOf = {
  'bad-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  'too-many': 429,
  internal: 500,
  unavailable: 503,
} as const
export type ErrorCause = keyof typeof statusOf

/** An error that a person may read: its message becomes the envelope's `message`. Anything else becomes a plain 500. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number
  constructor(
    readonly errorCause: ErrorCause,
    message: string,
  ) {
    super(message)
    this.code = statusOf[errorCause]
  }
}
