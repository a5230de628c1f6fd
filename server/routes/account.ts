import { ApiError } from '../../contract/errors.ts'
import { requireUser } from '../http/endpoint.ts'
import { readRefreshToken } from '../identity/secrets.ts'
import { pageOf, type RouteContext } from './route-context.ts'

/** What cannot be undone asks for a password that was given this recently. */
const RECENT_MS = 5 * 60_000

const isoOf = (ms: number) => new Date(ms).toISOString()

export function registerAccount({ endpoint, storage, nowMs }: RouteContext): void {
  endpoint('GET /account/getinfo', {}, async (_input, request) => {
    const { uid, email = '', roles } = requireUser(request)
    const discord = await storage.discord.of(uid)
    return { email, roles: [...roles], discord: discord?.name ?? '', discord_id: discord?.id ?? '' }
  })

  endpoint('GET /account/export', {}, async (_input, request) => {
    const { uid, email = '', emailVerified } = requireUser(request)
    const account = await storage.accounts.byUid(uid)
    const discord = await storage.discord.of(uid)
    const grants = email === '' ? [] : await storage.roles.grantsTo(email)
    return {
      ...{ uid, email, email_verified: emailVerified },
      ...(account === undefined ? {} : { created: isoOf(account.createdMs), last_login: isoOf(account.lastLoginMs) }),
      roles: grants.map(({ role, source, untilMs }) => ({ role, source, ...(untilMs === undefined ? {} : { until: isoOf(untilMs) }) })),
      ...(discord === undefined ? {} : { discord: { id: discord.id, name: discord.name, linked: isoOf(discord.linkedMs) } }),
      make_history: await storage.makeHistory.all(uid, pageOf({})),
      favorites: await storage.favorites.export(uid),
    }
  })

  endpoint('POST /account/sign_out', {}, async ({ refresh_token }) => {
    const shown = readRefreshToken(refresh_token)
    if (shown !== undefined) await storage.accounts.endSession(shown.familyId, shown.hash)
    return null
  })

  endpoint('POST /account/delete', {}, async (_input, request) => {
    const { uid, email, authTimeMs } = requireUser(request)
    if (authTimeMs < nowMs() - RECENT_MS) throw new ApiError('forbidden', 'Please log in again before you delete your account.')
    const removed = await storage.accounts.remove(uid)
    // The accounts of a Firebase project are removed there, by the page; what belongs to one is removed here.
    if (!removed) {
      await storage.discord.forget(uid)
      await storage.makeHistory.forget(uid)
      await storage.favorites.forget(uid)
      if (email !== undefined) await storage.roles.clear(email)
    }
    return null
  })
}
