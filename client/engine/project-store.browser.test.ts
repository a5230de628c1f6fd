import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProjectStore } from './project-store.ts'
import { fileOf } from './testing/fixtures.ts'

const SETTINGS = { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 3 }
const BYTES = Uint8Array.from({ length: 5000 }, (_, index) => index % 251)
const file = fileOf('song.mp3', BYTES, 'audio/mpeg')

const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('maker', { create: true })

async function names(): Promise<string[]> {
  const found: string[] = []
  for await (const name of (await folder()).keys()) found.push(name)
  return found.sort()
}

async function writeIndex(text: string) {
  const stream = await (await (await folder()).getFileHandle('project.json', { create: true })).createWritable()
  await stream.write(text)
  await stream.close()
}

const readIndex = async () => (await (await (await folder()).getFileHandle('project.json')).getFile()).text()

/** As on a device with so much room; a quota of the browser's own would hold for every test that runs beside this one. */
function limitRoom(bytes: number) {
  const { write } = FileSystemWritableFileStream.prototype
  vi.spyOn(FileSystemWritableFileStream.prototype, 'write').mockImplementation(function (this: FileSystemWritableFileStream, data) {
    const size = data instanceof Blob ? data.size : typeof data === 'string' ? data.length : 0
    return size > bytes ? Promise.reject(new DOMException('full', 'QuotaExceededError')) : write.call(this, data)
  })
}

beforeEach(async () => (await navigator.storage.getDirectory()).removeEntry('maker', { recursive: true }).catch(() => {}))
afterEach(() => vi.restoreAllMocks())

test('what was saved is loaded, by another page too', async () => {
  const store = createProjectStore()
  expect(await store.load()).toBeUndefined()
  expect(await store.save(file, SETTINGS)).toBe(true)
  for (const any of [store, createProjectStore()]) {
    const project = await any.load()
    expect(project).toMatchObject({ file: { name: 'song.mp3' }, settings: SETTINGS, bpm: undefined })
    expect(project?.file.blob.type).toBe('audio/mpeg')
    expect(new Uint8Array((await project?.file.blob.arrayBuffer()) ?? new ArrayBuffer())).toEqual(BYTES)
  }
  expect(await store.usedBytes()).toBeGreaterThan(5000)
  await store.clear()
  expect(await store.load()).toBeUndefined()
  expect(await store.usedBytes()).toBe(0)
})

test('what one person keeps is not there for another, who keeps their own in its place', async () => {
  const [mine, theirs] = [createProjectStore('mine'), createProjectStore('theirs')]
  await mine.save(file, SETTINGS)
  expect(await theirs.load()).toBeUndefined()
  expect((await mine.load())?.file.name).toBe('song.mp3')
  await theirs.save(fileOf('their.mp3', 'their'), SETTINGS)
  expect(await mine.load()).toBeUndefined()
  expect(await names()).toHaveLength(2)
})

test('settings and tempo are kept a little later, or when asked', async () => {
  const store = createProjectStore()
  await store.save(file, SETTINGS)
  store.saveSettings({ ...SETTINGS, speed: 0.5 })
  store.saveSettings({ ...SETTINGS, speed: 0.8 })
  expect(await store.load()).toMatchObject({ settings: { speed: 1.25 } })
  await expect.poll(() => store.load()).toMatchObject({ settings: { ...SETTINGS, speed: 0.8 }, bpm: undefined })
  store.saveBpm(128)
  await store.flush()
  expect(await store.load()).toMatchObject({ settings: { speed: 0.8 }, bpm: 128 })
})

test('a loop is kept with the file it is of, and what is none is not', async () => {
  const store = createProjectStore()
  const loop = { on: false, startS: 1.5, endS: 2 }
  await store.save(file, SETTINGS)
  store.saveLoop(loop)
  await store.flush()
  expect((await store.load())?.loop).toEqual(loop)
  await writeIndex(JSON.stringify({ ...JSON.parse(await readIndex()), loop: { on: true, startS: 'a' } }))
  expect(await store.load()).toMatchObject({ loop: undefined, settings: SETTINGS })
  await store.save(file, SETTINGS)
  expect((await store.load())?.loop).toBeUndefined()
})

