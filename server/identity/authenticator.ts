import { ApiError } from '../../contract/errors.ts'
import type { Authenticate } from '../http/user.ts'
import type { AccountStore } from '../storage/interfaces/accounts.ts'
import type { RoleStore } from '../storage/interfaces/roles.ts'
import { TokenError, type VerifyToken } from './token-verifier.ts'

interface AuthenticatorDeps {
  verifyToken: VerifyToken
  /** The account store of the embedded identity service; undefined with a Firebase project. */
  accounts: AccountStore | undefined
  roles: RoleStore
  nowMs: () => number
}

/** The account and its roles are read on every request, so that a change by the admin command takes effect at once. */
export function createAuthenticator({ verifyToken: verify, accounts, roles, nowMs }: AuthenticatorDeps): Authenticate {
  return async (token) => {
    const claims = await verify(token)
    const { uid, authTimeMs } = claims
    const account = await accounts?.findByUid(uid)
    if (accounts !== undefined) {
      if (account === undefined || account.validAfterMs !== claims.validAfterMs) throw new TokenError(false)
      if (account.disabled) throw new ApiError('unauthenticated', 'This account is disabled.')
    }
    const email = account?.email ?? claims.email
    return {
      uid,
      email,
      emailVerified: account?.emailVerified ?? claims.emailVerified,
      authTimeMs,
      roles: email === undefined ? [] : await roles.listActiveRoles(email, nowMs()),
    }
  }
}
