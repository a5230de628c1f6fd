import type { ReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ConversionFormat } from '../../contract/conversion-rules.ts'
import { ApiError } from '../../contract/errors.ts'
import { fileOf } from './files.ts'
import { isLinkValid, signedLinkOf } from './signed-links.ts'
import type { ConversionStore } from './store.ts'

const CONTENT_TYPES: Record<ConversionFormat, string> = { mp3: 'audio/mpeg', wav: 'audio/wav' }

interface ConvertedFilesDeps {
  store: Pick<ConversionStore, 'find' | 'listDone'>
  dir: string
  nowMs: () => number
}

/** The converted files of accounts, which their owners download by signed addresses. */
export function createConvertedFiles({ store, dir, nowMs }: ConvertedFilesDeps) {
  return {
    /** Returns the addresses of an account's converted files, by the id of the conversion. */
    urlsOf: async (uid: string): Promise<Map<string, string>> =>
      new Map((await store.listDone(uid)).map((conversion) => [conversion.id, signedLinkOf(conversion, nowMs())])),

    /** Opens a converted file by a signed address. @throws ApiError 404 for an address that is wrong or too old */
    async openFile(
      id: string,
      untilMs: number,
      signature: string,
    ): Promise<{ stream: ReadStream; name: string; type: string; bytes: number }> {
      const conversion = await store.find(id)
      const isOpen = conversion?.state === 'done' && isLinkValid(conversion, { untilMs, signature }, nowMs())
      // The file is opened before the answer begins: one that was deleted meanwhile is answered with 404.
      const file = isOpen ? await open(fileOf(dir, id, 'out')).catch(() => undefined) : undefined
      if (conversion === undefined || file === undefined)
        throw new ApiError('not-found', 'This address does not work any more. Open the list of your files for a new one.')
      const { file_name: name, format, file_bytes: bytes } = conversion
      return { stream: file.createReadStream(), name, type: CONTENT_TYPES[format], bytes }
    },
  }
}
