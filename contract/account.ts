import Type, { type Static } from 'typebox'

export const Role = Type.Union([Type.Literal('subscriber'), Type.Literal('donator')])
export type Role = Static<typeof Role>

export const AccountInfo = Type.Object({
  email: Type.String({ description: 'Empty for an account without one.' }),
  roles: Type.Array(Role, { description: 'Those that have not ended.' }),
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
})
export type AccountExport = Static<typeof AccountExport>
