import { useCallback, useEffect } from 'react'
import type { AccountInfo } from '../../contract/account.ts'
import type { EndpointData, EndpointInput } from '../../contract/endpoints.ts'
import type { AccountApi, AccountEndpointKey, ApiCallError } from '../platform/api.ts'
import { type Action, useAction } from './action.ts'
import { type LoadedResource, useResource } from './catalogue.ts'
import { useRefreshEntitlement } from './entitlement.ts'
import { type RemoteData, toCallError, useRemoteData } from './remote-data.ts'
import { useServices } from './services.tsx'

/** Requests data of the signed-in account that this device does not store. `endpointInput` must be equal in all renders. */
export function useAccountData<K extends AccountEndpointKey>(endpoint: K, endpointInput: EndpointInput<K>): RemoteData<EndpointData<K>> {
  const { accountApi } = useServices()
  const refreshEntitlement = useRefreshEntitlement()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object of the same input changes nothing.
  const loadData = useCallback((signal: AbortSignal) => accountApi.call(endpoint, endpointInput, { signal }), [accountApi, endpoint])
  const remoteData = useRemoteData(loadData)
  const { error } = remoteData
  useEffect(() => {
    if (error?.code === 403) refreshEntitlement()
  }, [error, refreshEntitlement])
  return remoteData
}

/**
 * Returns the message about a failed call. Use it only for calls whose failure loses no data, because the message does not mention lost
 * data.
 */
export const describeCallError = ({ kind, message }: ApiCallError): string => (kind === 'network' ? 'This needs a connection.' : message)

/** An action that calls the API with the token of the signed-in account. */
export type AccountAction<A extends unknown[]> = Action<A, ApiCallError>

export function useAccountAction<A extends unknown[]>(sendCall: (api: AccountApi, ...args: A) => Promise<unknown>): AccountAction<A> {
  const { accountApi } = useServices()
  const refreshEntitlement = useRefreshEntitlement()
  return useAction(
    (...args: A) => sendCall(accountApi, ...args),
    (cause) => {
      const error = toCallError(cause)
      // The status 403 may mean that the account's role has ended. The roles are requested again, so that the page shows the locked panel
      // instead of the feature.
      if (error.code === 403) refreshEntitlement()
      return error
    },
  )
}

/** Returns the account's data from the server, or the stored data while the server is unreachable. */
export const useAccountInfo = (uid: string): LoadedResource<AccountInfo> => useResource(useServices().accounts.info(uid))
