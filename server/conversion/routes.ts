import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { UPLOAD_MAX_BYTES } from '../../contract/conversion-rules.ts'
import { ApiError } from '../../contract/errors.ts'
import { parseByteRange } from '../http/byte-range.ts'
import { API_PREFIX } from '../http/endpoint.ts'
import { requireUser, type User } from '../http/user.ts'
import { clampClientTime, type RouteContext, readPagination } from '../route-context.ts'
import type { ConversionService } from './conversions.ts'

/** The maximum number of simultaneous uploads of an account. */
const CONCURRENT_UPLOADS_PER_ACCOUNT = 3

/**
 * Encodes a file name as an extended parameter (RFC 8187). Four characters that RFC 8187 requires to be escaped are not escaped by
 * `encodeURIComponent`.
 */
const encodeFileName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

interface ConversionDeps {
  app: FastifyInstance
  conversions: ConversionService
}

export function registerConversionRoutes({ endpoint, storage, nowMs }: RouteContext, { app, conversions }: ConversionDeps): void {
  endpoint('GET /make/history', {}, async (input, request) => {
    const { uid } = requireUser(request)
    const [exportedFiles, downloadUrls] = await Promise.all([storage.makeHistory.list(uid, readPagination(input)), conversions.urlsOf(uid)])
    return exportedFiles.map((exportedFile) => {
      const url = downloadUrls.get(exportedFile.id)
      return { ...exportedFile, ...(url !== undefined && { url }) }
    })
  })

  endpoint('POST /make/history', {}, async ({ change_id, exported_at, ...fileFields }, request) => {
    const id = change_id?.toLowerCase() ?? randomUUID()
    return storage.makeHistory.add(requireUser(request).uid, { ...fileFields, id, createdMs: clampClientTime(exported_at, nowMs()) })
  })

  const songUpload = {
    maxBytes: UPLOAD_MAX_BYTES,
    maxPerAccount: CONCURRENT_UPLOADS_PER_ACCOUNT,
    admit: ({ uid }: User, { job_id }: Readonly<Record<string, unknown>>) =>
      conversions.requireRoom(uid, typeof job_id === 'string' ? job_id.toLowerCase() : undefined),
  }
  endpoint('POST /make/convert', { upload: songUpload }, ({ speed, format = 'mp3', job_id }, request, reply) => {
    // Node closes an idle connection unless a `timeout` listener is present. The empty listener keeps the connection open, however long the
    // conversion takes.
    reply.raw.on('timeout', () => undefined)
    return conversions.convert(requireUser(request).uid, request.upload, { id: job_id?.toLowerCase() ?? randomUUID(), speed, format })
  })

  endpoint('GET /make/status', {}, ({ job_id }, request) => conversions.status(requireUser(request).uid, job_id.toLowerCase()))

  endpoint('POST /make/cancel', {}, async ({ job_id }, request) => {
    await conversions.cancel(requireUser(request).uid, job_id.toLowerCase())
    return null
  })

  app.route<{ Params: { id: string }; Querystring: { until?: string; signature?: string } }>({
    // The handler answers HEAD itself: Fastify would read the whole file for it.
    method: ['GET', 'HEAD'],
    url: `${API_PREFIX}/make/file/:id`,
    handler: async ({ params: { id }, query: { until = '', signature = '' }, headers, method }, reply) => {
      const { name, type, bytes } = await conversions.findFile(id, Number(until), signature)
      // The file of a conversion never changes.
      const fileEtag = `"${id}"`
      const isSameFile = headers['if-range'] === undefined || headers['if-range'] === fileEtag
      const byteRange = isSameFile ? parseByteRange(headers.range, bytes) : undefined
      reply
        .header('accept-ranges', 'bytes')
        .header('etag', fileEtag)
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeFileName(name)}`)
        .header('cache-control', 'private, no-store')
        .header('x-content-type-options', 'nosniff')
      if (byteRange === 'unsatisfiable') {
        reply.header('content-range', `bytes */${bytes}`)
        throw new ApiError('wrong-range', 'The file has no such part.')
      }
      const fileBody = method === 'HEAD' ? await conversions.requireFile(id) : await conversions.openFile(id, byteRange)
      reply.type(type).header('content-length', byteRange === undefined ? bytes : byteRange.end - byteRange.start + 1)
      if (byteRange !== undefined) reply.code(206).header('content-range', `bytes ${byteRange.start}-${byteRange.end}/${bytes}`)
      return reply.send(fileBody)
    },
  })
}
