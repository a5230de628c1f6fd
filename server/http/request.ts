import type { FastifyRequest } from 'fastify'
import type { ApiError } from '../../contract/errors.ts'
import type { HostSite } from './hosts.ts'
import type { RequestUpload } from './uploads.ts'
import type { User } from './user.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The brand's site that the request's host name belongs to. */
    site: HostSite
    /** The identity token of an API call, not yet verified. */
    token: string | undefined
    /** The caller with a valid token. Always set if the endpoint's access is `user` or `subscriber`; may be set if it is `optional`. */
    user: User | undefined
    /** The error of an invalid token, if the endpoint's access is `optional`. `requireUser` throws this error. */
    userFailure: ApiError | undefined
    /** The file of a multipart body, if the endpoint takes one. */
    upload: RequestUpload | undefined
  }
}

/** Returns the key under which the response to a request is cached: its site and URL. */
export const createCacheKey = ({ site, raw }: FastifyRequest): string => site.key + raw.url
