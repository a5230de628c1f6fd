import Type from 'typebox'
import { AccountExport, AccountInfo, Login } from './account.ts'

/** The account of the caller. */
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
