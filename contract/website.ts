import Type, { type Static } from 'typebox'
import { Playlist } from './playlist.ts'
import { Song } from './song.ts'
import {
  type AccentColor,
  accentColors,
  type ClickTarget,
  clickTargets,
  type LinkId,
  linkIds,
  SOCIAL_URL_MAX_LENGTH,
  type SocialField,
  socialFields,
  WEBSITE_ENTRY_TITLE_MAX_LENGTH,
  WEBSITE_LINKS_MAX,
  WEBSITE_SONGS_MAX,
  websiteMaxLengths,
} from './website-rules.ts'

const createTextSchema = (maxLength: number) => Type.String({ maxLength })
const createLinkSchema = () => createTextSchema(SOCIAL_URL_MAX_LENGTH)
// The cast is safe, because the object has a member for each of the fields.
const socialLinks = Object.fromEntries(socialFields.map((field) => [field, createLinkSchema()])) as Record<
  SocialField,
  ReturnType<typeof createLinkSchema>
>

const accentSchema = Type.Unsafe<AccentColor>(
  Type.Union(
    accentColors.map((each) => Type.Literal(each)),
    { description: "The accent color; empty for the brand's." },
  ),
)

const websiteEntryFields = { title: createTextSchema(WEBSITE_ENTRY_TITLE_MAX_LENGTH), url: createLinkSchema() }
/** A link that the owner has added. Its clicks are counted under `id`, which stays the same as long as the link's address does. */
const WebsiteLink = Type.Object({ id: Type.Unsafe<LinkId>(Type.Union(linkIds.map((id) => Type.Literal(id)))), ...websiteEntryFields })
export type WebsiteLink = Static<typeof WebsiteLink>

/** The fields of a subscriber's website that visitors see. */
const publicTextFields = {
  domain_name: createTextSchema(websiteMaxLengths.domain_name),
  name: createTextSchema(websiteMaxLengths.name),
  subtitle: createTextSchema(websiteMaxLengths.subtitle),
  form_mail: createTextSchema(websiteMaxLengths.form_mail),
  about_me: createTextSchema(websiteMaxLengths.about_me),
  social_text: createTextSchema(websiteMaxLengths.social_text),
  banner_url: createTextSchema(websiteMaxLengths.banner_url),
  enabled: Type.Union([Type.Literal('yes'), Type.Literal('no')], { description: 'Whether visitors see the site.' }),
  ...socialLinks,
}

const { domain_name, name, youtube, ...optionalTexts } = publicTextFields

/**
 * The new state of a website. A missing text counts as empty; without `enabled`, the website is enabled. If `links`, `songs` or `accent` are missing,
 * the stored ones stay. Account names and bare hosts are stored as web addresses.
 */
export const WebsiteRequest = Type.Object({
  domain_name,
  name,
  youtube,
  ...Type.Partial(Type.Object(optionalTexts)).properties,
  links: Type.Optional(
    Type.Array(Type.Object({ ...websiteEntryFields, id: Type.Optional(createTextSchema(10)) }), {
      maxItems: WEBSITE_LINKS_MAX,
      description: 'In a form: as JSON. A link without the id that it has counts as a new one.',
    }),
  ),
  songs: Type.Optional(
    Type.Array(Type.Object(websiteEntryFields), {
      maxItems: WEBSITE_SONGS_MAX,
      description: 'Videos, in the order of the site. In a form: as JSON. The title may be empty for a song of the catalogue only.',
    }),
  ),
  accent: Type.Optional(accentSchema),
})
export type WebsiteRequest = Static<typeof WebsiteRequest>

const clickTargetSchema = Type.Unsafe<ClickTarget>(Type.Union(clickTargets.map((each) => Type.Literal(each))))

/** A subscriber's website, as its owner sees it. */
export const Website = Type.Object({
  id: Type.String(),
  ...publicTextFields,
  url: Type.String({ description: 'Its address.' }),
  links: Type.Array(WebsiteLink),
  songs: Type.Array(Type.Object(websiteEntryFields), { description: 'The chosen songs.' }),
  accent: accentSchema,
  channel_songs: Type.Integer({ description: `How many songs of its channel the catalogue has, up to ${WEBSITE_SONGS_MAX}.` }),
  lists_uploads: Type.Boolean({ description: 'Whether this server can list the uploads of a channel.' }),
  has_banner: Type.Boolean({ description: 'Whether a banner was uploaded, which is shown in place of `banner_url`.' }),
  has_portrait: Type.Boolean({ description: 'Whether a portrait was uploaded.' }),
  clicks: Type.Array(Type.Object({ target: clickTargetSchema, count: Type.Integer() }), {
    description:
      'What visitors pressed in the last 30 days, the most first. Of visitors, only a hash of the network is stored, for an hour.',
  }),
})
export type Website = Static<typeof Website>

/** A subscriber's website as visitors see it, with its songs and playlists. */
export const SubscriberInfo = Type.Object({
  videos: Type.Array(Song, { description: 'The chosen songs, else the newest of the channel, filled up with the newest of all.' }),
  own_count: Type.Integer({ description: 'How many of the videos, from the first, are not filled up.' }),
  playlists: Type.Array(Playlist, { description: 'Chosen at random.' }),
  profile_pic: Type.String({ description: 'A picture on our own origin.' }),
  donator: Type.Boolean({ description: 'Whether the owner is a donator.' }),
  data: Type.Object({ ...publicTextFields, links: Type.Array(WebsiteLink), accent: accentSchema }),
})
export type SubscriberInfo = Static<typeof SubscriberInfo>

export const websiteEndpoints = {
  'GET /website/get': {
    summary: "The caller's website. Code 201 and null: it is not activated yet.",
    tag: 'website',
    access: 'subscriber',
    data: Type.Union([Website, Type.Null()]),
  },
  'POST /website/activate': {
    summary: 'Activates the website of the caller under a domain name that nobody has.',
    tag: 'website',
    access: 'subscriber',
    body: Type.Object({ domain_name: publicTextFields.domain_name }),
    data: Type.Null(),
  },
  'POST /website/save': {
    summary: 'Changes the website of the caller. The address of an earlier domain name leads to the new one for 30 days.',
    tag: 'website',
    access: 'subscriber',
    body: WebsiteRequest,
    data: Type.Null(),
  },
  'GET /website/uploads': {
    summary: "The newest public videos of the channel of the caller's website.",
    tag: 'website',
    access: 'subscriber',
    data: Type.Array(Type.Object(websiteEntryFields)),
  },
  'POST /website/banner': {
    summary:
      "Sets the banner of the caller's website: multipart, with a picture as `file`. Without a file, the uploaded banner is removed.",
    tag: 'website',
    access: 'subscriber',
    body: Type.Object({}),
    data: Type.Null(),
  },
  'POST /website/portrait': {
    summary:
      "Sets the portrait of the caller's website: multipart, with a picture as `file`. Without a file, the uploaded portrait is removed.",
    tag: 'website',
    access: 'subscriber',
    body: Type.Object({}),
    data: Type.Null(),
  },
  'GET /subscriber/getinfo': {
    summary: "A subscriber's website.",
    tag: 'subscriber',
    access: 'public',
    query: Type.Object({ domain_name: publicTextFields.domain_name }),
    data: SubscriberInfo,
  },
  'POST /subscriber/click': {
    summary: "Counts a click on a subscriber's website, for its owner. Of the visitor, only a hash of the network is stored, for an hour.",
    tag: 'subscriber',
    access: 'public',
    body: Type.Object({ domain_name: publicTextFields.domain_name, target: clickTargetSchema }),
    data: Type.Null(),
  },
} as const
