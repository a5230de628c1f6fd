import type { HostSite } from '../services/hosts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request's host stands for. */
    site: HostSite
    /** The identity token that came with a call of the API, unchecked. */
    token: string | undefined
  }
}
