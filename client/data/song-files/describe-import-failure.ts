import { ApiCallError } from '../../platform/api.ts'

/** Returns the message for the person about an import that failed, or about one of its requests. */
export const describeImportFailure = (error: unknown): string =>
  error instanceof ApiCallError && error.kind === 'api' ? error.message : "The site isn't responding. Try again when you are online."