test('one file is kept, the last', async () => {
  const store = createProjectStore()
  await store.save(file, SETTINGS)
  const first = await names()
  await store.save(fileOf('other.wav', 'other'), SETTINGS)
  expect(await names()).toHaveLength(2)
  expect(await names()).not.toEqual(first)
  expect((await store.load())?.file.name).toBe('other.wav')
})

test('of two tabs the last wins, and the other does not put its settings to a file that is not its own', async () => {
  const [one, two] = [createProjectStore(), createProjectStore()]
  await Promise.all([one.save(file, SETTINGS), two.save(fileOf('two.mp3', 'two'), { ...SETTINGS, speed: 2 })])
  one.saveSettings({ ...SETTINGS, speed: 0.1 })
  one.saveBpm(99)
  await one.flush()
  expect(await one.load()).toMatchObject({ file: { name: 'two.mp3' }, settings: { speed: 2 }, bpm: undefined })
  const three = createProjectStore()
  await three.clear()
  expect((await two.load())?.file.name).toBe('two.mp3')
  await Promise.all([one.clear(), two.save(file, SETTINGS), one.save(file, SETTINGS), two.clear(), two.usedBytes(), one.clear()])
  expect(await one.load()).toBeUndefined()
})

test.each([
  ['an index that is no JSON', '{"source": "x'],
  ['an index of another shape', '[1, 2]'],
  ['an index that names a missing file', '{"owner": "", "source": "gone", "sourceBytes": 3, "name": "a.mp3", "type": "", "settings": {}}'],
])('%s is no project, and the next is kept', async (_, text) => {
  const store = createProjectStore()
  await writeIndex(text)
  expect(await store.load()).toBeUndefined()
  expect(await store.save(file, SETTINGS)).toBe(true)
  expect((await store.load())?.settings).toEqual(SETTINGS)
})

test('a file that was cut short is no project', async () => {
  const store = createProjectStore()
  await store.save(file, SETTINGS)
  const [name = ''] = (await names()).filter((each) => each !== 'project.json')
  const stream = await (await (await folder()).getFileHandle(name)).createWritable({ keepExistingData: false })
  await stream.write('less')
  await stream.close()
  expect(await store.load()).toBeUndefined()
})

test('whenever it is ended, what is kept is whole', async () => {
  const store = createProjectStore()
  let whole = 0
  for (let round = 0; round < 15; round++) {
    const worker = new Worker(new URL('./testing/saving-worker.ts', import.meta.url), { type: 'module' })
    worker.postMessage('begin')
    await new Promise((resolve) => {
      worker.onmessage = resolve
    })
    await new Promise((resolve) => setTimeout(resolve, round * 2))
    worker.terminate()
    const project = await store.load()
    if (project === undefined) continue
    whole += 1
    const bytes = new Uint8Array(await project.file.blob.arrayBuffer())
    const number = bytes.length - 300_000
    expect(project).toMatchObject({ file: { name: `${number}.mp3` }, settings: { bassDb: number } })
    expect(bytes.every((byte) => byte === number)).toBe(true)
  }
  expect(whole).toBe(15)
  await store.save(file, SETTINGS)
  expect(await names()).toHaveLength(2)
})

test('where the disk is full it says so, and keeps nothing', async () => {
  const store = createProjectStore()
  await store.save(file, SETTINGS)
  limitRoom(200_000)
  expect(await store.save(fileOf('large.mp3', new Uint8Array(1_000_000)), SETTINGS)).toBe(false)
  expect(await store.load()).toBeUndefined()
  expect(await store.save(file, SETTINGS)).toBe(true)
})

test('without files nothing is kept, and nothing fails', async () => {
  vi.spyOn(navigator.storage, 'getDirectory').mockRejectedValue(new DOMException('not here', 'SecurityError'))
  const store = createProjectStore()
  expect(await store.save(file, SETTINGS)).toBe(false)
  store.saveSettings(SETTINGS)
  await store.flush()
  expect(await store.load()).toBeUndefined()
  expect(await store.usedBytes()).toBe(0)
  await store.clear()
})
