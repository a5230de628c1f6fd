import type { Promotion } from '../../../contract/promotion.ts'
import type { PromotionLinks } from '../../../contract/promotion-rules.ts'
import { type AccountAction, type AccountData, useAccountAction, useAccountData } from '../../hooks/account-data.ts'
import type { AccountApi } from '../../platform/api.ts'

const requestPromotion = (api: AccountApi) => api.call('GET /promotion/get', {})

/** Returns the promotion of the signed-in account with its days. */
export const usePromotion = (): AccountData<Promotion> => useAccountData(requestPromotion)

/** Returns the action that stores the promoted links of the signed-in account. */
export const useSavePromotion = (): AccountAction<[PromotionLinks]> =>
  useAccountAction((api, links) => api.call('POST /promotion/save', links))
