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
const agent = new Agent({ keepAlive: true, maxSockets: 6, timeout: 15_000 })

/** Queries DNS directly: `dns.lookup` would block a thread of libuv's pool, for seconds without a network. */
async function resolveAll(hostname: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const foundAddresses = await resolver.resolve4(hostname).catch(() => [])
  return foundAddresses.length > 0 ? foundAddresses : resolver.resolve6(hostname)
}

/** Connects to `address` without resolving the name again, which prevents DNS rebinding. TLS still verifies the name. */
export function sendTo(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const ipVersion = isIP(address)
    const outgoing = request(url, {
      agent,
      signal,
      headers: { accept: 'image/avif,image/webp,image/*;q=0.8', 'user-agent': 'Varispeed pictures' },
      lookup: (_hostname, options, callback) => {
        if (options.all === true) callback(null, [{ address, family: ipVersion }])
        else callback(null, address, ipVersion)
      },
    })
    outgoing.on('response', resolve).on('error', reject).end()
  })
}

/**
 * Fetches pictures from URLs that other people provide, and never from the own network: only https on its own port, and only addresses that
 * were looked up and found public. Each redirect is checked again.
 */
export function createPictureFetch(options: PictureFetchOptions = {}): PictureFetch {
  const { resolve = resolveAll, send = sendTo, timeoutMs = 10_000, maxBytes = 8 * 1024 * 1024 } = options

  async function addressOf(url: URL): Promise<string> {
    if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') {
      throw new PictureFetchError('refused', 'only plain https URLs are fetched')
    }
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname]
    const [firstAddress] = addresses
    if (firstAddress === undefined || !addresses.every(isPublicAddress))
      throw new PictureFetchError('refused', `${hostname} has no public address`)
    return firstAddress
  }

  async function bodyOf(response: IncomingMessage): Promise<Buffer> {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw new PictureFetchError('gone', 'the picture is too large')
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) throw new PictureFetchError('gone', 'the picture is not bytes')
      bytes += chunk.length
      if (bytes > maxBytes) throw new PictureFetchError('gone', 'the picture is too large')
      chunks.push(chunk)
    }
    if (!response.complete) throw new PictureFetchError('unreachable', 'the answer broke off')
    return Buffer.concat(chunks)
  }

  async function followRedirects(startUrl: URL, signal: AbortSignal): Promise<Buffer> {
    let url = startUrl
    for (let redirectCount = 0; redirectCount <= MAX_REDIRECTS; redirectCount++) {
      const address = await addressOf(url)
      signal.throwIfAborted()
      const response = await send(url, address, signal)
      const status = response.statusCode ?? 0
      if (status === 200) {
        try {
          return await bodyOf(response)
        } finally {
          response.destroy()
        }
      }
      response.destroy()
      const location = response.headers.location
      if (status < 300 || status > 399 || location === undefined) {
        throw new PictureFetchError(status >= 500 || status === 429 ? 'unreachable' : 'gone', `answered ${status}`)
      }
      if (!URL.canParse(location, url.href)) throw new PictureFetchError('gone', 'redirected to nowhere')
      url = new URL(location, url)
    }
    throw new PictureFetchError('gone', 'redirected too often')
  }

  return async (urlText) => {
    if (!URL.canParse(urlText)) throw new PictureFetchError('refused', 'not a URL')
    const signal = AbortSignal.timeout(timeoutMs)
    // DNS queries and sockets cannot always be aborted, so the result is raced against the timeout.
    const timeout = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new PictureFetchError('unreachable', 'no answer in time')), { once: true })
    })
    try {
      return await Promise.race([followRedirects(new URL(urlText), signal), timeout])
    } catch (error) {
      if (error instanceof PictureFetchError) throw error
      throw new PictureFetchError('unreachable', error instanceof Error ? error.message : String(error))
    }
  }
}
