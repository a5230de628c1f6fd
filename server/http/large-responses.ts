import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { createClientId } from './client-id.ts'

/** The size in bytes from which a response counts towards the limits. Smaller responses fit the buffers of a connection. */
const LARGE_RESPONSE_MIN_BYTES = 65_536
/** The limits of the memory in bytes that the large responses being sent take: of all clients together, and of one client. */
const HELD_BYTES_MAX = 134_217_728
const HELD_BYTES_MAX_PER_CLIENT = 33_554_432
const RETRY_AFTER_SECONDS = 5

interface HeldBody {
  bytes: number
  /** The client for which the body's memory is counted: one of those to which the body is being sent. */
  clientId: string
  /** The responses that send the body, each with its client's id. */
  responses: Map<ServerResponse, string>
}

/** The large bodies that this process is sending, oldest first. */
const heldBodies = new Map<object, HeldBody>()
const heldBytesByClient = new Map<string, number>()
let totalHeldBytes = 0

const readClientBytes = (clientId: string) => heldBytesByClient.get(clientId) ?? 0

function changeClientBytes(clientId: string, byteDelta: number): void {
  totalHeldBytes += byteDelta
  const remainingBytes = readClientBytes(clientId) + byteDelta
  if (remainingBytes > 0) heldBytesByClient.set(clientId, remainingBytes)
  else heldBytesByClient.delete(clientId)
}

/** Stops counting a response. If other responses still send its body, the body then counts for the client of one of those. */
function releaseResponse(responseBody: object, response: ServerResponse): void {
  const heldBody = heldBodies.get(responseBody)
  if (heldBody === undefined || !heldBody.responses.delete(response)) return
  changeClientBytes(heldBody.clientId, -heldBody.bytes)
  const [nextClientId] = heldBody.responses.values()
  if (nextClientId === undefined) heldBodies.delete(responseBody)
  else {
    heldBody.clientId = nextClientId
    changeClientBytes(nextClientId, heldBody.bytes)
  }
}

/**
 * Ends the responses with the oldest large body of the client whose bodies take the most memory. Returns false if no client's
 * bodies take more memory than those of `clientId`.
 */
function endResponsesOfLargestClient(clientId: string): boolean {
  const largestClientBytes = Math.max(...heldBytesByClient.values())
  if (largestClientBytes <= readClientBytes(clientId)) return false
  for (const [heldBody, { clientId: holderId, responses }] of heldBodies) {
    if (readClientBytes(holderId) < largestClientBytes) continue
    for (const [response, responseClientId] of responses) {
      if (responseClientId !== holderId) continue
      releaseResponse(heldBody, response)
      response.destroy()
    }
    break
  }
  return true
}

/** @throws ApiError 503 if a body of `byteCount` bytes for this client would exceed the limits */
function requireRoom(clientId: string, byteCount: number): void {
  let hasClientRoom = readClientBytes(clientId) + byteCount <= HELD_BYTES_MAX_PER_CLIENT
  while (hasClientRoom && totalHeldBytes + byteCount > HELD_BYTES_MAX) hasClientRoom = endResponsesOfLargestClient(clientId)
  if (!hasClientRoom)
    throw new ApiError('unavailable', 'Too many large answers are being sent. Please try again in a moment.', RETRY_AFTER_SECONDS)
}

/**
 * Counts the memory of a large body until its response ends, and limits the total, so that clients that do not read their responses cannot fill the
 * memory. A body that several responses share is counted once. If the total is exceeded, responses of the client whose responses take the most
 * memory are ended, so that a few clients cannot exclude the others.
 * @throws ApiError 503 if a limit is exceeded
 */
export function limitLargeResponseMemory(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  responseBody: object,
  byteCount: number,
): void {
  if (byteCount < LARGE_RESPONSE_MIN_BYTES) return
  const clientId = createClientId(request.ip)
  let heldBody = heldBodies.get(responseBody)
  if (heldBody === undefined) {
    requireRoom(clientId, byteCount)
    heldBody = { bytes: byteCount, clientId, responses: new Map() }
    heldBodies.set(responseBody, heldBody)
    changeClientBytes(clientId, byteCount)
  }
  heldBody.responses.set(response, clientId)
  response.once('close', () => releaseResponse(responseBody, response))
}
