import Type, { type Static } from 'typebox'
import { createTextParameterSchema } from './input-types.ts'
import { LINK_MAX_LENGTH } from './link-rules.ts'

/** The kind of site that a host serves: the brand's main site, the radio, or a subscriber's site. */
export const SiteHostKind = Type.Union([Type.Literal('main'), Type.Literal('radio'), Type.Literal('subscriber')])
export type SiteHostKind = Static<typeof SiteHostKind>

/** The pattern of a link or picture URL: http, https, mailto, a path of the site, or an empty text. `javascript:` URLs do not match. */
export const LINK_PATTERN = '^(https?://|mailto:|/|#|$)'
const createLineSchema = () => Type.String({ maxLength: 500 })
const createLinkTargetSchema = (description: string) => Type.String({ maxLength: LINK_MAX_LENGTH, pattern: LINK_PATTERN, description })

const Link = Type.Object({ label: createLineSchema(), url: createLinkTargetSchema('The path or URL of the link.') })

/** The sources of the songs that a radio station plays: a single one, or several categories and playlists, separated by commas. */
const createRadioSourceSchema = () => Type.String({ pattern: '^(?:all|academy|(?:category|playlist):.+)$', maxLength: 300 })

const createPriceIdsSchema = (planId: string) =>
  Type.String({
    maxLength: 500,
    description: `The ids of the prices of ${planId} at the payment provider, separated by commas; empty where its metadata name the plan.`,
  })

/**
 * The settings of a brand that `settings set` changes, by key. Each setting has a default in the brand's data. `DONATE_LINKS` and `FOOTER_LINKS` are
 * set as JSON arrays of `{label, url}`, `LEAD_PLAYLISTS` as a JSON array of ids.
 */
export const Settings = Type.Object({
  NAME: Type.String({ minLength: 1, maxLength: 500 }),
  DOMAIN: createLineSchema(),
  LOGO: createLinkTargetSchema('The URL of a picture on our own origin; empty for the drawn logo.'),
  HERO_TITLE: createLineSchema(),
  HERO_SUBTITLE: createLineSchema(),
  HERO_LINK: createLinkTargetSchema('The path or URL of the hero link.'),
  META_TITLE: createLineSchema(),
  META_DESCRIPTION: Type.String({ maxLength: 20_000 }),
  SOCIAL_DISCORD: createLinkTargetSchema('Our page on Discord; empty for none.'),
  SOCIAL_INSTAGRAM: createLinkTargetSchema('Our page on Instagram; empty for none.'),
  SOCIAL_X: createLinkTargetSchema('Our page on X; empty for none.'),
  SOCIAL_TIKTOK: createLinkTargetSchema('Our page on TikTok; empty for none.'),
  DONATE_LINKS: Type.Array(Link, { maxItems: 100 }),
  FOOTER_LINKS: Type.Array(Link, { maxItems: 100 }),
  DISCORD_WIDGET_ID: createLineSchema(),
  INTRO_VIDEO: Type.String({ maxLength: 500, description: 'A video id or URL; empty shows the passion text instead.' }),
  PASSION_TEXT: Type.String({ maxLength: 20_000 }),
  COMMUNITY_TEXT: Type.String({ maxLength: 20_000 }),
  WHAT_IS_PATH: Type.String({ maxLength: 100, pattern: '^/[a-z0-9-]+$' }),
  WHAT_IS_TITLE: createLineSchema(),
  DESIGNER: Type.Union([Type.Literal('true'), Type.Literal('false')]),
  ARTWORK: Type.Union([Type.Literal('true'), Type.Literal('false')]),
  MAKER_SPEED: Type.Number({ minimum: 0.1, maximum: 2 }),
  DEFAULT_PITCH: Type.Integer({ minimum: -12, maximum: 12 }),
  NEW_DAYS: Type.Integer({ minimum: 1, maximum: 3650 }),
  DONATOR_DAYS: Type.Integer({ minimum: 1, maximum: 3650 }),
  LEAD_PLAYLISTS: Type.Array(Type.String({ minLength: 1, maxLength: 300, description: 'The id of a playlist or category.' }), {
    maxItems: 100,
  }),
  RADIO_MAIN: createRadioSourceSchema(),
  RADIO_NEWCOMERS: createRadioSourceSchema(),
  EXAMPLE_SITE: Type.String({
    maxLength: 63,
    pattern: '^[a-z0-9-]*$',
    description: 'The domain name of the website that locked pages show as an example; empty for none.',
  }),
  SHOW_LISTENERS: Type.Union([Type.Literal('true'), Type.Literal('false')]),
  CUSTOMER_PORTAL: createLinkTargetSchema('Where customers change or end their subscription; empty for none.'),
  CHECKOUT_PREMIUM: createLinkTargetSchema('The checkout of Premium.'),
  CHECKOUT_PREMIUM_PLUS: createLinkTargetSchema('The checkout of Premium Plus.'),
  CHECKOUT_DONATE: createLinkTargetSchema('The checkout of donations.'),
  PRICE_PREMIUM: createPriceIdsSchema('Premium'),
  PRICE_PREMIUM_PLUS: createPriceIdsSchema('Premium Plus'),
})
export type Settings = Static<typeof Settings>
export type SettingKey = keyof Settings

/** The brand, settings and texts of a host. The server embeds this object in the HTML; `GET /site` returns the same object. */
export const Site = Type.Object({
  brand: Type.String({ description: "The brand's id." }),
  host_class: SiteHostKind,
  subdomain: Type.String({ description: "The subscriber's name; empty on other hosts." }),
  api_base_url: Type.String({ description: 'The base of API calls; `/api` on the same origin by default.' }),
  main_url: Type.String({ description: "The origin of the brand's main site." }),
  radio_url: Type.String({ description: "The origin of the brand's radio." }),
  firebase: Type.Optional(
    Type.Object(
      { api_key: Type.String(), project_id: Type.String(), auth_domain: Type.String() },
      { description: 'The Firebase project that keeps the accounts; without it, this origin does.' },
    ),
  ),
  discord_link: Type.Optional(Type.Literal(true, { description: 'There where people can link a Discord account.' })),
  token_sync_url: Type.Optional(Type.String({ description: 'Where pages post the identity token of who is signed in.' })),
  settings: Settings,
  hero: Type.Object(
    { rate: Type.Number(), from_rate: Type.Number(), to_rate: Type.Number() },
    { description: "The rate that the hero's ruler points at, and the range it marks; 1 is as recorded." },
  ),
  texts: Type.Object({
    hero_link_label: Type.String(),
    community_title: Type.String(),
    passion_title: Type.String(),
    tagline: Type.String(),
    genre: Type.String({ description: "The name of the brand's kind of music, which is that of the radio's main station." }),
  }),
})
export type Site = Static<typeof Site>

export const siteEndpoints = {
  'GET /site': {
    summary: 'The brand, host class and settings of the host that was asked.',
    tag: 'site',
    access: 'public',
    data: Site,
  },
  'GET /host': {
    summary: 'Answers 200 for a host name that this server serves, 404 for another: what a proxy asks before it gets a certificate.',
    tag: 'site',
    access: 'public',
    query: Type.Object({ domain: createTextParameterSchema('A host name without a port.') }),
    data: Type.Null(),
  },
} as const
