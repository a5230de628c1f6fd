import { useCallback, useEffect, useState } from 'react'
import { ApiCallError } from '../platform/api.ts'

/** Returns `cause` itself if it is an `ApiCallError`, or else a network failure. */
export const toCallError = (cause: unknown) =>
  cause instanceof ApiCallError ? cause : new ApiCallError('network', 0, 'No connection to the server.', { cause })

/** Data that is requested from the server and not stored on this device. */
export interface RemoteData<T> {
  /** The last loaded data. It stays until the next request has succeeded. */
  data: T | undefined
  /** The error of the last request, absent after one that succeeded. */
  error: ApiCallError | undefined
  isLoading: boolean
  reload(): void
}

/**
 * Requests data with `loadData`, and requests it again when `loadData` changes. Without `loadData`, the data is `undefined`. The signal is aborted when
 * the response is no longer needed.
 */
export function useRemoteData<T>(loadData: ((signal: AbortSignal) => Promise<T>) | undefined): RemoteData<T> {
  const [reloadCount, setReloadCount] = useState(0)
  const [{ finishedLoadKey: finished, ...loadResult }, setState] = useState<
    Pick<RemoteData<T>, 'data' | 'error'> & { finishedLoadKey?: readonly unknown[] }
  >({
    data: undefined,
    error: undefined,
  })
  useEffect(() => {
    const callController = new AbortController()
    const loadKey = [loadData, reloadCount]
    if (!loadData) setState({ data: undefined, error: undefined, finishedLoadKey: loadKey })
    else
      loadData(callController.signal).then(
        (data) => {
          if (!callController.signal.aborted) setState({ data, error: undefined, finishedLoadKey: loadKey })
        },
        (cause: unknown) => {
          if (!callController.signal.aborted) setState(({ data }) => ({ data, error: toCallError(cause), finishedLoadKey: loadKey }))
        },
      )
    return () => callController.abort()
  }, [loadData, reloadCount])
  return {
    ...loadResult,
    isLoading: loadData !== undefined && (finished?.[0] !== loadData || finished[1] !== reloadCount),
    reload: useCallback(() => setReloadCount((count) => count + 1), []),
  }
}
