import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Account } from '../storage/storage.ts'
import type { KeyRing } from './keys.ts'

/** Ours alone, and the same wherever the site moves, so that nobody is signed out by a new address. */
export const EMBEDDED_ISSUER = 'urn:varispeed:identity'
export const EMBEDDED_AUDIENCE = 'varispeed'
export const ID_TOKEN_SECONDS = 3600

/** Issues identity tokens with the claims that the browser's SDK and `token-verifier.ts` read. */
export function createIdTokens(keys: KeyRing, nowMs: () => number) {
  return async function issue({ uid, email, emailVerified, validAfterMs }: Account, authTimeMs: number): Promise<string> {
    const { kid, privateKey } = await keys.signing()
    const issuedAt = Math.floor(nowMs() / 1000)
    return (
      new SignJWT({
        user_id: uid,
        email,
        email_verified: emailVerified,
        auth_time: Math.floor(authTimeMs / 1000),
        valid_after: validAfterMs,
        firebase: { identities: { email: [email] }, sign_in_provider: 'password' },
      })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
        .setIssuer(EMBEDDED_ISSUER)
        .setAudience(EMBEDDED_AUDIENCE)
        .setSubject(uid)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ID_TOKEN_SECONDS)
        // The signature is deterministic: without it two tokens of one second would be the same, and the SDK would drop the newer.
        .setJti(randomUUID())
        .sign(privateKey)
    )
  }
}
export type IssueIdToken = ReturnType<typeof createIdTokens>
