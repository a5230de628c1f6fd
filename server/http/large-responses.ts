import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { clientIdOf } from './client-id.ts'

/** The size in bytes from which a response counts: smaller ones fit the buffers of a connection. */
const LARGE_BYTES = 65_536
/** The limit in bytes of the large responses to one client that are being sent. */
const CLIENT_MAX_BYTES = 33_554_432
/** The limit in bytes of all of them. It refuses only responses of a mebibyte or more, so that clients that do not read keep nobody from a page. */
const TOTAL_MAX_BYTES = 134_217_728
const REFUSED_MIN_BYTES = 1_048_576
const RETRY_AFTER_SECONDS = 5

interface HeldBody {
  bytes: number
  /** The client that requested the body first. */
  clientId: string
  responseCount: number
}

/** The large bodies that this process is sending. */
const heldBodies = new Map<object, HeldBody>()
const clientBytes = new Map<string, number>()
let totalBytes = 0

function changeBytes(clientId: string, change: number): void {
  totalBytes += change
  const remainingBytes = (clientBytes.get(clientId) ?? 0) + change
  if (remainingBytes > 0) clientBytes.set(clientId, remainingBytes)
  else clientBytes.delete(clientId)
}

/** @throws ApiError 503 if a body of `bytes` bytes for this client would exceed the limits */
function requireRoom({ ip }: FastifyRequest, bytes: number): void {
  const isTotalReached = bytes >= REFUSED_MIN_BYTES && totalBytes + bytes > TOTAL_MAX_BYTES
  if (isTotalReached || (clientBytes.get(clientIdOf(ip)) ?? 0) + bytes > CLIENT_MAX_BYTES)
    throw new ApiError('unavailable', 'Too many large answers are being sent. Please try again in a moment.', RETRY_AFTER_SECONDS)
}

/**
 * Counts the memory of a large body until its response ends, so that clients that do not read cannot fill the memory. A body that several responses
 * send counts once.
 * @throws ApiError 503 beyond the limits
 */
export function holdLargeBody(request: FastifyRequest, reply: FastifyReply, body: object, bytes: number): void {
  if (bytes < LARGE_BYTES) return
  let heldBody = heldBodies.get(body)
  if (heldBody === undefined) {
    requireRoom(request, bytes)
    const clientId = clientIdOf(request.ip)
    heldBody = { bytes, clientId, responseCount: 0 }
    heldBodies.set(body, heldBody)
    changeBytes(clientId, bytes)
  }
  const { clientId } = heldBody
  heldBody.responseCount++
  reply.raw.once('close', () => {
    heldBody.responseCount--
    if (heldBody.responseCount > 0) return
    heldBodies.delete(body)
    changeBytes(clientId, -bytes)
  })
}
