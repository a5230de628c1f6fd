import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from './file-store.ts'
import { type CallTiming, createS3Client, decodeXml, elementOf, readAnswer, type S3Settings } from './s3-client.ts'

/** Streams a file of this machine, and reports each part that is taken. */
function streamFile(filePath: string, reportProgress: () => void): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = createReadStream(filePath).iterator()
  return new ReadableStream({
    pull: async (controller) => {
      reportProgress()
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return?.()),
  })
}

/** Opens a store whose files are the objects of a bucket. @throws FileStoreError if the bucket cannot be listed with these settings */
export async function openS3Store(settings: S3Settings, timing?: CallTiming): Promise<FileStore> {
  const { send, failure } = createS3Client(settings, timing)
  const { prefix } = settings
  const pathOf = (name: string) => `/${prefix}${name}`

  async function sendToEnd(call: Parameters<typeof send>[0]) {
    const answer = await send(call)
    if (answer !== undefined) await readAnswer(answer)
    return answer
  }

  /** Lists the keys of a folder from the page with this token on, and returns the token of the next page. */
  async function listPage(folderPath: string, token: string | undefined) {
    const query = new URLSearchParams({
      ...(token !== undefined && { 'continuation-token': token }),
      ...{ 'list-type': '2', prefix: `${prefix}${folderPath}` },
    })
    const answer = await send({ method: 'GET', path: `?${query}` })
    if (answer === undefined) throw failure('answers 404')
    const xml = await readAnswer(answer)
    const nextToken = elementOf(xml, 'NextContinuationToken')
    return {
      keys: [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => decodeXml(key)),
      next: nextToken === undefined ? undefined : decodeXml(nextToken),
    }
  }

  await listPage('identity/', undefined)

  const store: FileStore = {
    put: async (name, content) => {
      await sendToEnd({ method: 'PUT', path: pathOf(name), createBody: () => content })
    },

    async moveIn(filePath, name) {
      const { size } = await stat(filePath)
      await sendToEnd({
        method: 'PUT',
        path: pathOf(name),
        headers: { 'content-length': String(size) },
        createBody: (reportProgress) => streamFile(filePath, reportProgress),
      })
      await rm(filePath)
    },

    async open(name, range) {
      const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
      const answer = await send({ method: 'GET', path: pathOf(name), headers })
      if (answer === undefined) return undefined
      if (range === undefined || answer.status === 206) return answer.read()
      answer.read().destroy()
      throw failure(`answers ${answer.status} to a request for a part of a file`)
    },

    async size(name) {
      return (await sendToEnd({ method: 'HEAD', path: pathOf(name) }))?.bytes
    },

    async localPath(name, copyPath) {
      const file = await store.open(name)
      if (file === undefined) return undefined
      await pipeline(file, createWriteStream(copyPath, { mode: 0o600, flags: 'wx' }))
      return copyPath
    },

    delete: async (name) => {
      await sendToEnd({ method: 'DELETE', path: pathOf(name) })
    },

    async list(folder) {
      const objectNames: string[] = []
      let token: string | undefined
      do {
        const { keys, next } = await listPage(`${folder}/`, token)
        objectNames.push(...keys.map((key) => key.slice(prefix.length + folder.length + 1)))
        token = next
      } while (token !== undefined)
      return objectNames
    },
  }
  return store
}
