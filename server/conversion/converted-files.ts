import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type ConversionFormat, DOWNLOAD_URL_VALID_MINUTES } from '../../contract/conversion-rules.ts'
import { ApiError } from '../../contract/errors.ts'
import type { ByteRange, FileStore } from '../files/file-store.ts'
import { createConversionFileName } from './files.ts'
import type { Conversion, ConversionStore } from './store.ts'

type SignedConversion = Pick<Conversion, 'id' | 'secret'>

const signDownload = ({ secret, id }: SignedConversion, untilMs: number) =>
  createHmac('sha256', secret).update(`${id} ${untilMs}`).digest('base64url')

/** Returns the download URL of a converted file, which is valid for `DOWNLOAD_URL_VALID_MINUTES`. */
export function createSignedDownloadPath(conversion: SignedConversion, nowMs: number): string {
  const untilMs = nowMs + DOWNLOAD_URL_VALID_MINUTES * 60_000
  return `/api/make/file/${conversion.id}?until=${untilMs}&signature=${signDownload(conversion, untilMs)}`
}

/** Whether a link's signature matches its conversion and its expiry time, and the link has not expired. */
function isLinkValid(conversion: SignedConversion, { untilMs, signature }: { untilMs: number; signature: string }, nowMs: number) {
  const expected = Buffer.from(signDownload(conversion, untilMs))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected) && untilMs > nowMs
}

const createBrokenLinkError = () =>
  new ApiError('not-found', 'This address does not work any more. Open the list of your files for a new one.')

const CONTENT_TYPES: Record<ConversionFormat, string> = { mp3: 'audio/mpeg', wav: 'audio/wav' }

interface ConvertedFilesDeps {
  store: Pick<ConversionStore, 'find' | 'listDone'>
  fileStore: FileStore
  nowMs: () => number
}

/** Gives access to the converted files, which their owners download by signed addresses. */
export function createConvertedFiles({ store, fileStore, nowMs }: ConvertedFilesDeps) {
  return {
    /** Returns the download addresses of an account's converted files, by conversion id. */
    urlsOf: async (uid: string): Promise<Map<string, string>> =>
      new Map((await store.listDone(uid)).map((conversion) => [conversion.id, createSignedDownloadPath(conversion, nowMs())])),

    /** Finds the converted file of a signed URL. @throws ApiError 404 if the URL is invalid or expired */
    async findFile(conversionId: string, untilMs: number, linkSignature: string): Promise<{ name: string; type: string; bytes: number }> {
      const conversion = await store.find(conversionId)
      if (conversion?.state !== 'done' || !isLinkValid(conversion, { untilMs, signature: linkSignature }, nowMs()))
        throw createBrokenLinkError()
      const { file_name: name, format, file_bytes: bytes } = conversion
      return { name, type: CONTENT_TYPES[format], bytes }
    },

    /**
     * Opens a converted file, or a part of it. It is opened before the response starts, so that the response is a 404 if the file has been deleted.
     * @throws ApiError 404 if there is no such file
     */
    async openFile(conversionId: string, range: ByteRange | undefined): Promise<Readable> {
      const file = await fileStore.open(createConversionFileName(conversionId, 'out'), range)
      if (file === undefined) throw createBrokenLinkError()
      return file
    },

    /** Checks that a converted file exists. @throws ApiError 404 if it does not */
    async requireFile(id: string): Promise<void> {
      if ((await fileStore.size(createConversionFileName(id, 'out'))) === undefined) throw createBrokenLinkError()
    },
  }
}
