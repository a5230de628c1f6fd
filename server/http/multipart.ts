import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { StorageError } from '../storage/errors.ts'

/** Stores a file of a multipart body. `fields` are the form fields that precede the file. */
export type ReceiveFile = (file: MultipartFile, fields: Readonly<Record<string, unknown>>) => Promise<void>

const tooLarge = () => new ApiError('too-large', 'The request is too large.')

/**
 * Reads a multipart body into the fields of a form, which take at most `maxBytes` together. The value of a repeated field becomes an array, as in
 * the other formats. The body may contain one file, in the field `file`, if `receiveFile` is given; otherwise none.
 */
export async function readMultipart(
  request: FastifyRequest,
  { maxBytes, fileMaxBytes, receiveFile }: { maxBytes: number; fileMaxBytes: number; receiveFile: ReceiveFile | undefined },
): Promise<Record<string, unknown>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + (receiveFile === undefined ? 0 : fileMaxBytes)) throw tooLarge()
  const fields: Record<string, unknown> = Object.create(null)
  let fieldBytes = 0
  let hasFile = false
  try {
    for await (const part of request.parts(receiveFile && { limits: { fileSize: fileMaxBytes } })) {
      if (part.type === 'file') {
        if (receiveFile === undefined || part.fieldname !== 'file' || hasFile)
          throw new ApiError('bad-input', `${part.fieldname} must not be a file`)
        hasFile = true
        await receiveFile(part, fields)
        continue
      }
      fieldBytes += part.fieldname.length + (typeof part.value === 'string' ? part.value : JSON.stringify(part.value)).length
      if (fieldBytes > maxBytes || part.valueTruncated || part.fieldnameTruncated) throw tooLarge()
      const earlierValue = fields[part.fieldname]
      fields[part.fieldname] = earlierValue === undefined ? part.value : [earlierValue, part.value].flat()
    }
    return fields
  } catch (error) {
    // The parser reports a malformed body as an error without a status code, which is therefore replaced by a 400. Whoever receives the file may fail for
    // want of the database.
    if (error instanceof ApiError || error instanceof StorageError || (error instanceof Error && 'statusCode' in error)) throw error
    throw new ApiError('bad-input', 'The multipart body could not be read.')
  }
}
