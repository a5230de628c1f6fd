import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from './file-store.ts'
import { type CallTiming, createS3Client, decodeXml, findElementText, readAnswer, type S3Settings } from './s3-client.ts'

/** Streams a file of this machine, and calls `reportProgress` for each chunk that is read. */
function streamFile(filePath: string, reportProgress: () => void): ReadableStream<Uint8Array> {
  const fileChunks: AsyncIterator<Uint8Array> = createReadStream(filePath).iterator()
  return new ReadableStream({
    pull: async (controller) => {
      reportProgress()
      const { done, value } = await fileChunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await fileChunks.return?.()),
  })
}

/** Opens a store whose files are the objects of a bucket. @throws FileStoreError if the bucket cannot be listed with these settings */
export async function openS3Store(settings: S3Settings, timing?: CallTiming): Promise<FileStore> {
  const { send, failure } = createS3Client(settings, timing)
  const { prefix } = settings
  const createObjectPath = (name: string) => `/${prefix}${name}`

  async function sendAndReadAnswer(s3Call: Parameters<typeof send>[0]) {
    const answer = await send(s3Call)
    if (answer !== undefined) await readAnswer(answer)
    return answer
  }

  /** Lists the keys of a folder from the page with this token on, and returns the token of the next page. */
  async function listPage(folderPath: string, continuationToken: string | undefined) {
    const listQuery = new URLSearchParams({
      ...(continuationToken !== undefined && { 'continuation-token': continuationToken }),
      ...{ 'list-type': '2', prefix: `${prefix}${folderPath}` },
    })
    const listAnswer = await send({ method: 'GET', path: `?${listQuery}` })
    if (listAnswer === undefined) throw failure('answers 404')
    const listXml = await readAnswer(listAnswer)
    const nextToken = findElementText(listXml, 'NextContinuationToken')
    return {
      keys: [...listXml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => decodeXml(key)),
      next: nextToken === undefined ? undefined : decodeXml(nextToken),
    }
  }

  await listPage('identity/', undefined)

  const store: FileStore = {
    put: async (name, content) => {
      await sendAndReadAnswer({ method: 'PUT', path: createObjectPath(name), createBody: () => content })
    },

    async moveIn(filePath, fileName) {
      const { size } = await stat(filePath)
      await sendAndReadAnswer({
        method: 'PUT',
        path: createObjectPath(fileName),
        headers: { 'content-length': String(size) },
        createBody: (reportProgress) => streamFile(filePath, reportProgress),
      })
      await rm(filePath, { force: true })
    },

    async open(fileName, byteRange) {
      const headers = byteRange === undefined ? {} : { range: `bytes=${byteRange.start}-${byteRange.end}` }
      const fileAnswer = await send({ method: 'GET', path: createObjectPath(fileName), headers })
      if (fileAnswer === undefined) return undefined
      if (byteRange === undefined || fileAnswer.status === 206) return fileAnswer.read()
      fileAnswer.read().destroy()
      throw failure(`answers ${fileAnswer.status} to a request for a part of a file`)
    },

    async size(name) {
      return (await sendAndReadAnswer({ method: 'HEAD', path: createObjectPath(name) }))?.bytes
    },

    async localPath(fileName, copyPath) {
      const fileStream = await store.open(fileName)
      if (fileStream === undefined) return undefined
      await pipeline(fileStream, createWriteStream(copyPath, { mode: 0o600, flags: 'wx' }))
      return copyPath
    },

    delete: async (name) => {
      await sendAndReadAnswer({ method: 'DELETE', path: createObjectPath(name) })
    },

    async list(folderName) {
      const objectNames: string[] = []
      let continuationToken: string | undefined
      do {
        const { keys, next } = await listPage(`${folderName}/`, continuationToken)
        objectNames.push(...keys.map((key) => key.slice(prefix.length + folderName.length + 1)))
        continuationToken = next
      } while (continuationToken !== undefined)
      return objectNames
    },
  }
  return store
}
