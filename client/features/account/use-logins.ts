import type { Login } from '../../../contract/account.ts'
import { type AccountAction, type AccountData, useAccountAction, useAccountData } from '../../hooks/account-data.ts'
import type { AccountApi } from '../../platform/api.ts'

const requestLogins = (api: AccountApi) => api.call('GET /account/logins', {})

/** Returns the logins of the signed-in account, the last used first. */
export const useLogins = (): AccountData<Login[]> => useAccountData(requestLogins)

/** Returns the action that ends a login of the signed-in account. */
export const useEndLogin = (): AccountAction<[id: string]> => useAccountAction((api, id) => api.call('POST /account/end_login', { id }))

/** Returns the action that ends all other logins of the signed-in account. */
export const useEndOtherLogins = (): AccountAction<[]> =>
  useAccountAction((api) => api.call('POST /account/end_logins', { others_only: true }))
