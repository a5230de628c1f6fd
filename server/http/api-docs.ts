import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { API_PREFIX } from './endpoint.ts'

/** Registers the OpenAPI document, which contains all routes that are registered after this call. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Varispeed',
        version: '1',
        description: 'Every answer is an envelope of `code`, `message` and `data`; the HTTP status equals `code`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: API_PREFIX }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          parameter: { type: 'apiKey', in: 'query', name: 'firebase_auth_token' },
        },
      },
    },
  })
}

/** Serves the OpenAPI document at `/api/docs/json` and Swagger UI at `/api/docs`. */
export async function registerDocsPage(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: `${API_PREFIX}/docs`,
    // Inline styles are allowed, because Swagger UI uses them. The page shows only this server's OpenAPI document.
    staticCSP: [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    logLevel: 'silent',
  })
}
