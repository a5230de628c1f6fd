import { isYouTubeUrl } from './form-rules.ts'
import { toWebAddress } from './website-rules.ts'

// The form and the server both apply these rules for a promotion. This file contains no schemas, because pages that import it would load the schema
// library as well.

/** The maximum length of each address, in characters. */
export const PROMOTION_URL_MAX_LENGTH = 500

/** The fields of a promotion, in the form's order. */
export const promotionFields = ['youtube_channel', 'youtube_share'] as const
export type PromotionField = (typeof promotionFields)[number]
export type PromotionLinks = Record<PromotionField, string>

/** Returns the web addresses that a person means: completes the name of a channel, and addresses without `https://`. */
export const toPromotionLinks = ({ youtube_channel, youtube_share }: PromotionLinks): PromotionLinks => ({
  youtube_channel: toWebAddress(youtube_channel, 'youtube'),
  youtube_share: toWebAddress(youtube_share),
})

/**
 * Returns the field whose text is not a YouTube address or is too long, or `undefined` if both addresses are valid. Other sites are not accepted, because everyone
 * sees both addresses on the home page.
 */
export const findWrongPromotionField = (links: PromotionLinks): PromotionField | undefined =>
  promotionFields.find((field) => !isYouTubeUrl(links[field]) || links[field].length > PROMOTION_URL_MAX_LENGTH)
