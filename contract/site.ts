import Type, { type Static } from 'typebox'

/** What a host is: a brand's main site, its radio, or a subscriber's site. */
export const HostClass = Type.Union([Type.Literal('main'), Type.Literal('radio'), Type.Literal('subscriber')])
export type HostClass = Static<typeof HostClass>

const Link = Type.Object({ label: Type.String(), url: Type.String() })

/**
 * The settings that change a brand's content without code, by their key of `settings set`. Each has a default in the
 * brand's data. `DONATE_LINKS` and `FOOTER_LINKS` are set as JSON lists of `{label, url}`.
 */
export const Settings = Type.Object({
  NAME: Type.String({ minLength: 1 }),
  DOMAIN: Type.String(),
  LOGO: Type.String({ description: 'The URL of a picture on our own origin; empty for the drawn logo.' }),
  HERO_TITLE: Type.String(),
  HERO_SUBTITLE: Type.String(),
  HERO_LINK: Type.String({ description: 'The path or URL of the hero link.' }),
  META_TITLE: Type.String(),
  META_DESCRIPTION: Type.String(),
  SOCIAL_DISCORD: Type.String(),
  SOCIAL_INSTAGRAM: Type.String(),
  SOCIAL_X: Type.String(),
  SOCIAL_TIKTOK: Type.String(),
  DONATE_LINKS: Type.Array(Link),
  FOOTER_LINKS: Type.Array(Link),
  DISCORD_WIDGET_ID: Type.String(),
  INTRO_VIDEO: Type.String({ description: 'A video id or URL; empty shows the passion text instead.' }),
  PASSION_TEXT: Type.String(),
  COMMUNITY_TEXT: Type.String(),
  WHAT_IS_PATH: Type.String({ pattern: '^/[a-z0-9-]+$' }),
  WHAT_IS_TITLE: Type.String(),
  WHAT_IS_CONTENT: Type.String({ description: 'HTML, sanitised when it is stored.' }),
  DESIGNER: Type.Union([Type.Literal('true'), Type.Literal('false')]),
  ARTWORK: Type.Union([Type.Literal('true'), Type.Literal('false')]),
  MAKER_SPEED: Type.Number({ minimum: 0.1, maximum: 2 }),
  DEFAULT_PITCH: Type.Integer({ minimum: -12, maximum: 12 }),
  NEW_DAYS: Type.Integer({ minimum: 1, maximum: 3650 }),
  DONATOR_DAYS: Type.Integer({ minimum: 1, maximum: 3650 }),
  SHOW_LISTENERS: Type.Union([Type.Literal('true'), Type.Literal('false')]),
  CHECKOUT_PREMIUM: Type.String(),
  CHECKOUT_PREMIUM_PLUS: Type.String(),
  CHECKOUT_DONATE: Type.String(),
})
export type Settings = Static<typeof Settings>
export type SettingKey = keyof Settings

/** What a page knows of the site it runs on. The server puts it into the HTML; `GET /site` gives the same. */
export const Site = Type.Object({
  brand: Type.String({ description: "The brand's id." }),
  host_class: HostClass,
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
  }),
})
export type Site = Static<typeof Site>
