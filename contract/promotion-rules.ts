import { YOUTUBE_HOSTS } from './youtube.ts'

// The rules of a promotion, which the form and the server both apply: without schema code, because the page imports them.

/** The maximum length of each address, in characters. */
export const PROMOTION_URL_MAX_LENGTH = 500

/** The fields of a promotion, in the form's order. */
export const promotionFields = ['youtube_channel', 'youtube_share'] as const
export type PromotionField = (typeof promotionFields)[number]
export type PromotionLinks = Record<PromotionField, string>

/** Returns whether `text` is a web address of YouTube, without a user name and without invisible characters. */
export function isYouTubeUrl(text: string): boolean {
  const trimmedText = text.trim()
  if (/\p{C}/u.test(trimmedText) || !/^https?:\/\/[^\s@/?#]+(?:[/?#]\S*)?$/i.test(trimmedText) || !URL.canParse(trimmedText)) return false
  const { hostname } = new URL(trimmedText)
  return hostname === 'youtu.be' || YOUTUBE_HOSTS.has(hostname)
}

/** Returns which field is no address of YouTube, or `undefined` if both are valid. Home pages show both to everyone, so no other site is accepted. */
export const wrongPromotionField = (links: PromotionLinks): PromotionField | undefined =>
  promotionFields.find((field) => !isYouTubeUrl(links[field]))
