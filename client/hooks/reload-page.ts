import { reloadWithFreshChunks } from '../platform/chunk-errors.ts'

/** Reloads the page after an error. Chunks are fetched again, because a damaged one may have caused the error. */
export const reloadPage = (): void => void reloadWithFreshChunks()
