import Type, { type Static } from 'typebox'
import { MadeFileExport } from './make.ts'

export const Role = Type.Union([Type.Literal('subscriber'), Type.Literal('donator')])
export type Role = Static<typeof Role>

export const AccountInfo = Type.Object({
  email: Type.String({ description: 'Empty for an account without one.' }),
  roles: Type.Array(Role, { description: 'Those that have not ended.' }),
  discord: Type.String({ description: 'The name of the linked Discord account; empty where none is.' }),
  discord_id: Type.String({ description: 'Empty where no Discord account is linked.' }),
})
export type AccountInfo = Static<typeof AccountInfo>

/** All that is stored about an account and its address. */
export const AccountExport = Type.Object({
  uid: Type.String(),
  email: Type.String(),
  email_verified: Type.Boolean(),
  created: Type.Optional(Type.String({ description: 'ISO 8601 UTC; where this server keeps the accounts.' })),
  last_login: Type.Optional(Type.String({ description: 'ISO 8601 UTC; where this server keeps the accounts.' })),
  roles: Type.Array(
    Type.Object({
      role: Role,
      source: Type.String(),
      until: Type.Optional(Type.String({ description: 'ISO 8601 UTC; without it, no end.' })),
    }),
  ),
  discord: Type.Optional(Type.Object({ id: Type.String(), name: Type.String(), linked: Type.String({ description: 'ISO 8601 UTC.' }) })),
  make_history: Type.Array(MadeFileExport, { description: 'Newest first.' }),
  favorites: Type.Array(Type.Object({ s: Type.String(), at: Type.String({ description: 'ISO 8601 UTC.' }) }), {
    description: 'Newest first; those too that the catalogue no longer has.',
  }),
})
export type AccountExport = Static<typeof AccountExport>

/**
 * How an attempt to link Discord ended; pages read it as `?discord=` of the address that they are sent to.
 *
 * - `linked`: it is linked.
 * - `denied`: the person said no at Discord.
 * - `expired`: the attempt was over 10 minutes old, used, or replaced by a newer one.
 * - `browser`: it was begun in another browser.
 * - `taken`: that Discord account is linked to another account here.
 * - `refused`: Discord did not accept the attempt.
 * - `unavailable`: Discord could not be asked, or linking is not set up.
 */
export type DiscordOutcome = 'linked' | 'denied' | 'expired' | 'browser' | 'taken' | 'refused' | 'unavailable'
