export const httpStatusByCause = {
  'bad-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  'wrong-range': 416,
  'too-many': 429,
  internal: 500,
  unavailable: 503,
} as const
export type ErrorCause = keyof typeof httpStatusByCause

/** An error whose message is returned to the client in the envelope. The message of any other error is not exposed: the response is a 500. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number
  constructor(
    readonly errorCause: ErrorCause,
    message: string,
    /** Seconds after which the client may retry: the header `Retry-After` of a 429 or 503. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message)
    this.code = httpStatusByCause[errorCause]
  }
}

/** The message that the API and pages show for content that requires the role `subscriber`. */
export const CONTENT_LOCKED_MESSAGE =
  'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.'
