import type { FastifyRequest } from 'fastify'

const NAME = 'firebase_auth_token'

function fieldOf(source: unknown): string | undefined {
  const value: unknown =
    typeof source === 'object' && source !== null && Object.hasOwn(source, NAME) ? Reflect.get(source, NAME) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The identity token of a request, unchecked: of the `Authorization` header, else of the query, form or JSON. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1]
  return bearer ?? fieldOf(request.query) ?? fieldOf(request.body)
}
