import type { FastifyInstance } from 'fastify'
import { type LogoType, logoTypes } from '../storage/interfaces/settings.ts'
import type { Storage } from '../storage/storage.ts'

/** Opened as a page, a logo can neither run nor load anything. */
const LOGO_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Registers the logos that an admin has stored. Their addresses contain a hash of their bytes, so that they never change. */
export function registerLogos(app: FastifyInstance, { settings }: Pick<Storage, 'settings'>): void {
  app.get<{ Params: { hash: string; type: LogoType } }>(
    `/img/logo/:hash(^[0-9a-f]{32}).:type(^${Object.keys(logoTypes).join('|')})`,
    async ({ params: { hash, type } }, reply) => {
      const logo = await settings.readLogo(hash)
      if (logo === undefined || logo.type !== type) return reply.callNotFound()
      return reply
        .type(logoTypes[type])
        .headers({
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': LOGO_POLICY,
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        })
        .send(logo.bytes)
    },
  )
}
