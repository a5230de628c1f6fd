import { Resolver } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** `gone`: the host responded without a picture. `unreachable`: the host did not respond. `refused`: the URL must not be fetched. */
export type FetchFailureKind = 'gone' | 'unreachable' | 'refused'

export class PictureFetchError extends Error {
  override readonly name = 'PictureFetchError'
  constructor(
    readonly kind: FetchFailureKind,
    message: string,
  ) {
    super(message)
  }
}

export interface PictureFetchOptions {
  /** Returns all IP addresses of a host name. */
  resolve?: (hostname: string) => Promise<readonly string[]>
  /** Sends a GET request for `url` to `address` and returns the response with an unread body. */
  send?: (url: URL, address: string, signal: AbortSignal) => Promise<IncomingMessage>
  timeoutMs?: number
  maxBytes?: number
}

/** Fetches the bytes of an https URL, which need not be a picture. */
export type PictureFetch = (url: string) => Promise<Buffer>

const MAX_REDIRECTS = 3
/** The number of addresses of a host that are tried, which limits the connections that one host name can cause. */
const ADDRESSES_MAX = 6
/** How long one address may take to connect, TLS included, before the next one is tried. */
const CONNECT_TIMEOUT_MS = 2_500
const keepAliveAgent = new Agent({ keepAlive: true, maxSockets: 6, timeout: 15_000 })

/**
 * The prefix of the IPv6 addresses that a DNS64 resolver makes from IPv4 addresses (RFC 6052). They are ignored, because the IPv4 addresses are
 * resolved as well.
 */
const NAT64_PREFIX = '64:ff9b::'

/** Queries DNS directly: `dns.lookup` would block a thread of libuv's pool, for seconds without a network. IPv4 and IPv6 addresses alternate. */
async function resolveAll(hostName: string): Promise<readonly string[]> {
  const dnsResolver = new Resolver({ timeout: 2_000, tries: 2 })
  const [ipv4Result, ipv6Result] = await Promise.allSettled([dnsResolver.resolve4(hostName), dnsResolver.resolve6(hostName)])
  if (ipv4Result.status === 'rejected' && ipv6Result.status === 'rejected') throw ipv4Result.reason
  const v4Addresses = ipv4Result.status === 'fulfilled' ? ipv4Result.value : []
  const v6Addresses = ipv6Result.status === 'fulfilled' ? ipv6Result.value.filter((address) => !address.startsWith(NAT64_PREFIX)) : []
  const longer = v4Addresses.length > v6Addresses.length ? v4Addresses : v6Addresses
  return longer.flatMap((_, index) => [v4Addresses[index], v6Addresses[index]]).filter((address) => address !== undefined)
}

/** Connects to `ipAddress` without resolving the name again, which prevents DNS rebinding. TLS still verifies the name. */
export function sendRequestTo(url: URL, ipAddress: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const ipVersion = isIP(ipAddress)
    const clientRequest = request(url, {
      agent: keepAliveAgent,
      signal,
      headers: { accept: 'image/avif,image/webp,image/*;q=0.8', 'user-agent': 'Varispeed pictures' },
      // A connection that fails within this call would emit its error before `request` listens to the socket.
      lookup: (_hostname, options, callback) =>
        setImmediate(() => {
          if (options.all === true) callback(null, [{ address: ipAddress, family: ipVersion }])
          else callback(null, ipAddress, ipVersion)
        }),
    })
    clientRequest.on('socket', (socket) => {
      if (!socket.connecting) return
      const timer = setTimeout(() => clientRequest.destroy(new Error(`${ipAddress} did not connect in time`)), CONNECT_TIMEOUT_MS)
      const endTimer = () => clearTimeout(timer)
      socket.once('secureConnect', endTimer).once('close', endTimer)
    })
    clientRequest.on('response', resolve).on('error', reject).end()
  })
}

/**
 * Fetches pictures from URLs that other people provide, but never from the server's own network: only over https on the standard port, and only
 * from addresses that were resolved and found to be public. Each redirect is checked in the same way.
 */
export function createPictureFetch(options: PictureFetchOptions = {}): PictureFetch {
  const { resolve = resolveAll, send = sendRequestTo, timeoutMs = 10_000, maxBytes = 8 * 1024 * 1024 } = options

  async function resolveAddresses(url: URL): Promise<readonly string[]> {
    if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') {
      throw new PictureFetchError('refused', 'only plain https URLs are fetched')
    }
    const hostName = url.hostname.replace(/^\[|\]$/g, '')
    const ipAddresses = isIP(hostName) === 0 ? await resolve(hostName) : [hostName]
    if (ipAddresses.length === 0 || !ipAddresses.every(isPublicAddress))
      throw new PictureFetchError('refused', `${hostName} has no public address`)
    return ipAddresses.slice(0, ADDRESSES_MAX)
  }

  /** Tries the addresses in order until one responds. */
  async function sendToAnyAddress(url: URL, ipAddresses: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
    let lastFailure: unknown
    for (const ipAddress of ipAddresses) {
      signal.throwIfAborted()
      try {
        return await send(url, ipAddress, signal)
      } catch (error) {
        lastFailure = error
      }
    }
    throw lastFailure
  }

  async function readBody(response: IncomingMessage): Promise<Buffer> {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw new PictureFetchError('gone', 'the picture is too large')
    const pictureChunks: Buffer[] = []
    let receivedBytes = 0
    for await (const pictureChunk of response) {
      if (!Buffer.isBuffer(pictureChunk)) throw new PictureFetchError('gone', 'the picture is not bytes')
      receivedBytes += pictureChunk.length
      if (receivedBytes > maxBytes) throw new PictureFetchError('gone', 'the picture is too large')
      pictureChunks.push(pictureChunk)
    }
    if (!response.complete) throw new PictureFetchError('unreachable', 'the answer broke off')
    return Buffer.concat(pictureChunks)
  }

  async function followRedirects(startUrl: URL, signal: AbortSignal): Promise<Buffer> {
    let url = startUrl
    for (let redirectCount = 0; redirectCount <= MAX_REDIRECTS; redirectCount++) {
      const response = await sendToAnyAddress(url, await resolveAddresses(url), signal)
      const statusCode = response.statusCode ?? 0
      if (statusCode === 200) {
        try {
          return await readBody(response)
        } finally {
          response.destroy()
        }
      }
      response.destroy()
      const redirectLocation = response.headers.location
      if (statusCode < 300 || statusCode > 399 || redirectLocation === undefined) {
        throw new PictureFetchError(statusCode >= 500 || statusCode === 429 ? 'unreachable' : 'gone', `answered ${statusCode}`)
      }
      if (!URL.canParse(redirectLocation, url.href)) throw new PictureFetchError('gone', 'redirected to nowhere')
      url = new URL(redirectLocation, url)
    }
    throw new PictureFetchError('gone', 'redirected too often')
  }

  return async (urlText) => {
    if (!URL.canParse(urlText)) throw new PictureFetchError('refused', 'not a URL')
    const timeoutSignal = AbortSignal.timeout(timeoutMs)
    // DNS queries and sockets cannot always be aborted, so the result is raced against the timeout.
    const timeoutPromise = new Promise<never>((_, reject) => {
      timeoutSignal.addEventListener('abort', () => reject(new PictureFetchError('unreachable', 'no answer in time')), { once: true })
    })
    try {
      return await Promise.race([followRedirects(new URL(urlText), timeoutSignal), timeoutPromise])
    } catch (error) {
      if (error instanceof PictureFetchError) throw error
      throw new PictureFetchError('unreachable', error instanceof Error ? error.message : String(error))
    }
  }
}
