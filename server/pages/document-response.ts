import { gunzipSync } from 'node:zlib'
import type { CachedResponse } from '../http/read-cache.ts'
import type { AssembledDocument } from './assemble-document.ts'

/**
 * The response with a document. It has only the compressed bytes in memory: a document is four times as long, and V8 collects garbage, which takes some
 * 20 ms, after each 20 MB that buffers take.
 */
export class DocumentResponse implements CachedResponse {
  readonly isCompressible = true
  readonly etag: string
  readonly gzippedBody: Buffer

  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    { etag, gzippedBody: { buffer, byteOffset, byteLength } }: AssembledDocument,
  ) {
    this.etag = etag
    // A `Buffer` that another thread has sent arrives as a `Uint8Array`.
    this.gzippedBody = Buffer.from(buffer, byteOffset, byteLength)
  }

  /** The uncompressed document, for clients that accept no compression. It is decompressed at each access. */
  get body(): Buffer {
    return gunzipSync(this.gzippedBody)
  }
}
