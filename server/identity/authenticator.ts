import { ApiError } from '../../contract/errors.ts'
import { type Authenticate, roleHolderOf } from '../http/user.ts'
import type { Storage } from '../storage/open.ts'
import type { LoginStore } from './store-logins.ts'
import type { RoleStore } from './store-roles.ts'
import { TokenError, type VerifyToken } from './token-verifier.ts'

interface AuthenticatorDeps {
  verifyToken: VerifyToken
  /** The logins of the embedded identity service; undefined with a Firebase project. */
  logins: LoginStore | undefined
  roles: RoleStore
  payments: Pick<Storage['payments'], 'listGrants'>
  nowMs: () => number
}

/**
 * The login, its account and roles are read on every request, so that a sign-out or a change by the admin command takes effect immediately, in every
 * process.
 */
export function createAuthenticator({ verifyToken: verify, logins, roles, payments, nowMs }: AuthenticatorDeps): Authenticate {
  return async (token) => {
    const claims = await verify(token)
    const { uid, authTimeMs, loginId } = claims
    const account = await logins?.findAccount(loginId ?? '')
    if (logins !== undefined) {
      if (account?.uid !== uid || account.validAfterMs !== claims.validAfterMs) throw new TokenError(false)
      if (account.disabled) throw new ApiError('unauthenticated', 'This account is disabled.')
    }
    const email = account?.email ?? claims.email
    const emailVerified = account?.emailVerified ?? claims.emailVerified
    const atMs = nowMs()
    const holder = roleHolderOf({ uid, email, emailVerified })
    const grants = [...(await roles.listGrants(holder)), ...(await payments.listGrants(holder))]
    const activeRoles = new Set(grants.filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > atMs).map(({ role }) => role))
    return { uid, email, emailVerified, authTimeMs, loginId, roles: [...activeRoles].sort() }
  }
}
