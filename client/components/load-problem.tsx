import type { Loaded } from '../hooks/catalogue.ts'
import { LoadFailure, StaleNotice } from './load-failure.tsx'

/** Renders why rows could not be loaded or refreshed, and Retry where there are none. Routes pass this function to pages of other features. */
export const renderLoadProblem = (loaded: Loaded<unknown>) =>
  loaded.data === undefined && loaded.error ? <LoadFailure error={loaded.error} onRetry={loaded.retry} /> : <StaleNotice loaded={loaded} />
