import Type, { type Static } from 'typebox'
import { SentMessage } from './contact.ts'
import { PlanId } from './content.ts'
import { FullConversionHistoryRow } from './conversion.ts'
import { FollowedArtist } from './follow.ts'
import { MakerPreset } from './presets.ts'
import { Promotion } from './promotion.ts'
import { Website } from './website.ts'

/** A plan that people pay for, as the payment provider's metadata names it. */
export const PaidPlan = Type.Union([Type.Literal('premium'), Type.Literal('premium_plus'), Type.Literal('donate')])
export type PaidPlan = Static<typeof PaidPlan>

export const Role = Type.Union([Type.Literal('subscriber'), Type.Literal('donator')])
export type Role = Static<typeof Role>

export const memberRoles = ['subscriber', 'donator'] as const satisfies readonly Role[]

/** A role of an account, and its source: an admin or a payment. */
export const RoleGrant = Type.Object({
  role: Role,
  source: Type.Union([Type.Literal('admin'), Type.Literal('payment')]),
  plan: Type.Optional(PaidPlan),
  until: Type.Optional(Type.String({ description: 'ISO 8601 UTC; without it, no end.' })),
  renews: Type.Optional(Type.Literal(true, { description: 'There where the payment provider charges again at `until`.' })),
})
export type RoleGrant = Static<typeof RoleGrant>

/** Why a paid subscription that still exists is not renewed. */
export const SubscriptionInterruption = Type.Union([Type.Literal('payment_failed'), Type.Literal('paused'), Type.Literal('disputed')], {
  description: 'Missing unless a paid subscription is interrupted: it can be charged again, so that no second one is sold.',
})
export type SubscriptionInterruption = Static<typeof SubscriptionInterruption>

export const AccountInfo = Type.Object({
  email: Type.String({ description: 'Empty for an account without one.' }),
  roles: Type.Array(Role, { description: 'Those that have not ended.' }),
  discord: Type.String({ description: 'The name of the linked Discord account; empty where none is.' }),
  discord_id: Type.String({ description: 'Empty where no Discord account is linked.' }),
  grants: Type.Optional(
    Type.Array(RoleGrant, {
      description: 'What gives the roles, the latest end first. Missing only in what earlier builds of the page stored.',
    }),
  ),
  ended: Type.Optional(
    Type.Object(
      { plan: Type.Optional(PaidPlan), until: Type.String({ description: 'ISO 8601 UTC.' }) },
      { description: 'The subscription that ended last. Missing for a subscriber, and for an account that never was one.' },
    ),
  ),
  interrupted: Type.Optional(SubscriptionInterruption),
  website: Type.Optional(Type.String({ description: 'The address of its website, also while that is not shown. Missing where none is.' })),
})
export type AccountInfo = Static<typeof AccountInfo>

/** A browser that is logged in to an account. */
export const Login = Type.Object({
  id: Type.String(),
  device: Type.String({
    description: "Browser and system, such as 'Chrome on Android'; empty for one of an earlier version that was not used since.",
  }),
  network: Type.String({ description: "The network of the last use without its last part, such as '203.0.113.x'." }),
  created: Type.String({ description: 'ISO 8601 UTC.' }),
  last_used: Type.String({ description: 'ISO 8601 UTC, exact to an hour.' }),
  current: Type.Boolean({ description: "Whether it is the caller's own." }),
})
export type Login = Static<typeof Login>

/** All data that the server stores about an account, as the account export returns it. */
const AccountExport = Type.Object({
  uid: Type.String(),
  email: Type.String(),
  email_verified: Type.Boolean(),
  created: Type.Optional(Type.String({ description: 'ISO 8601 UTC; where this server keeps the accounts.' })),
  last_login: Type.Optional(Type.String({ description: 'ISO 8601 UTC; where this server keeps the accounts.' })),
  roles: Type.Array(RoleGrant, { description: 'Those too that have ended.' }),
  discord: Type.Optional(Type.Object({ id: Type.String(), name: Type.String(), linked: Type.String({ description: 'ISO 8601 UTC.' }) })),
  make_history: Type.Array(FullConversionHistoryRow, { description: 'Newest first.' }),
  maker_presets: Type.Array(MakerPreset, { description: 'The one that was changed last comes last.' }),
  logins: Type.Array(Login, { description: 'The last used first.' }),
  messages: Type.Array(SentMessage, { description: 'Newest first: those that the account sent, or that give its verified address.' }),
  notifications: Type.Array(Type.Object({ service: Type.String(), since: Type.String({ description: 'ISO 8601 UTC.' }) }), {
    description: 'The browsers that are told of new songs, by the host of their push service.',
  }),
  followed_artists: Type.Array(FollowedArtist, { description: 'The last followed first.' }),
  promotion: Type.Optional(Promotion),
  website: Type.Optional(Website),
  playlists: Type.Array(
    Type.Object({
      title: Type.String(),
      description: Type.String(),
      created: Type.String({ description: 'ISO 8601 UTC.' }),
      songs: Type.Array(Type.Object({ s: Type.String(), at: Type.String({ description: 'When it was added, ISO 8601 UTC.' }) }), {
        description: 'In order; those too that the catalogue no longer has.',
      }),
    }),
    { description: 'Own playlists, the oldest first.' },
  ),
  favorites: Type.Array(Type.Object({ s: Type.String(), at: Type.String({ description: 'ISO 8601 UTC.' }) }), {
    description: 'Newest first; those too that the catalogue no longer has.',
  }),
})
export type AccountExport = Static<typeof AccountExport>

