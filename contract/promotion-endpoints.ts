import Type from 'typebox'
import { DailyPromotion, Promotion, PromotionRequest } from './promotion.ts'

/** The endpoints of promotions, a part of the endpoint table. */
export const promotionEndpoints = {
  'GET /promotion/get': {
    summary: "The caller's promotion and its days.",
    tag: 'promotion',
    access: 'subscriber',
    data: Promotion,
  },
  'POST /promotion/save': {
    summary: 'Sets what the caller promotes. The first time, the promotion begins to wait for a day; later changes keep its place.',
    tag: 'promotion',
    access: 'subscriber',
    body: PromotionRequest,
    data: Type.Null(),
  },
  'GET /promotion/today': {
    summary: 'The promotion of this day (UTC), which the home pages of all brands show; null if there is none.',
    tag: 'promotion',
    access: 'public',
    data: Type.Union([DailyPromotion, Type.Null()]),
  },
} as const
