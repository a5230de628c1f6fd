import { useCallback, useEffect, useState } from 'react'
import { type AccountApi, ApiCallError } from '../platform/api.ts'
import { type Action, useAction } from './action.ts'
import { useRefreshEntitlement } from './entitlement.ts'
import { useServices } from './services.tsx'

const toCallError = (cause: unknown) =>
  cause instanceof ApiCallError ? cause : new ApiCallError('network', 0, 'No connection to the server.', { cause })

/** Data of the signed-in account that this device does not store. */
export interface AccountData<T> {
  data: T | undefined
  /** The error of the last request, absent after one that succeeded. */
  error: ApiCallError | undefined
  /** Requests the data again. What is shown stays until the answer. */
  reload(): void
}

/** Requests data of the signed-in account. `request` must be the same function in each rendering. */
export function useAccountData<T>(request: (api: AccountApi) => Promise<T>): AccountData<T> {
  const { accountApi } = useServices()
  const refreshEntitlement = useRefreshEntitlement()
  const [reloadCount, setReloadCount] = useState(0)
  const [state, setState] = useState<Pick<AccountData<T>, 'data' | 'error'>>({ data: undefined, error: undefined })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reload repeats the request.
  useEffect(() => {
    let isStale = false
    request(accountApi).then(
      (data) => {
        if (!isStale) setState({ data, error: undefined })
      },
      (cause: unknown) => {
        if (isStale) return
        const error = toCallError(cause)
        setState(({ data }) => ({ data, error }))
        if (error.code === 403) refreshEntitlement()
      },
    )
    return () => {
      isStale = true
    }
  }, [accountApi, request, refreshEntitlement, reloadCount])
  return { ...state, reload: useCallback(() => setReloadCount((count) => count + 1), []) }
}

/** An action of the signed-in account. */
export type AccountAction<A extends unknown[]> = Action<A, ApiCallError>

export function useAccountAction<A extends unknown[]>(send: (api: AccountApi, ...args: A) => Promise<unknown>): AccountAction<A> {
  const { accountApi } = useServices()
  const refreshEntitlement = useRefreshEntitlement()
  return useAction(
    (...args: A) => send(accountApi, ...args),
    (cause) => {
      const error = toCallError(cause)
      // An account whose role has ended sees the locked panel.
      if (error.code === 403) refreshEntitlement()
      return error
    },
  )
}
