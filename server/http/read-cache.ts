import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** A whole answer, ready to be sent many times. */
export interface Answer {
  status: number
  body: Buffer
  headers: Record<string, string>
  /** The same body, packed; there once a client that takes gzip has asked for it. */
  packed?: Buffer
  packing?: boolean
}

const gzipAsync = promisify(gzip)
/** Smaller bodies fit one packet, so packing them wins nothing. */
const PACK_MIN_BYTES = 1200

/** `body` as an answer that can be validated by its ETag. The ETag is weak: the packed body shares it. */
export function createAnswer(status: number, body: string, headers: Record<string, string>): Answer {
  const bytes = Buffer.from(body)
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const vary = bytes.length >= PACK_MIN_BYTES ? { vary: 'accept-encoding' } : {}
  return { status, body: bytes, headers: { ...headers, ...vary, etag } }
}

/** Packs an answer before it is sent for the first time: for what is large, and what a person waits for. */
export async function pack(answer: Answer): Promise<void> {
  if (answer.packing || answer.body.length < PACK_MIN_BYTES) return
  answer.packing = true
  answer.packed = await gzipAsync(answer.body)
}

/** Starts packing an answer that was asked for packed; until it is done, it is sent as it is. */
export function packLater(answer: Answer): void {
  if (answer.packing || answer.body.length < PACK_MIN_BYTES) return
  answer.packing = true
  gzipAsync(answer.body).then(
    (packed) => {
      answer.packed = packed
    },
    () => undefined,
  )
}

export interface ReadCacheOptions {
  /** Answers of another revision are dropped. */
  revision: () => number
  nowMs: () => number
  ttlMs: number
  maxEntries: number
  maxBytes: number
}

/**
 * Answers of reads by what they depend on (`scope`, for instance the brand) and their URL. Two generations bound it: a
 * hit in the old one moves to the young one, and the old one is dropped when the young one is full. That keeps what is
 * hot, as a list in order of use would, without work on each hit.
 */
export function createReadCache(options: ReadCacheOptions) {
  interface Entry {
    answer: Answer
    staleAtMs: number
  }
  let young = new Map<string, Entry>()
  let old = new Map<string, Entry>()
  let youngBytes = 0
  let revision = options.revision()

  function put(key: string, entry: Entry): void {
    if (young.size >= options.maxEntries / 2 || youngBytes + entry.answer.body.length > options.maxBytes / 2) {
      old = young
      young = new Map()
      youngBytes = 0
    }
    young.set(key, entry)
    youngBytes += entry.answer.body.length
  }

  function dropIfChanged(): void {
    const current = options.revision()
    if (current === revision) return
    revision = current
    young = new Map()
    old = new Map()
    youngBytes = 0
  }

  return {
    get(scope: string, url: string): Answer | undefined {
      dropIfChanged()
      const key = scope + url
      let entry = young.get(key)
      if (entry === undefined) {
        entry = old.get(key)
        if (entry === undefined) return undefined
        old.delete(key)
        if (entry.staleAtMs > options.nowMs()) put(key, entry)
      }
      return entry.staleAtMs > options.nowMs() ? entry.answer : undefined
    },
    /** `readAt` is the revision when the answer's data was read: an answer that was overtaken is not kept. */
    set(scope: string, url: string, readAt: number, answer: Answer): void {
      dropIfChanged()
      if (readAt !== revision || url.length > 1000 || answer.body.length > options.maxBytes / 8) return
      put(scope + url, { answer, staleAtMs: options.nowMs() + options.ttlMs })
    },
    size: () => young.size + old.size,
  }
}
export type ReadCache = ReturnType<typeof createReadCache>
