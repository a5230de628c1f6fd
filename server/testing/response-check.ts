import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Envelope, ErrorEnvelope, endpoints } from '../../contract/endpoints.ts'
import { API_PREFIX } from '../http/endpoint.ts'
import { STRIPE_WEBHOOK_URL } from '../payments/routes.ts'

/** Returns a deep copy of a JSON schema whose objects refuse additional properties. */
function withoutAdditionalProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAdditionalProperties)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withoutAdditionalProperties(value)]))
  return copy.type === 'object' && 'properties' in copy ? { ...copy, additionalProperties: false } : copy
}

const compileStrict = (schema: TSchema) => Compile(withoutAdditionalProperties(schema) as TSchema)

const errorValidator = compileStrict(ErrorEnvelope)
const validators = new Map(Object.entries(endpoints).map(([key, { data }]) => [key, compileStrict(Envelope(data))]))

/** The paths below the API prefix that are not in the endpoint table: the documentation, Discord's redirect, and converted files. */
const isOutsideTable = (path: string) => path.startsWith('/docs') || path === '/account/link_discord' || path.startsWith('/make/file/')

export interface ApiResponse {
  method: string
  /** The path and query of the request. */
  url: string
  status: number
  contentType: string
  body: string
}

/**
 * Describes how an API response violates the contract, or returns undefined. A 200 is checked against the schema of its endpoint, and any
 * error status against the error envelope. Objects must not have additional properties.
 */
export function findResponseProblem({ method, url, status, contentType, body }: ApiResponse): string | undefined {
  const urlPath = new URL(url, 'http://localhost').pathname.replace(/\/+$/, '')
  if (!urlPath.startsWith(`${API_PREFIX}/`)) return undefined
  // A response to HEAD is checked like a response to GET, because it still has its body at this point: Node drops the body later.
  const endpointKey = `${method === 'HEAD' ? 'GET' : method} ${urlPath.slice(API_PREFIX.length)}`
  if (isOutsideTable(urlPath.slice(API_PREFIX.length)) && status < 400) return undefined
  const responseName = `${endpointKey} answered ${status}`
  if (status === 304 || status === 204) return body === '' ? undefined : `${responseName} with a body`
  const validator = status === 200 ? validators.get(endpointKey) : errorValidator
  if (validator === undefined) return `${responseName}, but it is not in the endpoint table`
  if (!/^application\/json\b/.test(contentType)) return `${responseName} with content type '${contentType}'`
  let envelope: unknown
  try {
    envelope = JSON.parse(body)
  } catch {
    return `${responseName} without JSON: ${body.slice(0, 200)}`
  }
  const [error] = validator.Errors(envelope)
  if (error !== undefined)
    return `${responseName} against its schema: ${error.instancePath || '/'} ${error.message} in ${body.slice(0, 500)}`
  const { code } = envelope as { code: number }
  return code === status ? undefined : `${responseName} with code ${code}`
}

async function textOf(payload: unknown): Promise<string | undefined> {
  if (payload instanceof Readable) return text(payload)
  if (payload === undefined || payload === null) return ''
  if (typeof payload === 'string') return payload
  return Buffer.isBuffer(payload) ? payload.toString() : undefined
}

/**
 * Checks every API response of `app` against the contract. A response with a problem is replaced by an error 500. Call it before `app.ready()`.
 *
 * @returns the problems found so far, for the test to assert that there are none
 */
export function checkResponses(app: FastifyInstance): readonly string[] {
  const problems: string[] = []
  app.addHook('onSend', async (request, reply, payload) => {
    // Stripe calls this webhook, and pages do not.
    if (!request.url.startsWith(`${API_PREFIX}/`) || request.url === STRIPE_WEBHOOK_URL) return payload
    // Gzipped bodies are not checked, because each is the body of an earlier response that was checked.
    if (reply.getHeader('content-encoding') !== undefined) return payload
    const body = await textOf(payload)
    const contentType = String(reply.getHeader('content-type') ?? '')
    const problem =
      body === undefined
        ? `${request.method} ${request.url} answered with an unknown kind of body`
        : findResponseProblem({ method: request.method, url: request.url, status: reply.statusCode, contentType, body })
    if (problem === undefined) return payload instanceof Readable ? body : payload
    problems.push(problem)
    throw new Error(problem)
  })
  return problems
}
