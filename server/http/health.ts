import type { FastifyInstance } from 'fastify'
import { HEALTH_PATH } from '../../contract/paths.ts'
import type { Storage } from '../storage/open.ts'
import { sendUnavailable } from './errors.ts'

/**
 * Registers `/healthz`: 200 with the name of the build if the storage responds, else 503. While the server starts or stops, an earlier hook answers 503 for all paths.
 */
export function registerHealth(app: FastifyInstance, storage: Storage, buildId: string): void {
  app.get(HEALTH_PATH, async (_request, reply) => {
    try {
      await storage.checkHealth()
    } catch {
      return sendUnavailable(reply)
    }
    return reply.header('cache-control', 'no-store').send({ code: 200, message: 'OK', data: { build: buildId } })
  })
}
