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
  async function requireAccount(idToken: string): Promise<{ account: Account; authTimeMs: number }> {
    if (idToken === '') throw new IdentityError('MISSING_ID_TOKEN')
    const tokenClaims = await verifyToken(idToken).catch((error: unknown) => {
      throw error instanceof TokenError && !error.expired ? new IdentityError('INVALID_ID_TOKEN') : error
    })
    const loginAccount = await logins.findAccount(tokenClaims.loginId ?? '')
    if (loginAccount?.uid !== tokenClaims.uid) {
      const isDeleted = (await accounts.findByUid(tokenClaims.uid)) === undefined
      throw new IdentityError(isDeleted ? 'USER_NOT_FOUND' : 'TOKEN_EXPIRED')
    }
    if (loginAccount.disabled) throw new IdentityError('USER_DISABLED')
    if (loginAccount.validAfterMs !== tokenClaims.validAfterMs) throw new IdentityError('TOKEN_EXPIRED')
    return { account: loginAccount, authTimeMs: tokenClaims.authTimeMs }
  }

  /** Returns the account of a token whose login is younger than `maxAgeMs`. @throws IdentityError if it is older */
  async function requireRecentAccount(idToken: string, maxAgeMs: number) {
    const foundAccount = await requireAccount(idToken)
    if (foundAccount.authTimeMs < nowMs() - maxAgeMs) throw new IdentityError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
    return foundAccount
  }

  return { accountOf: requireAccount, recentAccountOf: requireRecentAccount }
}
