import type { ReactNode } from 'react'
import type { RemoteData } from '../hooks/remote-data.ts'
import { SkeletonFields } from '../ui/skeleton-fields.tsx'
import { ErrorState, OfflineState } from '../ui/states.tsx'

interface LoadedContentProps<T> {
  of: Pick<RemoteData<T>, 'data' | 'error' | 'reload'>
  /** The heading if the server cannot be reached. */
  offlineTitle: string
  /** The heading above the server's error message. */
  failureTitle: string
  /** The number of rows of the placeholder. */
  placeholderRowCount?: number
  children: (data: T) => ReactNode
}

/** Renders `children` with the loaded data; before that a placeholder, and after a failure its reason with a Retry button. */
export function LoadedContent<T>({
  of: { data, error, reload },
  offlineTitle,
  failureTitle,
  placeholderRowCount = 4,
  children,
}: LoadedContentProps<T>) {
  if (data !== undefined) return children(data)
  if (!error) return <SkeletonFields count={placeholderRowCount} />
  return error.kind === 'network' ? (
    <OfflineState title={offlineTitle} onRetry={reload} />
  ) : (
    <ErrorState title={failureTitle} text={error.message} onRetry={reload} />
  )
}
