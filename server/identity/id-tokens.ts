import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { KeyRing } from './keys.ts'
import type { Account } from './store-account-rows.ts'
import type { RotatedLogin } from './store-logins.ts'

/** The issuer does not depend on the site's origin, so that users stay signed in if the domain changes. */
export const EMBEDDED_ISSUER = 'urn:varispeed:identity'
export const EMBEDDED_AUDIENCE = 'varispeed'
export const ID_TOKEN_LIFETIME_SECONDS = 3600

/** Returns a function that issues identity tokens with the claims that the Firebase SDK and `token-verifier.ts` read. */
export function createIdTokenIssuer(keyRing: KeyRing, nowMs: () => number) {
  return async function issueIdToken(
    account: Account,
    { loginId, authTimeMs }: Pick<RotatedLogin, 'loginId' | 'authTimeMs'>,
  ): Promise<string> {
    const { uid, email, emailVerified, validAfterMs } = account
    const { kid, privateKey } = await keyRing.getSigningKey()
    const issuedAtSeconds = Math.floor(nowMs() / 1000)
    return (
      new SignJWT({
        user_id: uid,
        email,
        email_verified: emailVerified,
        sid: loginId,
        auth_time: Math.floor(authTimeMs / 1000),
        valid_after: validAfterMs,
        firebase: { identities: { email: [email] }, sign_in_provider: 'password' },
      })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
        .setIssuer(EMBEDDED_ISSUER)
        .setAudience(EMBEDDED_AUDIENCE)
        .setSubject(uid)
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(issuedAtSeconds + ID_TOKEN_LIFETIME_SECONDS)
        // A random id makes each token unique. Without it, two tokens issued in the same second would be identical, because the signature is
        // deterministic, and the SDK would drop the newer one.
        .setJti(randomUUID())
        .sign(privateKey)
    )
  }
}
export type IssueIdToken = ReturnType<typeof createIdTokenIssuer>
