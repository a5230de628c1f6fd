import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FileStore, FileStoreError } from './file-store.ts'
import { openFolderStore } from './folder-store.ts'
import type { CallTiming } from './s3-client.ts'
import { openS3Store } from './s3-store.ts'
import { type S3Server, startS3Server } from './testing/s3-server.ts'

const FILE_NAME = 'conversions/a.out'
let folderPath: string
beforeEach(async () => {
  folderPath = await mkdtemp(join(tmpdir(), 'varispeed-files-'))
})
afterEach(() => rm(folderPath, { recursive: true, force: true }))

async function writeTemporaryFile(fileContent: string | Buffer): Promise<string> {
  const path = join(folderPath, 'temporary')
  await writeFile(path, fileContent)
  return path
}
const readAll = async (openedFile: Promise<Readable | undefined>) => {
  const stream = await openedFile
  return stream && (await buffer(stream)).toString('latin1')
}

describe.each(['folder', 'S3'])('a store in a %s', (storeKind) => {
  let server: S3Server | undefined
  let store: FileStore
  beforeEach(async () => {
    server = storeKind === 'S3' ? await startS3Server(join(folderPath, 's3')) : undefined
    store = server === undefined ? await openFolderStore(join(folderPath, 'data')) : await openS3Store(server.settings)
  })
  afterEach(() => server?.stop())

  test('file store: a stored file is read back, in full and in parts, and replaced as a whole', async () => {
    await store.put(FILE_NAME, '0123456789')
    expect(await readAll(store.open(FILE_NAME))).toBe('0123456789')
    expect(await readAll(store.open(FILE_NAME, { start: 2, end: 4 }))).toBe('234')
    expect(await readAll(store.open(FILE_NAME, { start: 9, end: 9 }))).toBe('9')
    expect(await store.size(FILE_NAME)).toBe(10)
    await store.put(FILE_NAME, 'new')
    expect(await readAll(store.open(FILE_NAME))).toBe('new')
  })

  test('file store: a file of this machine is moved in', async () => {
    const fileContent = Buffer.alloc(3_000_000, 'sound ')
    const filePath = await writeTemporaryFile(fileContent)
    await store.moveIn(filePath, FILE_NAME)
    expect(existsSync(filePath)).toBe(false)
    expect(await store.size(FILE_NAME)).toBe(fileContent.length)
    expect(await readAll(store.open(FILE_NAME))).toBe(fileContent.toString())
    expect(await readAll(store.open(FILE_NAME, { start: 2_999_990, end: 2_999_999 }))).toBe(fileContent.subarray(-10).toString())
  })

  test('file store: a program of this machine can read a file', async () => {
    await store.put(FILE_NAME, 'sound')
    const path = await store.localPath(FILE_NAME, join(folderPath, 'copy'))
    expect(await readFile(path ?? '', 'utf8')).toBe('sound')
    expect(await store.localPath('conversions/none', join(folderPath, 'other'))).toBeUndefined()
  })

  test('file store: a missing file has no content, no size, and can be deleted', async () => {
    expect(await store.open(FILE_NAME)).toBeUndefined()
    expect(await store.open(FILE_NAME, { start: 0, end: 1 })).toBeUndefined()
    expect(await store.size(FILE_NAME)).toBeUndefined()
    expect(await store.list('conversions')).toEqual([])
    await store.delete(FILE_NAME)
    await store.put(FILE_NAME, 'x')
    await store.delete(FILE_NAME)
    expect(await store.open(FILE_NAME)).toBeUndefined()
  })

  test('file store: a folder lists its own files only', async () => {
    const fileNames = ['a.in', 'a.out', 'b.out']
    for (const name of fileNames) await store.put(`conversions/${name}`, name)
    await store.put('conversions-of-others/c.out', 'c')
    await store.put('identity/keys.json', '{}')
    expect((await store.list('conversions')).sort()).toEqual(fileNames)
  })

  test('file store: a stream that nobody reads to its end does no harm', async () => {
    await store.moveIn(await writeTemporaryFile(Buffer.alloc(3_000_000)), FILE_NAME)
    const unreadStream = await store.open(FILE_NAME)
    unreadStream?.destroy()
    const begunStream = await store.open(FILE_NAME)
    await once(begunStream ?? expect.fail('no file'), 'readable')
    begunStream?.destroy()
    expect(await store.size(FILE_NAME)).toBe(3_000_000)
  })
})

