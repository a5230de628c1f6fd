import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUploadService, type UploadService } from './uploads.ts'

let uploadsDir: string
let isDiskFull: boolean
beforeEach(async () => {
  uploadsDir = await mkdtemp(join(tmpdir(), 'varispeed-uploads-'))
  isDiskFull = false
  uploads = createUploadService(uploadsDir, async () => !isDiskFull)
})
afterEach(async () => {
  await uploads.close()
  await rm(uploadsDir, { recursive: true })
})

let uploads: UploadService
const receiveFile = (file: Readable, signal = new AbortController().signal) =>
  uploads.receive(file, { uid: 'ann', name: 'song.mp3', maxPerAccount: 1, signal })

it('uploads: on a full disk an upload is refused and leaves no file', async () => {
  const noDiskSpaceError = { code: 503, retryAfterSeconds: 3600 }
  isDiskFull = true
  await expect(receiveFile(Readable.from([Buffer.from('song')]))).rejects.toMatchObject(noDiskSpaceError)
  isDiskFull = false
  async function* fillDisk() {
    yield Buffer.from('song')
    throw Object.assign(new Error('write'), { code: 'ENOSPC' })
  }
  await expect(receiveFile(Readable.from(fillDisk()))).rejects.toMatchObject(noDiskSpaceError)
  expect(await readdir(uploadsDir)).toEqual([])
})

it('uploads: after the connection closes, the file stays for as long as its handler works', async () => {
  const abortController = new AbortController()
  const receivedUpload = await receiveFile(Readable.from([Buffer.from('song')]), abortController.signal)
  await receivedUpload.useFor(async () => {
    abortController.abort()
    await new Promise((resolve) => setImmediate(resolve))
    expect(await readdir(uploadsDir)).toHaveLength(1)
  })
  expect(await readdir(uploadsDir)).toEqual([])
})

it('uploads: when the process exits, the files of running requests are deleted', async () => {
  await receiveFile(Readable.from([Buffer.from('song')]))
  expect(await readdir(uploadsDir)).toHaveLength(1)
  for (const listener of process.listeners('exit').slice(-1)) listener(0)
  expect(await readdir(uploadsDir)).toEqual([])
})
