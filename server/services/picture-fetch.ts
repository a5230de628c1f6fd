import { Resolver } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** `gone`: the host answered, without a picture. `unreachable`: it did not answer. `refused`: it must not be asked. */
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
  /** All addresses of a host name. */
  resolve?: (hostname: string) => Promise<readonly string[]>
  /** Sends a GET for `url` to `address` and gives the head of the answer. */
  send?: (url: URL, address: string, signal: AbortSignal) => Promise<IncomingMessage>
  timeoutMs?: number
  maxBytes?: number
}

/** The bytes behind an https URL; whether they are a picture is for the reader to find out. */
export type PictureFetch = (url: string) => Promise<Buffer>

const MAX_REDIRECTS = 3
const agent = new Agent({ keepAlive: true, maxSockets: 6, timeout: 15_000 })

/** Asks the name server itself: the system's own lookup would hold a thread that files are read with, for seconds where there is no network. */
async function resolveAll(hostname: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const found = await resolver.resolve4(hostname).catch(() => [])
  return found.length > 0 ? found : resolver.resolve6(hostname)
}

/** Connects to `address` and nothing else, whatever the name would resolve to by now; TLS still checks the name. */
export function sendTo(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const family = isIP(address)
    const outgoing = request(url, {
      agent,
      signal,
      headers: { accept: 'image/avif,image/webp,image/*;q=0.8', 'user-agent': 'Varispeed pictures' },
      lookup: (_hostname, options, callback) => {
        if (options.all === true) callback(null, [{ address, family }])
        else callback(null, address, family)
      },
    })
    outgoing.on('response', resolve).on('error', reject).end()
  })
}

/**
 * Fetches pictures that others name, without ever being led into the own network: https on its own port, to addresses
 * that were looked up, found public and are then the ones connected to; each redirect is checked anew.
 */
export function createPictureFetch(options: PictureFetchOptions = {}): PictureFetch {
  const { resolve = resolveAll, send = sendTo, timeoutMs = 10_000, maxBytes = 8 * 1024 * 1024 } = options

  async function addressOf(url: URL): Promise<string> {
    if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') {
      throw new PictureFetchError('refused', 'only plain https URLs are fetched')
    }
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname]
    const [first] = addresses
    if (first === undefined || !addresses.every(isPublicAddress))
      throw new PictureFetchError('refused', `${hostname} has no public address`)
    return first
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

  async function follow(from: URL, signal: AbortSignal): Promise<Buffer> {
    let url = from
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
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

  return async (text) => {
    if (!URL.canParse(text)) throw new PictureFetchError('refused', 'not a URL')
    const signal = AbortSignal.timeout(timeoutMs)
    // A name server or a socket may take longer than anybody will wait, and cannot always be told to stop.
    const tooLate = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new PictureFetchError('unreachable', 'no answer in time')), { once: true })
    })
    try {
      return await Promise.race([follow(new URL(text), signal), tooLate])
    } catch (error) {
      if (error instanceof PictureFetchError) throw error
      throw new PictureFetchError('unreachable', error instanceof Error ? error.message : String(error))
    }
  }
}
