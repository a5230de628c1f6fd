import { ApiError } from '../../contract/errors.ts'
import { type Authenticate, toRoleHolder } from '../http/user.ts'
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
export function createAuthenticator({ verifyToken: verifyIdToken, logins, roles, payments, nowMs }: AuthenticatorDeps): Authenticate {
  return async (token) => {
    const tokenClaims = await verifyIdToken(token)
    const { uid, authTimeMs, loginId } = tokenClaims
    const loginAccount = await logins?.findAccount(loginId ?? '')
    if (logins !== undefined) {
      if (loginAccount?.uid !== uid || loginAccount.validAfterMs !== tokenClaims.validAfterMs) throw new TokenError(false)
      if (loginAccount.disabled) throw new ApiError('unauthenticated', 'This account is disabled.')
    }
    const email = loginAccount?.email ?? tokenClaims.email
    const emailVerified = loginAccount?.emailVerified ?? tokenClaims.emailVerified
    const atMs = nowMs()
    const roleHolder = toRoleHolder({ uid, email, emailVerified })
    const grants = [...(await roles.listGrants(roleHolder)), ...(await payments.listGrants(roleHolder))]
    const activeRoles = new Set(grants.filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > atMs).map(({ role }) => role))
    return { uid, email, emailVerified, authTimeMs, loginId, roles: [...activeRoles].sort() }
  }
}
