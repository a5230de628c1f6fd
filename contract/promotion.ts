import Type, { type Static } from 'typebox'
import { PROMOTION_URL_MAX_LENGTH } from './promotion-rules.ts'

const createYoutubeUrlSchema = (description: string) => Type.String({ minLength: 1, maxLength: PROMOTION_URL_MAX_LENGTH, description })
const linkSchemas = {
  youtube_channel: createYoutubeUrlSchema('The channel on YouTube.'),
  youtube_share: createYoutubeUrlSchema('What to share: a video, say.'),
}

/** The website of the subscriber who promotes the channel; absent if the subscriber has no website that visitors can see. */
const siteSchema = {
  site_name: Type.Optional(Type.String()),
  domain_name: Type.Optional(Type.String()),
  profile_pic: Type.Optional(Type.String({ description: 'A picture on our own origin.' })),
}
export type PromotionSite = { site_name: string; domain_name: string; profile_pic: string }

const PromotionRequest = Type.Object(linkSchemas)

export const Promotion = Type.Object({
  youtube_channel: Type.String({ description: 'Empty before the first save.' }),
  youtube_share: Type.String({ description: 'Empty before the first save.' }),
  video_hidden: Type.Optional(
    Type.Boolean({ description: 'Whether the team has hidden the shared video, so that the promotion is not shown. Absent otherwise.' }),
  ),
  ...siteSchema,
  promotion_calendar: Type.Array(Type.Object({ date: Type.String({ description: 'ISO 8601 UTC: the begin of the day.' }) }), {
    description: 'The days on which it was shown, and the day on which it will be, oldest first.',
  }),
})
export type Promotion = Static<typeof Promotion>

/** The promotion of one day, as the home page shows it. */
export const DailyPromotion = Type.Object({
  date: Type.String({ description: 'ISO 8601 UTC: the begin of the day.' }),
  ...linkSchemas,
  ...siteSchema,
})
export type DailyPromotion = Static<typeof DailyPromotion>

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
