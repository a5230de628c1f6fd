import { ApiCallError } from '../platform/api.ts'

/** Returns whether a request failed without an answer to what was asked for: offline, or with 429 or 5xx. The device's own rows are used then. */
export const isWithoutAnswer = (error: unknown): boolean =>
  error instanceof ApiCallError && (error.kind === 'network' || error.code === 429 || error.code >= 500)
