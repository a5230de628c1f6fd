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
 * Requests data with `load`, and requests it again when `load` changes. Without `load`, the data is `undefined`. The signal is aborted when
 * the response is no longer needed.
 */
export function useRemoteData<T>(load: ((signal: AbortSignal) => Promise<T>) | undefined): RemoteData<T> {
  const [reloadCount, setReloadCount] = useState(0)
  const [{ finished, ...result }, setState] = useState<Pick<RemoteData<T>, 'data' | 'error'> & { finished?: readonly unknown[] }>({
    data: undefined,
    error: undefined,
  })
  useEffect(() => {
    const call = new AbortController()
    const finishedLoad = [load, reloadCount]
    if (!load) setState({ data: undefined, error: undefined, finished: finishedLoad })
    else
      load(call.signal).then(
        (data) => {
          if (!call.signal.aborted) setState({ data, error: undefined, finished: finishedLoad })
        },
        (cause: unknown) => {
          if (!call.signal.aborted) setState(({ data }) => ({ data, error: toCallError(cause), finished: finishedLoad }))
        },
      )
    return () => call.abort()
  }, [load, reloadCount])
  return {
    ...result,
    isLoading: load !== undefined && (finished?.[0] !== load || finished[1] !== reloadCount),
    reload: useCallback(() => setReloadCount((count) => count + 1), []),
  }
}
