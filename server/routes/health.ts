import type { FastifyInstance } from 'fastify'
import { sendUnavailable } from '../http/errors.ts'
import type { Storage } from '../storage/storage.ts'

/** Answers 200 once a request would be served. While the server starts or stops, every path answers 503 before this runs. */
export function registerHealth(app: FastifyInstance, storage: Storage): void {
  app.get('/healthz', async (request, reply) => {
    try {
      await storage.check()
    } catch {
      return sendUnavailable(request.url, reply)
    }
    return reply.header('cache-control', 'no-store').send({ code: 200, message: 'OK', data: null })
  })
}
