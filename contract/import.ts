import Type, { type Static } from 'typebox'
import { LINK_MAX_LENGTH } from './link-rules.ts'
import { SOCIAL_URL_MAX_LENGTH, type SocialField, socialFields, websiteMaxLengths } from './website-rules.ts'

/** The maximum number of songs of a playlist in an import file. */
const PLAYLIST_SONGS_MAX = 2_000_000
const nameSchema = Type.String({ minLength: 1, maxLength: 300 })
const idSchema = Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' })
const videoIdSchema = Type.String({ maxLength: 11, pattern: '^[A-Za-z0-9_-]{11}$' })
const httpsUrlSchema = Type.String({ maxLength: LINK_MAX_LENGTH, pattern: '^(https://\\S+|)$' })
/**
 * Subscribers or views of a channel. The maximum exceeds the count of any channel, and is so low that the sum over all members is an exact integer.
 */
const audienceCountSchema = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })
/** A link: an http or https URL, or a path of the site. */
const linkSchema = Type.String({ maxLength: LINK_MAX_LENGTH, pattern: '^(https?://\\S+|/([^/\\\\\\s]\\S*)?|)$' })
const dateSchema = Type.String({ maxLength: 40, pattern: '^\\d{4}-\\d{2}-\\d{2}([T ][0-9:.]+(Z|[+-]\\d{2}:\\d{2})?)?$' })

/** The fields of a supporter's site, besides its name, that an import can set. */
export const supporterTextFields = ['subtitle', 'about_me', 'social_text', ...socialFields] as const
const createSupporterTextSchema = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const createSupporterLinkSchema = () => Type.Optional(Type.String({ maxLength: SOCIAL_URL_MAX_LENGTH, pattern: '^(https://\\S+|)$' }))
// The cast is safe, because the object has a member for each of the fields.
const supporterLinks = Object.fromEntries(socialFields.map((field) => [field, createSupporterLinkSchema()])) as Record<
  SocialField,
  ReturnType<typeof createSupporterLinkSchema>
>

/** The row schemas of a `catalog import` file, by the key of the array in the file. Each array is optional. */
export const importRowSchemas = {
  playlists: Type.Object({
    id: idSchema,
    title: nameSchema,
    category_id: idSchema,
    category_name: nameSchema,
    description: Type.Optional(Type.String({ maxLength: 20_000 })),
    special: Type.Optional(Type.Boolean()),
    home: Type.Optional(Type.Boolean()),
    image_url: Type.Optional(httpsUrlSchema),
    description_url: Type.Optional(httpsUrlSchema),
    songs: Type.Array(videoIdSchema, { maxItems: PLAYLIST_SONGS_MAX }),
  }),
  songs: Type.Object({
    youtube_id: videoIdSchema,
    title: nameSchema,
    author_name: nameSchema,
    author_channel_id: Type.Optional(Type.String({ maxLength: 100 })),
    category_id: idSchema,
    category_name: nameSchema,
    date_added: dateSchema,
    duration: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Seconds.' })),
    description: Type.Optional(Type.String({ maxLength: 20_000 })),
  }),
  members: Type.Object({
    channel_id: Type.String({ minLength: 1, maxLength: 100 }),
    channel_name: nameSchema,
    channel_pic: Type.Optional(httpsUrlSchema),
    sub_tag: Type.Optional(Type.String({ maxLength: 100 })),
    testimonial: Type.Optional(Type.String({ maxLength: 5000 })),
    subs: Type.Optional(audienceCountSchema),
    views: Type.Optional(audienceCountSchema),
    academy: Type.Optional(Type.Boolean()),
  }),
  supporters: Type.Object({
    domain_name: Type.String({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' }),
    name: nameSchema,
    profile_pic: Type.Optional(httpsUrlSchema),
    subtitle: createSupporterTextSchema(websiteMaxLengths.subtitle),
    about_me: createSupporterTextSchema(websiteMaxLengths.about_me),
    social_text: createSupporterTextSchema(websiteMaxLengths.social_text),
    ...supporterLinks,
  }),
  feed: Type.Object({
    id: Type.Optional(
      Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Without it, a new title makes a new item.' }),
    ),
    title: nameSchema,
    content: Type.String({ maxLength: 100_000, description: 'HTML; sanitised when it is stored.' }),
    image: Type.Optional(httpsUrlSchema),
    url: Type.Optional(linkSchema),
    date: dateSchema,
  }),
}
export type ImportFileKey = keyof typeof importRowSchemas
export type ImportRow<K extends ImportFileKey> = Static<(typeof importRowSchemas)[K]>
