import type { Loaded } from '../hooks/catalogue.ts'
import { LoadFailure, StaleNotice } from './load-failure.tsx'

/** Says why rows could not be loaded, with a Retry button, or could not be refreshed. */
export const LoadProblem = ({ loaded }: { loaded: Loaded<unknown> }) =>
  loaded.data === undefined && loaded.error ? <LoadFailure error={loaded.error} onRetry={loaded.retry} /> : <StaleNotice loaded={loaded} />
