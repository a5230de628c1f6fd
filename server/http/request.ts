import type { ApiError } from '../../contract/errors.ts'
import type { User } from '../identity/user.ts'
import type { HostSite } from '../services/hosts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request's host stands for. */
    site: HostSite
    /** The identity token that came with a call of the API, unchecked. */
    token: string | undefined
    /** Who calls, by a token that counts. There for every call that asks for a user; may be there where a call takes one. */
    user: User | undefined
    /** Why the token of a call that takes a user counts for nothing; see `requireUser`. */
    userFailure: ApiError | undefined
  }
}
