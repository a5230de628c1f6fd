import type { MakeHistoryRow } from '../../contract/make.ts'
import type { AccountApi } from '../platform/api.ts'
import { type AccountData, useAccountData } from './account-data.ts'

const requestHistory = (api: AccountApi) => api.call('GET /make/history', {})

/** Returns the files that the signed-in account has made, with fresh addresses of those that the server still has. */
export const useConvertedFiles = (): AccountData<MakeHistoryRow[]> => useAccountData(requestHistory)
