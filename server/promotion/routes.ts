import { ApiError } from '../../contract/errors.ts'
import { findWrongPromotionField, toPromotionLinks } from '../../contract/promotion-rules.ts'
import { requireUser, roleHolderOf } from '../http/user.ts'
import type { RouteContext } from '../route-context.ts'
import type { PromotionService } from './promotions.ts'

export function registerPromotionRoutes({ endpoint }: RouteContext, promotions: PromotionService): void {
  endpoint('GET /promotion/get', {}, (_input, request) => promotions.of(requireUser(request).uid))

  endpoint('POST /promotion/save', {}, async (input, request) => {
    const { uid, verifiedEmail: email = '' } = roleHolderOf(requireUser(request))
    const links = toPromotionLinks(input)
    const wrongField = findWrongPromotionField(links)
    if (wrongField !== undefined) throw new ApiError('bad-input', `${wrongField} must be a web address of YouTube`)
    await promotions.save(uid, { email, ...links })
    return null
  })

  endpoint('GET /promotion/today', { isCached: true }, () => promotions.today())
}
