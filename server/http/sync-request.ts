import type { FastifyRequest } from 'fastify'

/** Whether a sync request contains no changes and only asks for those of other devices. Pages send such requests whenever they are shown. */
export function hasNoChanges({ body }: FastifyRequest): boolean {
  // The cast is safe, because the body was validated before: the requests of all synchronisations may have `changes`.
  const { changes = [] } = body as { changes?: readonly unknown[] }
  return changes.length === 0
}
