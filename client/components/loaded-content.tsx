import type { ReactNode } from 'react'
import type { RemoteData } from '../hooks/remote-data.ts'
import { SkeletonFields } from '../ui/skeleton-fields.tsx'
import { ErrorState, OfflineState } from '../ui/states.tsx'

interface LoadedContentProps<T> {
  of: Pick<RemoteData<T>, 'data' | 'error' | 'reload'>
  /** The heading if the server cannot be reached. */
  offline: string
  /** The heading above the server's error message. */
  failure: string
  /** The number of rows of the placeholder. */
  rows?: number
  children: (data: T) => ReactNode
}

/** Renders `children` with the loaded data; before that a placeholder, and after a failure its reason with a Retry button. */
export function LoadedContent<T>({ of: { data, error, reload }, offline, failure, rows = 4, children }: LoadedContentProps<T>) {
  if (data !== undefined) return children(data)
  if (!error) return <SkeletonFields count={rows} />
  return error.kind === 'network' ? (
    <OfflineState title={offline} onRetry={reload} />
  ) : (
    <ErrorState title={failure} text={error.message} onRetry={reload} />
  )
}
