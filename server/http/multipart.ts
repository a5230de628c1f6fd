import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { StorageError } from '../storage/errors.ts'

/** Stores a file of a multipart body. `fields` are the form fields that precede the file. */
export type ReceiveFile = (file: MultipartFile, fields: Readonly<Record<string, unknown>>) => Promise<void>

const createTooLargeError = () => new ApiError('too-large', 'The request is too large.')

/**
 * Reads a multipart body into the fields of a form, which take at most `maxBytes` together. The value of a repeated field becomes an array, as in
 * the other formats. The body may contain one file, in the field `file`, if `receiveFile` is given; otherwise none.
 */
export async function readMultipart(
  request: FastifyRequest,
  { maxBytes, fileMaxBytes, receiveFile }: { maxBytes: number; fileMaxBytes: number; receiveFile: ReceiveFile | undefined },
): Promise<Record<string, unknown>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + (receiveFile === undefined ? 0 : fileMaxBytes))
    throw createTooLargeError()
  const formFields: Record<string, unknown> = Object.create(null)
  let fieldBytes = 0
  let hasFile = false
  try {
    for await (const formPart of request.parts(receiveFile && { limits: { fileSize: fileMaxBytes } })) {
      if (formPart.type === 'file') {
        if (receiveFile === undefined || formPart.fieldname !== 'file' || hasFile)
          throw new ApiError('bad-input', `${formPart.fieldname} must not be a file`)
        hasFile = true
        await receiveFile(formPart, formFields)
        continue
      }
      fieldBytes +=
        formPart.fieldname.length + (typeof formPart.value === 'string' ? formPart.value : JSON.stringify(formPart.value)).length
      if (fieldBytes > maxBytes || formPart.valueTruncated || formPart.fieldnameTruncated) throw createTooLargeError()
      const earlierValue = formFields[formPart.fieldname]
      formFields[formPart.fieldname] = earlierValue === undefined ? formPart.value : [earlierValue, formPart.value].flat()
    }
    return formFields
  } catch (error) {
    // The parser reports a malformed body as an error without a status code, which is therefore replaced by a 400. A StorageError or an error of the
    // operating system comes from `receiveFile`: the client is not to blame for it.
    const isServerError = error instanceof StorageError || (error instanceof Error && 'code' in error && 'syscall' in error)
    if (isServerError || error instanceof ApiError || (error instanceof Error && 'statusCode' in error)) throw error
    throw new ApiError('bad-input', 'The multipart body could not be read.')
  }
}
