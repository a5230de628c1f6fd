import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { ApiError } from '../../contract/errors.ts'
import { EMBEDDED_AUDIENCE, EMBEDDED_ISSUER } from './id-tokens.ts'
import type { KeyRing } from './keys.ts'

/** What a valid identity token says. */
export interface TokenClaims {
  uid: string
  /** In lower case. */
  email: string | undefined
  emailVerified: boolean
  /** `Account.validAfterMs` when it was issued; tokens of a Firebase project do not tell. */
  validAfterMs: number | undefined
  authTimeMs: number
}

/** Who may have issued a token. All of it belongs together: no issuer is ever checked by another's keys. */
export interface Issuer {
  issuer: string
  audience: string
  keys: JWTVerifyGetKey
}

/** Clocks of the issuer and of this server may differ by this much. A token's end is taken to the second. */
const SKEW_SECONDS = 5
const TOKEN_MAX_LENGTH = 8192
const UID_MAX_LENGTH = 128

/** A token that is not valid, and whether its end is the only reason. */
export class TokenError extends ApiError {
  constructor(readonly expired: boolean) {
    super('unauthenticated', expired ? 'Your session has expired. Please log in again.' : 'Please log in.')
  }
}

/** The keys could not be asked for: nothing is known about the token. */
const keysUnavailable = () => new ApiError('unavailable', 'Sign-in cannot be checked right now.')

const GOOGLE_KEYS = new URL('https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com')
const KEYS_TIMEOUT_MS = 5000
/** Google rotates its keys over days and lets them be cached for hours; an unknown one is asked for at once. */
const KEYS_CACHE_MS = 6 * 3_600_000

export const googleKeys = (): JWTVerifyGetKey =>
  createRemoteJWKSet(GOOGLE_KEYS, { timeoutDuration: KEYS_TIMEOUT_MS, cacheMaxAge: KEYS_CACHE_MS, cooldownDuration: 30_000 })

/** The issuer of a Firebase project's tokens. */
export const firebaseIssuer = (projectId: string, keys: JWTVerifyGetKey): Issuer => ({
  issuer: `https://securetoken.google.com/${projectId}`,
  audience: projectId,
  keys,
})

/** This server itself as the issuer. */
export const embeddedIssuer = (ring: KeyRing): Issuer => ({
  issuer: EMBEDDED_ISSUER,
  audience: EMBEDDED_AUDIENCE,
  keys: async ({ kid }) => {
    const key = typeof kid === 'string' ? await ring.publicKey(kid) : undefined
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  },
})

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function claimsOf(payload: JWTPayload, audience: string, nowSeconds: number): TokenClaims | undefined {
  const { sub, aud, iat, auth_time, valid_after, email, email_verified } = payload
  if (typeof sub !== 'string' || sub === '' || sub.length > UID_MAX_LENGTH || aud !== audience) return undefined
  if (!isTime(iat) || !isTime(auth_time)) return undefined
  if (iat > nowSeconds + SKEW_SECONDS || auth_time > nowSeconds + SKEW_SECONDS) return undefined
  return {
    uid: sub,
    email: typeof email === 'string' && email !== '' ? email.toLowerCase() : undefined,
    emailVerified: email_verified === true,
    validAfterMs: isTime(valid_after) ? valid_after : undefined,
    authTimeMs: auth_time * 1000,
  }
}

/**
 * Checks identity tokens of one issuer: RS256 only, by the issuer's own keys, for its audience, in its time.
 * @throws TokenError (401) for a token that is not valid, ApiError 503 where the keys cannot be had
 */
export function createTokenVerifier({ issuer, audience, keys }: Issuer, nowMs: () => number) {
  const keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      // These say something about the token; anything else is a failure to get the keys.
      const fault = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
      throw fault ? error : keysUnavailable()
    }
  }
  return async function verify(token: string): Promise<TokenClaims> {
    if (token.length > TOKEN_MAX_LENGTH) throw new TokenError(false)
    const now = nowMs()
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: ['RS256'],
        issuer,
        audience,
        requiredClaims: ['exp', 'iat', 'sub', 'auth_time'],
        currentDate: new Date(now),
      })
      const claims = claimsOf(payload, audience, now / 1000)
      if (claims !== undefined) return claims
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw new TokenError(error instanceof errors.JWTExpired)
    }
    throw new TokenError(false)
  }
}
export type VerifyToken = ReturnType<typeof createTokenVerifier>
