import { ApiError } from '../../contract/errors.ts'
import { CONTENT_LOCKED } from '../../contract/locked.ts'
import type { AccountStore, Role, RoleStore } from '../storage/storage.ts'
import { TokenError, type VerifyToken } from './token-verifier.ts'

/** Who makes a request. Routes do not know who issued the token. */
export interface User {
  uid: string
  /** In lower case; accounts of a Firebase project can be without. */
  email: string | undefined
  emailVerified: boolean
  roles: readonly Role[]
  /** When the person last gave the password. */
  authTimeMs: number
}

/** @throws ApiError 401 for a token that does not count, 503 where that cannot be told */
export type Authenticate = (token: string) => Promise<User>

interface AuthenticatorDeps {
  verify: VerifyToken
  /** The accounts that the tokens are of, where this server keeps them. */
  accounts: AccountStore | undefined
  roles: RoleStore
  nowMs: () => number
}

/** Accounts and roles are read at each request: a change by the admin command counts at once. */
export function createAuthenticator({ verify, accounts, roles, nowMs }: AuthenticatorDeps): Authenticate {
  return async (token) => {
    const { uid, email: claimed, emailVerified, validAfterMs, authTimeMs } = await verify(token)
    const account = await accounts?.byUid(uid)
    if (accounts !== undefined) {
      if (account === undefined || account.validAfterMs !== validAfterMs) throw new TokenError(false)
      if (account.disabled) throw new ApiError('unauthenticated', 'This account is disabled.')
    }
    const email = account?.email ?? claimed
    return {
      ...{ uid, email, emailVerified: account?.emailVerified ?? emailVerified, authTimeMs },
      roles: email === undefined ? [] : await roles.of(email, nowMs()),
    }
  }
}

/** @throws ApiError 403 with the text that the pages show */
export function requireSubscriber(user: User): void {
  if (!user.roles.includes('subscriber')) throw new ApiError('forbidden', CONTENT_LOCKED)
}