/**
 * The result of an attempt to link a Discord account, passed to the page as the query parameter `discord`.
 *
 * - `linked`: the Discord account is linked.
 * - `denied`: the person declined at Discord.
 * - `expired`: the attempt was older than 10 minutes, already used, or replaced by a newer attempt.
 * - `browser`: the attempt was started in another browser.
 * - `taken`: the Discord account is linked to another account of the site.
 * - `refused`: Discord rejected the request.
 * - `unavailable`: Discord could not be reached, or linking is not configured.
 */
export type DiscordLinkOutcome = 'linked' | 'denied' | 'expired' | 'browser' | 'taken' | 'refused' | 'unavailable'

export const accountEndpoints = {
  'GET /account/getinfo': {
    summary: "The caller's address, roles and linked Discord account.",
    tag: 'account',
    access: 'user',
    data: AccountInfo,
  },
  'GET /account/export': {
    summary: 'All that is stored about the caller.',
    tag: 'account',
    access: 'user',
    data: AccountExport,
  },
  'POST /account/delete': {
    summary: "Removes the caller's account and all that belongs to it. The password must have been given in the last 5 minutes.",
    tag: 'account',
    access: 'user',
    body: Type.Object({}),
    data: Type.Null(),
  },
  'POST /account/sign_out': {
    summary: 'Ends the session of a refresh token, where this server keeps the accounts. What is no such token is ignored.',
    tag: 'account',
    access: 'public',
    body: Type.Object({ refresh_token: Type.String({ maxLength: 200 }) }),
    data: Type.Null(),
  },
  'GET /account/logins': {
    summary: "The caller's logins, the last used first. None where a Firebase project keeps the accounts.",
    tag: 'account',
    access: 'user',
    data: Type.Array(Login),
  },
  'POST /account/end_login': {
    summary: "Ends one of the caller's logins: nothing that it was given is accepted any more.",
    tag: 'account',
    access: 'user',
    body: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100, description: "A login's id." }) }),
    data: Type.Null(),
  },
  'POST /account/end_logins': {
    summary: "Ends all of the caller's logins, this one too.",
    tag: 'account',
    access: 'user',
    body: Type.Object({ others_only: Type.Optional(Type.Boolean({ description: "Ends all but the caller's own." })) }),
    data: Type.Null(),
  },
  'POST /account/checkout': {
    summary:
      'The address of the checkout of a plan, for the caller. 409 for a subscription while the caller has a paid or interrupted one.',
    tag: 'account',
    access: 'user',
    body: Type.Object({ plan: PlanId }),
    data: Type.Object({ url: Type.String() }),
  },
  'POST /account/discord_link': {
    summary: 'Begins to link a Discord account: the address to send the browser to, good for 10 minutes. Sets a cookie for the way back.',
    tag: 'account',
    access: 'user',
    body: Type.Object({
      return_url: Type.String({
        minLength: 1,
        maxLength: 2000,
        description: "Where the browser ends up: a path or a URL of the site's own.",
      }),
    }),
    data: Type.Object({ authorize_url: Type.String() }),
  },
  'POST /account/confirm_email': {
    summary: "Confirms the caller's address with the code of a mailed link. 400 for one that has expired, 403 for one of another account.",
    tag: 'account',
    access: 'user',
    body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 200 }) }),
    data: Type.Null(),
  },
  'POST /account/disconnect_discord': {
    summary: "Forgets the caller's Discord account.",
    tag: 'account',
    access: 'user',
    body: Type.Object({}),
    data: Type.Null(),
  },
  'GET /account/disconnect_discord': {
    summary: "Forgets the caller's Discord account, for clients that cannot send POST.",
    tag: 'account',
    access: 'user',
    data: Type.Null(),
  },
} as const
