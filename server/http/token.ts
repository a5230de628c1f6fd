import type { FastifyRequest } from 'fastify'

const TOKEN_FIELD = 'firebase_auth_token'

function fieldOf(queryOrBody: unknown): string | undefined {
  const value: unknown =
    typeof queryOrBody === 'object' && queryOrBody !== null && Object.hasOwn(queryOrBody, TOKEN_FIELD)
      ? Reflect.get(queryOrBody, TOKEN_FIELD)
      : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the identity token of a request, not yet verified: from the `Authorization` header, else from the query, form or JSON body. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1]
  return bearer ?? fieldOf(request.query) ?? fieldOf(request.body)
}
