import { ApiError } from '../../contract/errors.ts'
import { requireUser } from '../http/user.ts'
import { readRefreshToken } from '../identity/secrets.ts'
import { pageOf, type RouteContext } from './route-context.ts'

/** The maximum age of the login for deleting the account. */
const RECENT_LOGIN_MS = 5 * 60_000

const isoOf = (ms: number) => new Date(ms).toISOString()

export function registerAccount({ endpoint, storage, nowMs }: RouteContext): void {
  endpoint('GET /account/getinfo', {}, async (_input, request) => {
    const { uid, email = '', roles } = requireUser(request)
    const discord = await storage.discord.find(uid)
    return { email, roles: [...roles], discord: discord?.name ?? '', discord_id: discord?.id ?? '' }
  })

  endpoint('GET /account/export', {}, async (_input, request) => {
    const { uid, email = '', emailVerified } = requireUser(request)
    const account = await storage.accounts.findByUid(uid)
    const discord = await storage.discord.find(uid)
    const grants = email === '' ? [] : await storage.roles.listGrants(email)
    return {
      uid,
      email,
      email_verified: emailVerified,
      ...(account === undefined ? {} : { created: isoOf(account.createdMs), last_login: isoOf(account.lastLoginMs) }),
      roles: grants.map(({ role, source, untilMs }) => ({ role, source, ...(untilMs === undefined ? {} : { until: isoOf(untilMs) }) })),
      ...(discord === undefined ? {} : { discord: { id: discord.id, name: discord.name, linked: isoOf(discord.linkedMs) } }),
      make_history: await storage.makeHistory.list(uid, pageOf({})),
      favorites: await storage.favorites.exportAll(uid),
    }
  })

  endpoint('POST /account/sign_out', {}, async ({ refresh_token }) => {
    const token = readRefreshToken(refresh_token)
    if (token !== undefined) await storage.accounts.endLogin(token.familyId, token.hash)
    return null
  })

  endpoint('POST /account/delete', {}, async (_input, request) => {
    const { uid, email, authTimeMs } = requireUser(request)
    if (authTimeMs < nowMs() - RECENT_LOGIN_MS) throw new ApiError('forbidden', 'Please log in again before you delete your account.')
    const isRemoved = await storage.accounts.remove(uid)
    // An account of a Firebase project is deleted by the page. The server deletes the data that belongs to it.
    if (!isRemoved) {
      await storage.discord.deleteAll(uid)
      await storage.makeHistory.deleteAll(uid)
      await storage.favorites.deleteAll(uid)
      if (email !== undefined) await storage.roles.revokeAll(email)
    }
    return null
  })
}
