import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RECEIVED_FILES_CACHE } from '../../contract/caches.ts'
import { RECEIVED_FILE_MAX_AGE_MS } from '../../contract/received-file.ts'
// The service worker's functions for shared files can also be called outside of a worker.
import { deleteExpiredFile, storeSharedFile } from '../../sw/shared-file.ts'
import { createReceivedFiles } from './received-files.ts'

const NOW_MS = 1_800_000_000_000
let nowMs = NOW_MS
beforeEach(async () => {
  nowMs = NOW_MS
  await caches.delete(RECEIVED_FILES_CACHE)
})
afterEach(async () => {
  await caches.delete(RECEIVED_FILES_CACHE)
})

const openReceivedFiles = (takenWithinMs = 0) => createReceivedFiles({ nowMs: () => nowMs, takenWithinMs })
const createSharedFilesForm = (...files: File[]) => {
  const body = new FormData()
  body.set('title', 'A song')
  for (const file of files) body.append('file', file)
  return new Request('/account/maker', { method: 'POST', body })
}
const songFile = new File(['RIFF'], 'Café – 1.wav', { type: 'audio/wav' })
const textFile = new File(['words'], 'words.txt', { type: 'text/plain' })
const untypedFile = new File(['ID3'], 'song.MP3')
const countCachedFiles = async () => (await (await caches.open(RECEIVED_FILES_CACHE)).keys()).length

async function createHandles(...files: File[]): Promise<FileSystemFileHandle[]> {
  const rootFolder = await navigator.storage.getDirectory()
  return Promise.all(
    files.map(async (sentFile) => {
      const fileHandle = await rootFolder.getFileHandle(sentFile.name, { create: true })
      const writable = await fileHandle.createWritable()
      await writable.write(sentFile)
      await writable.close()
      return fileHandle
    }),
  )
}

it('a shared file is returned once, also in another page and after a reload', async () => {
  expect(await storeSharedFile(createSharedFilesForm(songFile), nowMs)).toBe(true)
  nowMs += RECEIVED_FILE_MAX_AGE_MS
  const takenFile = await openReceivedFiles().take()
  expect([takenFile?.name, takenFile?.blob.type, await takenFile?.blob.text()]).toEqual(['Café – 1.wav', 'audio/wav', 'RIFF'])
  expect(await openReceivedFiles().take()).toBeUndefined()
  expect(await countCachedFiles()).toBe(0)
})

it.each([
  [[textFile, songFile, untypedFile], 'Café – 1.wav'],
  [[textFile, untypedFile], 'song.MP3'],
  [[textFile], 'words.txt'],
])('the first audio file of several files is taken, else the first file', async (files, expectedName) => {
  await storeSharedFile(createSharedFilesForm(...files), nowMs)
  expect((await openReceivedFiles().take())?.name).toBe(expectedName)
})

it('if no file was shared, nothing is cached', async () => {
  expect(await storeSharedFile(createSharedFilesForm(), nowMs)).toBe(false)
  expect(await openReceivedFiles().take()).toBeUndefined()
})

it('the latest shared file is returned, but no file that has waited for more than a day', async () => {
  await storeSharedFile(createSharedFilesForm(textFile), nowMs)
  await storeSharedFile(createSharedFilesForm(songFile), nowMs)
  expect((await openReceivedFiles().take())?.name).toBe('Café – 1.wav')
  for (const ageMs of [RECEIVED_FILE_MAX_AGE_MS + 1, -RECEIVED_FILE_MAX_AGE_MS - 1]) {
    await storeSharedFile(createSharedFilesForm(songFile), NOW_MS)
    nowMs = NOW_MS + ageMs
    expect(await openReceivedFiles().take()).toBeUndefined()
    expect(await countCachedFiles()).toBe(0)
  }
})

it('the service worker deletes a shared file that no page has taken', async () => {
  await storeSharedFile(createSharedFilesForm(songFile), nowMs)
  await deleteExpiredFile(nowMs + RECEIVED_FILE_MAX_AGE_MS)
  expect(await countCachedFiles()).toBe(1)
  await deleteExpiredFile(nowMs + RECEIVED_FILE_MAX_AGE_MS + 1)
  expect(await countCachedFiles()).toBe(0)
})

it('a file that a person opens with the app is passed to an open page of the maker and is not stored', async () => {
  const receivedFiles = openReceivedFiles()
  const onReceived = vi.fn()
  const stopListening = receivedFiles.onReceived(onReceived)
  await receivedFiles.receive(await createHandles(textFile, songFile))
  expect(onReceived.mock.calls.map(([{ name }]) => name)).toEqual(['Café – 1.wav'])
  expect(await receivedFiles.take()).toBeUndefined()
  stopListening()
  await receivedFiles.receive(await createHandles(songFile))
  expect(onReceived).toHaveBeenCalledTimes(1)
})

it('a file that is opened before the maker is open is cached, but only if the maker does not take it soon', async () => {
  const receivedFiles = openReceivedFiles(50)
  await receivedFiles.receive(await createHandles(songFile))
  expect(await countCachedFiles()).toBe(0)
  expect(await (await receivedFiles.take())?.blob.text()).toBe('RIFF')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await countCachedFiles(), 'taken').toBe(0)

  await receivedFiles.receive(await createHandles(songFile))
  await vi.waitFor(async () => expect(await countCachedFiles()).toBe(1))
  // Checks that the same page gets the file from memory, and another page from the cache.
  expect((await receivedFiles.take())?.name).toBe('Café – 1.wav')
  expect(await countCachedFiles()).toBe(0)
  await receivedFiles.receive(await createHandles(untypedFile))
  await vi.waitFor(async () => expect(await countCachedFiles()).toBe(1))
  expect(await (await openReceivedFiles().take())?.blob.text()).toBe('ID3')
})
