import Type, { type Static } from 'typebox'

const name = Type.String({ minLength: 1, maxLength: 300 })
const id = Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' })
const videoId = Type.String({ pattern: '^[A-Za-z0-9_-]{11}$' })
const url = Type.String({ maxLength: 2000, pattern: '^(https://\\S+|)$' })
/** Beyond any channel's, and small enough that the sum over all members is exact. */
const audience = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })
/** A page's link: https, http, or a path of the site. */
const link = Type.String({ maxLength: 2000, pattern: '^(https?://\\S+|/([^/\\\\\\s]\\S*)?|)$' })
const date = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}([T ][0-9:.]+(Z|[+-]\\d{2}:\\d{2})?)?$' })

/** The rows of a `catalog import` file, by their key. Each key is an optional array. */
export const importRows = {
  playlists: Type.Object({
    id,
    title: name,
    category_id: id,
    category_name: name,
    description: Type.Optional(Type.String({ maxLength: 20_000 })),
    special: Type.Optional(Type.Boolean()),
    home: Type.Optional(Type.Boolean()),
    image_url: Type.Optional(url),
    description_url: Type.Optional(url),
    songs: Type.Array(videoId),
  }),
  songs: Type.Object({
    youtube_id: videoId,
    title: name,
    author_name: name,
    author_channel_id: Type.Optional(Type.String({ maxLength: 100 })),
    category_id: id,
    category_name: name,
    date_added: date,
    duration: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Seconds.' })),
    description: Type.Optional(Type.String({ maxLength: 20_000 })),
  }),
  members: Type.Object({
    channel_id: Type.String({ minLength: 1, maxLength: 100 }),
    channel_name: name,
    channel_pic: Type.Optional(url),
    sub_tag: Type.Optional(Type.String({ maxLength: 100 })),
    testimonial: Type.Optional(Type.String({ maxLength: 5000 })),
    subs: Type.Optional(audience),
    views: Type.Optional(audience),
    academy: Type.Optional(Type.Boolean()),
  }),
  supporters: Type.Object({
    domain_name: Type.String({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' }),
    name,
    profile_pic: Type.Optional(url),
  }),
  feed: Type.Object({
    title: name,
    content: Type.String({ maxLength: 100_000, description: 'HTML; sanitised when it is stored.' }),
    image: Type.Optional(url),
    url: Type.Optional(link),
    date,
  }),
}
export type ImportKey = keyof typeof importRows
export type ImportRow<K extends ImportKey> = Static<(typeof importRows)[K]>