test('file store: files in a folder are readable by their owner only', async () => {
  const folderStore = await openFolderStore(folderPath)
  await folderStore.put('identity/keys.json', '{}')
  expect((await stat(join(folderPath, 'identity'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(folderPath, 'identity/keys.json'))).mode & 0o777).toBe(0o600)
})

describe('a failing S3 service', () => {
  const settings = { bucket: 'bucket', prefix: '', region: 'us-east-1', accessKeyId: 'an-id', secretAccessKey: 'hunter2' }
  const closeFunctions: (() => void)[] = []
  afterEach(() => {
    for (const close of closeFunctions.splice(0)) close()
  })

  /** Starts a service that lists nothing and answers all other requests with `answerRequest`. */
  async function openFailingStore(answerRequest: RequestListener, timing?: CallTiming): Promise<FileStore> {
    const server = createServer((request, response) => {
      if (request.url?.includes('list-type') === true) response.end('<ListBucketResult/>')
      else answerRequest(request, response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closeFunctions.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return openS3Store({ ...settings, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, timing)
  }

  test('file store: a bucket is opened only with the right key, and the error names bucket and reason, but not the key', async () => {
    const server = await startS3Server(join(folderPath, 's3'))
    closeFunctions.push(() => void server.stop())
    const expectedErrors = [
      await openS3Store({ ...server.settings, secretAccessKey: 'hunter2' }).catch((error: Error) => error),
      await openS3Store({ ...server.settings, bucket: 'missing' }).catch((error: Error) => error),
      await openS3Store({ ...settings, endpoint: 'http://127.0.0.1:1' }).catch((error: Error) => error),
    ]
    for (const error of expectedErrors) expect(error).toBeInstanceOf(FileStoreError)
    expect(expectedErrors.map((error) => (error instanceof Error ? error.message.replace(/ at \S+:/, '') : ''))).toEqual([
      "FILE_STORE: bucket 'varispeed-files' answers 403 SignatureDoesNotMatch",
      "FILE_STORE: bucket 'missing' answers 404 NoSuchBucket",
      expect.stringMatching(/^FILE_STORE: bucket 'bucket' \S/),
    ])
    expect(JSON.stringify(expectedErrors.map((error) => [String(error), error]))).not.toContain('hunter2')
  })

  test('file store: a call that fails temporarily is repeated; the file is sent again from its beginning', async () => {
    const requestBodies: string[] = []
    const failingStore = await openFailingStore(async (request, response) => {
      requestBodies.push((await buffer(request)).toString())
      response.writeHead(requestBodies.length < 3 ? 503 : 200).end()
    })
    const path = await writeTemporaryFile('sound')
    await failingStore.moveIn(path, FILE_NAME)
    expect(requestBodies).toEqual(['sound', 'sound', 'sound'])
  })

  test('file store: a long list is read page by page', async () => {
    const pageByToken = new Map([
      ['', '<Key>conversions/a.in</Key><NextContinuationToken>1+/=&amp;</NextContinuationToken>'],
      ['1+/=&', '<Key>conversions/b.in</Key><Key>conversions/c.out</Key>'],
    ])
    const server = createServer(({ url = '' }, response) => {
      const token = new URL(url, 'http://localhost').searchParams.get('continuation-token') ?? ''
      response.end(`<ListBucketResult>${pageByToken.get(token) ?? ''}</ListBucketResult>`)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closeFunctions.push(() => void server.close().closeAllConnections())
    const store = await openS3Store({ ...settings, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
    expect(await store.list('conversions')).toEqual(['a.in', 'b.in', 'c.out'])
  })

  test('file store: a file that cannot be stored stays where it is', async () => {
    const failingStore = await openFailingStore((_request, response) => response.writeHead(403).end('<Code>AccessDenied</Code>'))
    const path = await writeTemporaryFile('sound')
    await expect(failingStore.moveIn(path, FILE_NAME)).rejects.toThrow('answers 403 AccessDenied')
    expect(await readFile(path, 'utf8')).toBe('sound')
  })

  test('file store: after an answer of 404 to a PUT, whatever its code, the file stays where it is', async () => {
    const path = await writeTemporaryFile('sound')
    for (const code of ['', '<Code>NoSuchKey</Code>', '<Code>NoSuchUpload</Code>']) {
      const failingStore = await openFailingStore((_request, response) => response.writeHead(404).end(code))
      await expect(failingStore.moveIn(path, FILE_NAME)).rejects.toThrow('answers 404')
      await expect(failingStore.put(FILE_NAME, 'x')).rejects.toThrow('answers 404')
    }
    expect(await readFile(path, 'utf8')).toBe('sound')
  })

  test('file store: a 404 of something else than the service, such as a proxy, does not mean that a file is missing', async () => {
    const failingStore = await openFailingStore((_request, response) => response.writeHead(404).end('<h1>Not found</h1>'))
    await expect(failingStore.open(FILE_NAME)).rejects.toThrow('answers 404')
    await expect(failingStore.localPath(FILE_NAME, join(folderPath, 'copy'))).rejects.toThrow('answers 404')
  })

  test('file store: a file that was deleted while it was stored counts as stored', async () => {
    const path = await writeTemporaryFile('sound')
    const store = await openFailingStore(async (request, response) => {
      await buffer(request)
      await rm(path)
      response.end()
    })
    await expect(store.moveIn(path, FILE_NAME)).resolves.toBeUndefined()
  })

  test('file store: a file that ends early is an error, not a short file', async () => {
    const failingStore = await openFailingStore((_request, response) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('01234', () => response.destroy())
    })
    await expect(readAll(failingStore.open(FILE_NAME))).rejects.toBeInstanceOf(FileStoreError)
    await expect(failingStore.localPath(FILE_NAME, join(folderPath, 'copy'))).rejects.toBeInstanceOf(FileStoreError)
  })

  test('file store: a service that falls silent ends the call', async () => {
    const answerRequest: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('0')
    }
    const store = await openFailingStore(answerRequest, { stallMs: 1000, retryPausesMs: [] })
    await expect(readAll(store.open(FILE_NAME))).rejects.toThrow('nothing moved for 1 s')
  })

  test('file store: an incomplete copy does not remain in the folder of the store', async () => {
    const store = await openFolderStore(folderPath)
    await expect(store.put('identity', 'x').then(() => store.put('identity/keys.json', 'x'))).rejects.toThrow()
    expect(await readdir(folderPath)).toEqual(['identity'])
  })
})
