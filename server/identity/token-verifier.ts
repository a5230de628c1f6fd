import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../contract/errors.ts'
import { createEntryLimit } from '../lru-limit.ts'
import { toComparableEmail } from './email-address.ts'
import { EMBEDDED_AUDIENCE, EMBEDDED_ISSUER } from './id-tokens.ts'
import type { KeyRing } from './keys.ts'

/** The claims of a valid identity token. */
export interface TokenClaims {
  uid: string
  /** The email address in lower case. */
  email: string | undefined
  emailVerified: boolean
  /** `Account.validAfterMs` at the time of issue; undefined for tokens of a Firebase project. */
  validAfterMs: number | undefined
  authTimeMs: number
  /** The id of the login that the token belongs to; undefined for tokens of a Firebase project. */
  loginId: string | undefined
}

/** A token issuer with its audience and keys. Tokens of one issuer are never verified with the keys of another. */
export interface TokenIssuer {
  issuer: string
  audience: string
  keys: JWTVerifyGetKey
  /** Whether the issuer's tokens contain the id of their login. */
  hasLogins: boolean
}

/** The tolerated clock difference in seconds for `iat` and `auth_time`. `exp` has no tolerance. */
const CLOCK_SKEW_SECONDS = 5
const TOKEN_MAX_LENGTH = 8192
const UID_MAX_LENGTH = 128
/** The number of verified tokens whose claims are kept in memory, because checking a signature is the largest part of a request's cost. */
const CACHED_TOKENS_MAX = 2000
/** The time in milliseconds for which a token's claims are kept. A key that is withdrawn verifies no token after this time. */
const CLAIMS_CACHE_MS = 60_000

/** The error of an invalid token. `expired` is true if expiry is the only reason. */
export class TokenError extends ApiError {
  constructor(readonly expired: boolean) {
    super('unauthenticated', expired ? 'Your session has expired. Please log in again.' : 'Please log in.')
  }
}

/** The error if the issuer's keys could not be loaded, so that the token cannot be verified. */
const createKeysUnavailableError = () => new ApiError('unavailable', 'Sign-in cannot be checked right now.')

const GOOGLE_KEYS_URL = new URL('https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com')
const KEYS_TIMEOUT_MS = 5000
/** The time in milliseconds for which Google's keys are cached: Google rotates them over days. An unknown key id triggers a reload. */
const KEYS_CACHE_MS = 6 * 3_600_000

export const createGoogleKeys = (url = GOOGLE_KEYS_URL): JWTVerifyGetKey =>
  createRemoteJWKSet(url, { timeoutDuration: KEYS_TIMEOUT_MS, cacheMaxAge: KEYS_CACHE_MS, cooldownDuration: 30_000 })

/** Returns the issuer of a Firebase project's tokens. */
export const createFirebaseIssuer = (projectId: string, keys: JWTVerifyGetKey): TokenIssuer => ({
  issuer: `https://securetoken.google.com/${projectId}`,
  audience: projectId,
  keys,
  hasLogins: false,
})

/** Returns the embedded identity service as an issuer. */
export const createEmbeddedIssuer = (keyRing: KeyRing): TokenIssuer => ({
  issuer: EMBEDDED_ISSUER,
  audience: EMBEDDED_AUDIENCE,
  keys: async ({ kid }) => {
    const key = typeof kid === 'string' ? await keyRing.findPublicKey(kid) : undefined
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  },
  hasLogins: true,
})

const isTimeNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function parseClaims(payload: JWTPayload, expectedAudience: string, nowSeconds: number): TokenClaims | undefined {
  const { sub, aud, iat, auth_time, sid, valid_after, email, email_verified } = payload
  if (typeof sub !== 'string' || sub === '' || sub.length > UID_MAX_LENGTH || aud !== expectedAudience) return undefined
  if (!isTimeNumber(iat) || !isTimeNumber(auth_time)) return undefined
  if (iat > nowSeconds + CLOCK_SKEW_SECONDS || auth_time > nowSeconds + CLOCK_SKEW_SECONDS) return undefined
  return {
    uid: sub,
    email: typeof email === 'string' && email !== '' ? toComparableEmail(email) : undefined,
    emailVerified: email_verified === true,
    validAfterMs: isTimeNumber(valid_after) ? valid_after : undefined,
    authTimeMs: auth_time * 1000,
    loginId: typeof sid === 'string' ? sid : undefined,
  }
}

/**
 * Creates a verifier of one issuer's identity tokens: RS256, the issuer's keys, its audience, and the validity period.
 * @throws from the returned function: TokenError (401) for an invalid token, ApiError 503 if the keys are unavailable
 */
export function createTokenVerifier({ issuer, audience, keys, hasLogins }: TokenIssuer, nowMs: () => number) {
  const findKey: JWTVerifyGetKey = async (tokenHeader, token) => {
    try {
      return await keys(tokenHeader, token)
    } catch (error) {
      // Only JWKSNoMatchingKey and JWKSMultipleMatchingKeys are caused by the token; any other error means that the keys are unavailable.
      const isInvalidToken = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
      throw isInvalidToken ? error : createKeysUnavailableError()
    }
  }
  const verifiedTokenCache = new LRUCache<string, { claims: TokenClaims; untilMs: number }>(createEntryLimit(CACHED_TOKENS_MAX))
  return async function verifyToken(token: string): Promise<TokenClaims> {
    if (token.length > TOKEN_MAX_LENGTH) throw new TokenError(false)
    const currentMs = nowMs()
    const keptToken = verifiedTokenCache.get(token)
    if (keptToken !== undefined && keptToken.untilMs > currentMs) return keptToken.claims
    try {
      const { payload } = await jwtVerify(token, findKey, {
        algorithms: ['RS256'],
        issuer,
        audience,
        requiredClaims: ['exp', 'iat', 'sub', 'auth_time'],
        currentDate: new Date(currentMs),
      })
      const tokenClaims = parseClaims(payload, audience, currentMs / 1000)
      // A token without a login id was issued by an earlier version. It counts as expired, so that the client renews it and the user stays signed
      // in.
      if (tokenClaims !== undefined && hasLogins && tokenClaims.loginId === undefined) throw new TokenError(true)
      if (tokenClaims !== undefined) {
        verifiedTokenCache.set(token, { claims: tokenClaims, untilMs: Math.min((payload.exp ?? 0) * 1000, currentMs + CLAIMS_CACHE_MS) })
        return tokenClaims
      }
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw new TokenError(error instanceof errors.JWTExpired)
    }
    throw new TokenError(false)
  }
}
export type VerifyToken = ReturnType<typeof createTokenVerifier>
