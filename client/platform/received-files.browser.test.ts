import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RECEIVED_FILES } from '../../contract/caches.ts'
import { WAITS_MAX_MS } from '../../contract/received-file.ts'
// What the worker does with a shared file needs no worker.
import { dropOldFile, keepSharedFile } from '../../sw/shared-file.ts'
import { createReceivedFiles } from './received-files.ts'

const NOW = 1_800_000_000_000
let now = NOW
beforeEach(async () => {
  now = NOW
  await caches.delete(RECEIVED_FILES)
})
afterEach(async () => {
  await caches.delete(RECEIVED_FILES)
})

const open = (takenWithinMs = 0) => createReceivedFiles({ nowMs: () => now, takenWithinMs })
const shared = (...files: File[]) => {
  const body = new FormData()
  body.set('title', 'A song')
  for (const file of files) body.append('file', file)
  return new Request('/account/maker', { method: 'POST', body })
}
const song = new File(['RIFF'], 'Café – 1.wav', { type: 'audio/wav' })
const text = new File(['words'], 'words.txt', { type: 'text/plain' })
const untyped = new File(['ID3'], 'song.MP3')
const waits = async () => (await (await caches.open(RECEIVED_FILES)).keys()).length

async function handlesOf(...files: File[]): Promise<FileSystemFileHandle[]> {
  const root = await navigator.storage.getDirectory()
  return Promise.all(
    files.map(async (file) => {
      const handle = await root.getFileHandle(file.name, { create: true })
      const writable = await handle.createWritable()
      await writable.write(file)
      await writable.close()
      return handle
    }),
  )
}

it('gives a shared file once, in another page and after a reload as well', async () => {
  expect(await keepSharedFile(shared(song), now)).toBe(true)
  now += WAITS_MAX_MS
  const file = await open().take()
  expect([file?.name, file?.blob.type, await file?.blob.text()]).toEqual(['Café – 1.wav', 'audio/wav', 'RIFF'])
  expect(await open().take()).toBeUndefined()
  expect(await waits()).toBe(0)
})

it.each([
  [[text, song, untyped], 'Café – 1.wav'],
  [[text, untyped], 'song.MP3'],
  [[text], 'words.txt'],
])('of several files gives the first that is audio, else the first', async (files, name) => {
  await keepSharedFile(shared(...files), now)
  expect((await open().take())?.name).toBe(name)
})

it('keeps nothing where nothing is shared', async () => {
  expect(await keepSharedFile(shared(), now)).toBe(false)
  expect(await open().take()).toBeUndefined()
})

it('gives the newest, and none that has waited for over a day', async () => {
  await keepSharedFile(shared(text), now)
  await keepSharedFile(shared(song), now)
  expect((await open().take())?.name).toBe('Café – 1.wav')
  for (const ms of [WAITS_MAX_MS + 1, -WAITS_MAX_MS - 1]) {
    await keepSharedFile(shared(song), NOW)
    now = NOW + ms
    expect(await open().take()).toBeUndefined()
    expect(await waits()).toBe(0)
  }
})

it('the worker drops what nobody came for', async () => {
  await keepSharedFile(shared(song), now)
  await dropOldFile(now + WAITS_MAX_MS)
  expect(await waits()).toBe(1)
  await dropOldFile(now + WAITS_MAX_MS + 1)
  expect(await waits()).toBe(0)
})

it('a file that is opened goes to the maker that is open, and waits for nobody then', async () => {
  const files = open()
  const heard = vi.fn()
  const stop = files.onReceived(heard)
  await files.receive(await handlesOf(text, song))
  expect(heard.mock.calls.map(([{ name }]) => name)).toEqual(['Café – 1.wav'])
  expect(await files.take()).toBeUndefined()
  stop()
  await files.receive(await handlesOf(song))
  expect(heard).toHaveBeenCalledTimes(1)
})

it('a file that is opened before the maker is not copied, unless it has to wait', async () => {
  const files = open(50)
  await files.receive(await handlesOf(song))
  expect(await waits()).toBe(0)
  expect(await (await files.take())?.blob.text()).toBe('RIFF')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await waits(), 'taken').toBe(0)

  await files.receive(await handlesOf(song))
  await vi.waitFor(async () => expect(await waits()).toBe(1))
  // The same page takes it where it lies, another one from the cache.
  expect((await files.take())?.name).toBe('Café – 1.wav')
  expect(await waits()).toBe(0)
  await files.receive(await handlesOf(untyped))
  await vi.waitFor(async () => expect(await waits()).toBe(1))
  expect(await (await open().take())?.blob.text()).toBe('ID3')
})
