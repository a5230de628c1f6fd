import { IdentityError } from './identity-error.ts'
import type { Account } from './store-account-rows.ts'
import type { AccountStore } from './store-accounts.ts'
import type { LoginStore } from './store-logins.ts'
import { TokenError, type VerifyToken } from './token-verifier.ts'

interface TokenAccountsDeps {
  accounts: Pick<AccountStore, 'findByUid'>
  logins: Pick<LoginStore, 'findAccount'>
  verifyToken: VerifyToken
  nowMs: () => number
}

/** Finds the accounts of identity tokens. */
export function createTokenAccountFinder({ accounts, logins, verifyToken, nowMs }: TokenAccountsDeps) {
  /** Returns the account of a valid identity token. @throws TokenError if the token has expired, IdentityError if it is invalid */
  async function accountOf(idToken: string): Promise<{ account: Account; authTimeMs: number }> {
    if (idToken === '') throw new IdentityError('MISSING_ID_TOKEN')
    const claims = await verifyToken(idToken).catch((error: unknown) => {
      throw error instanceof TokenError && !error.expired ? new IdentityError('INVALID_ID_TOKEN') : error
    })
    const account = await logins.findAccount(claims.loginId ?? '')
    if (account?.uid !== claims.uid) {
      const isDeleted = (await accounts.findByUid(claims.uid)) === undefined
      throw new IdentityError(isDeleted ? 'USER_NOT_FOUND' : 'TOKEN_EXPIRED')
    }
    if (account.disabled) throw new IdentityError('USER_DISABLED')
    if (account.validAfterMs !== claims.validAfterMs) throw new IdentityError('TOKEN_EXPIRED')
    return { account, authTimeMs: claims.authTimeMs }
  }

  /** Returns the account of a token whose login is younger than `maxAgeMs`. @throws IdentityError if it is older */
  async function recentAccountOf(idToken: string, maxAgeMs: number) {
    const foundAccount = await accountOf(idToken)
    if (foundAccount.authTimeMs < nowMs() - maxAgeMs) throw new IdentityError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
    return foundAccount
  }

  return { accountOf, recentAccountOf }
}
