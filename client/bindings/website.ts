import type { Website, WebsiteRequest } from '../../contract/website.ts'
import type { AccountApi } from '../platform/api.ts'
import { startTimeout } from '../primitives/scope.ts'
import { type AccountAction, type AccountData, useAccountAction, useAccountData } from './account-data.ts'

const requestWebsite = (api: AccountApi) => api.call('GET /website/get', {})

/** Returns the website of the signed-in account; null before it is activated. */
export const useWebsite = (): AccountData<Website | null> => useAccountData(requestWebsite)

export const useActivateWebsite = (): AccountAction<[domainName: string]> =>
  useAccountAction((api, domain_name) => api.call('POST /website/activate', { domain_name }))

/** The time after which a failure is shown, so that a message about the attempt before is not taken for it. */
const FAILURE_DELAY_MS = 1000

export const useSaveWebsite = (): AccountAction<[WebsiteRequest]> =>
  useAccountAction(async (api, website) => {
    try {
      await api.call('POST /website/save', website)
    } catch (error) {
      await new Promise<void>((resolve) => startTimeout(resolve, FAILURE_DELAY_MS))
      throw error
    }
  })
