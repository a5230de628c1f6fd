import { isYouTubeUrl } from './form-rules.ts'

// The rules of a promotion, which the form and the server both apply: without schema code, because the page imports them.

/** The maximum length of each address, in characters. */
export const PROMOTION_URL_MAX_LENGTH = 500

/** The fields of a promotion, in the form's order. */
export const promotionFields = ['youtube_channel', 'youtube_share'] as const
export type PromotionField = (typeof promotionFields)[number]
export type PromotionLinks = Record<PromotionField, string>

/** Returns which field is no address of YouTube, or `undefined` if both are valid. Home pages show both to everyone, so no other site is accepted. */
export const wrongPromotionField = (links: PromotionLinks): PromotionField | undefined =>
  promotionFields.find((field) => !isYouTubeUrl(links[field]))
