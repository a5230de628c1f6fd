import { ApiError } from '../../contract/errors.ts'
import { findWrongPromotionField, toPromotionLinks } from '../../contract/promotion-rules.ts'
import { requireUser, toRoleHolder } from '../http/user.ts'
import type { RouteContext } from '../route-context.ts'
import type { PromotionService } from './promotions.ts'

export function registerPromotionRoutes({ endpoint }: RouteContext, promotions: PromotionService): void {
  endpoint('GET /promotion/get', {}, (_input, request) => promotions.of(requireUser(request).uid))

  endpoint('POST /promotion/save', {}, async (input, request) => {
    const { uid, verifiedEmail: email = '' } = toRoleHolder(requireUser(request))
    const promotionLinks = toPromotionLinks(input)
    const wrongField = findWrongPromotionField(promotionLinks)
    if (wrongField !== undefined) throw new ApiError('bad-input', `${wrongField} must be a web address of YouTube`)
    await promotions.save(uid, { email, ...promotionLinks })
    return null
  })

  endpoint('GET /promotion/today', { isCached: true }, () => promotions.today())
}
