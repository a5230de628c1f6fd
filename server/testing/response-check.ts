import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Envelope, ErrorEnvelope, endpoints } from '../../contract/endpoints.ts'
import { API_PREFIX } from '../http/endpoint.ts'
import { STRIPE_WEBHOOK_URL } from '../payments/routes.ts'

/** Returns a deep copy of a JSON schema whose objects refuse additional properties. */
function removeAdditionalProperties(jsonSchema: unknown): unknown {
  if (Array.isArray(jsonSchema)) return jsonSchema.map(removeAdditionalProperties)
  if (typeof jsonSchema !== 'object' || jsonSchema === null) return jsonSchema
  const copy = Object.fromEntries(Object.entries(jsonSchema).map(([key, value]) => [key, removeAdditionalProperties(value)]))
  return copy.type === 'object' && 'properties' in copy ? { ...copy, additionalProperties: false } : copy
}

const compileStrictSchema = (schema: TSchema) => Compile(removeAdditionalProperties(schema) as TSchema)

const errorValidator = compileStrictSchema(ErrorEnvelope)
const validatorByEndpoint = new Map(Object.entries(endpoints).map(([key, { data }]) => [key, compileStrictSchema(Envelope(data))]))

/** The paths below the API prefix that are not in the endpoint table: the documentation, Discord's redirect, and converted files. */
const isOutsideEndpointTable = (path: string) =>
  path.startsWith('/docs') || path === '/account/link_discord' || path.startsWith('/make/file/')

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
  if (isOutsideEndpointTable(urlPath.slice(API_PREFIX.length)) && status < 400) return undefined
  const responseName = `${endpointKey} answered ${status}`
  if (status === 304 || status === 204) return body === '' ? undefined : `${responseName} with a body`
  const dataValidator = status === 200 ? validatorByEndpoint.get(endpointKey) : errorValidator
  if (dataValidator === undefined) return `${responseName}, but it is not in the endpoint table`
  if (!/^application\/json\b/.test(contentType)) return `${responseName} with content type '${contentType}'`
  let parsedEnvelope: unknown
  try {
    parsedEnvelope = JSON.parse(body)
  } catch {
    return `${responseName} without JSON: ${body.slice(0, 200)}`
  }
  const [error] = dataValidator.Errors(parsedEnvelope)
  if (error !== undefined)
    return `${responseName} against its schema: ${error.instancePath || '/'} ${error.message} in ${body.slice(0, 500)}`
  const { code } = parsedEnvelope as { code: number }
  return code === status ? undefined : `${responseName} with code ${code}`
}

async function readPayloadText(responsePayload: unknown): Promise<string | undefined> {
  if (responsePayload instanceof Readable) return text(responsePayload)
  if (responsePayload === undefined || responsePayload === null) return ''
  if (typeof responsePayload === 'string') return responsePayload
  return Buffer.isBuffer(responsePayload) ? responsePayload.toString() : undefined
}

/**
 * Checks every API response of `app` against the contract. A response with a problem is replaced by an error 500. Call it before `app.ready()`.
 *
 * @returns the problems found so far, for the test to assert that there are none
 */
export function checkResponses(app: FastifyInstance): readonly string[] {
  const problemTexts: string[] = []
  app.addHook('onSend', async (request, reply, responsePayload) => {
    // Stripe calls this webhook, and pages do not.
    if (!request.url.startsWith(`${API_PREFIX}/`) || request.url === STRIPE_WEBHOOK_URL) return responsePayload
    // Gzipped bodies are not checked, because each is the body of an earlier response that was checked.
    if (reply.getHeader('content-encoding') !== undefined) return responsePayload
    const bodyText = await readPayloadText(responsePayload)
    const contentType = String(reply.getHeader('content-type') ?? '')
    const problemText =
      bodyText === undefined
        ? `${request.method} ${request.url} answered with an unknown kind of body`
        : findResponseProblem({ method: request.method, url: request.url, status: reply.statusCode, contentType, body: bodyText })
    if (problemText === undefined) return responsePayload instanceof Readable ? bodyText : responsePayload
    problemTexts.push(problemText)
    throw new Error(problemText)
  })
  return problemTexts
}
