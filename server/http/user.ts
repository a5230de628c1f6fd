import type { FastifyRequest } from 'fastify'
import type { Role } from '../../contract/account.ts'
import type { EndpointAccess } from '../../contract/endpoints.ts'
import { ApiError, CONTENT_LOCKED_MESSAGE } from '../../contract/errors.ts'

const TOKEN_FIELD = 'firebase_auth_token'

function readTokenField(queryOrBody: unknown): string | undefined {
  const tokenField: unknown =
    typeof queryOrBody === 'object' && queryOrBody !== null && Object.hasOwn(queryOrBody, TOKEN_FIELD)
      ? Reflect.get(queryOrBody, TOKEN_FIELD)
      : undefined
  return typeof tokenField === 'string' && tokenField !== '' ? tokenField : undefined
}

/** Returns the identity token of a request, not yet verified: from the `Authorization` header, else from the query, form or JSON body. */
export function readToken(request: FastifyRequest): string | undefined {
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1]
  return bearer ?? readTokenField(request.query) ?? readTokenField(request.body)
}

/** The authenticated caller of a request, independent of the token's issuer. */
export interface User {
  uid: string
  /** The email address in lower case; an account of a Firebase project may have none. */
  email: string | undefined
  emailVerified: boolean
  roles: readonly Role[]
  /** The time of the last login with a password, in epoch milliseconds. */
  authTimeMs: number
  /** The id of the login that the request's token belongs to; undefined if a Firebase project issued the token. */
  loginId: string | undefined
}

/** Verifies an identity token and returns its user. @throws ApiError 401 for an invalid token, 503 if the issuer's keys are unavailable */
export type Authenticate = (token: string) => Promise<User>

/** Returns the authenticated user. @throws ApiError 401, or 503 if the token could not be verified */
export function requireUser(request: FastifyRequest): User {
  if (request.user === undefined) throw request.userFailure ?? new ApiError('unauthenticated', 'Please log in.')
  return request.user
}

/**
 * Returns the user's uid and verified email address, which determine the user's roles: a role granted to an email address counts only after the address
 * is verified.
 */
export const toRoleHolder = ({ uid, email, emailVerified }: Pick<User, 'uid' | 'email' | 'emailVerified'>) => ({
  uid,
  verifiedEmail: emailVerified ? email : undefined,
})

/** Requires the role `subscriber`. @throws ApiError 403 with the text that the pages show */
export function requireSubscriber(user: User): void {
  if (!user.roles.includes('subscriber')) throw new ApiError('forbidden', CONTENT_LOCKED_MESSAGE)
}

/**
 * Sets the request's `token` and `user` and enforces the endpoint's access level. With `optional` access, the error of an invalid
 * token is stored in `userFailure`, which `requireUser` throws.
 */
export async function authenticateRequest(request: FastifyRequest, access: EndpointAccess, authenticate: Authenticate): Promise<void> {
  request.token = readToken(request)
  if (access === 'public') return
  if (request.token !== undefined) {
    try {
      request.user = await authenticate(request.token)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      request.userFailure = error
    }
  }
  if (access === 'optional') return
  const user = requireUser(request)
  if (access === 'subscriber') requireSubscriber(user)
}
