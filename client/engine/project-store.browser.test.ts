import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProjectStore } from './project-store.ts'
import { createSoundFile } from './testing/fixtures.ts'

const PROJECT_SETTINGS = { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 3 }
const FILE_BYTES = Uint8Array.from({ length: 5000 }, (_, index) => index % 251)
const file = createSoundFile('song.mp3', FILE_BYTES, 'audio/mpeg')

const openFolder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('maker', { create: true })

async function listFiles(): Promise<string[]> {
  const foundNames: string[] = []
  for await (const name of (await openFolder()).keys()) foundNames.push(name)
  return foundNames.sort()
}

async function writeIndex(text: string) {
  const stream = await (await (await openFolder()).getFileHandle('project.json', { create: true })).createWritable()
  await stream.write(text)
  await stream.close()
}

const readIndex = async () => (await (await (await openFolder()).getFileHandle('project.json')).getFile()).text()

/** Simulates a storage quota, because the browser's own quota would also apply to tests that run at the same time. */
function limitStorage(bytes: number) {
  const { write: originalWrite } = FileSystemWritableFileStream.prototype
  vi.spyOn(FileSystemWritableFileStream.prototype, 'write').mockImplementation(function (this: FileSystemWritableFileStream, data) {
    const size = data instanceof Blob ? data.size : typeof data === 'string' ? data.length : 0
    return size > bytes ? Promise.reject(new DOMException('full', 'QuotaExceededError')) : originalWrite.call(this, data)
  })
}

beforeEach(async () => (await navigator.storage.getDirectory()).removeEntry('maker', { recursive: true }).catch(() => {}))
afterEach(() => vi.restoreAllMocks())

test('project store: a saved project can be loaded, also by another page', async () => {
  const store = createProjectStore()
  expect(await store.load()).toBeUndefined()
  expect(await store.save(file, PROJECT_SETTINGS)).toBe(true)
  for (const eachStore of [store, createProjectStore()]) {
    const project = await eachStore.load()
    expect(project).toMatchObject({ file: { name: 'song.mp3' }, settings: PROJECT_SETTINGS, bpm: undefined })
    expect(project?.file.blob.type).toBe('audio/mpeg')
    expect(new Uint8Array((await project?.file.blob.arrayBuffer()) ?? new ArrayBuffer())).toEqual(FILE_BYTES)
  }
  expect(await store.usedBytes()).toBeGreaterThan(5000)
  await store.clear()
  expect(await store.load()).toBeUndefined()
  expect(await store.usedBytes()).toBe(0)
})

test('project store: another account cannot load the project, and saving its own replaces it', async () => {
  const [myStore, theirStore] = [createProjectStore('mine'), createProjectStore('theirs')]
  await myStore.save(file, PROJECT_SETTINGS)
  expect(await theirStore.load()).toBeUndefined()
  expect((await myStore.load())?.file.name).toBe('song.mp3')
  await theirStore.save(createSoundFile('their.mp3', 'their'), PROJECT_SETTINGS)
  expect(await myStore.load()).toBeUndefined()
  expect(await listFiles()).toHaveLength(2)
})

test('project store: settings and tempo are saved after a delay, or immediately by flush', async () => {
  const store = createProjectStore()
  await store.save(file, PROJECT_SETTINGS)
  store.saveSettings({ ...PROJECT_SETTINGS, speed: 0.5 })
  store.saveSettings({ ...PROJECT_SETTINGS, speed: 0.8 })
  expect(await store.load()).toMatchObject({ settings: { speed: 1.25 } })
  await expect.poll(() => store.load()).toMatchObject({ settings: { ...PROJECT_SETTINGS, speed: 0.8 }, bpm: undefined })
  store.saveBpm(128)
  await store.flush()
  expect(await store.load()).toMatchObject({ settings: { speed: 0.8 }, bpm: 128 })
})

test('project store: a loop is saved with its file; an invalid one is ignored', async () => {
  const store = createProjectStore()
  const loop = { on: false, startS: 1.5, endS: 2 }
  await store.save(file, PROJECT_SETTINGS)
  store.saveLoop(loop)
  await store.flush()
  expect((await store.load())?.loop).toEqual(loop)
  await writeIndex(JSON.stringify({ ...JSON.parse(await readIndex()), loop: { on: true, startS: 'a' } }))
  expect(await store.load()).toMatchObject({ loop: undefined, settings: PROJECT_SETTINGS })
  await store.save(file, PROJECT_SETTINGS)
  expect((await store.load())?.loop).toBeUndefined()
})

test('project store: only the last file is stored', async () => {
  const store = createProjectStore()
  await store.save(file, PROJECT_SETTINGS)
  const firstFiles = await listFiles()
  await store.save(createSoundFile('other.wav', 'other'), PROJECT_SETTINGS)
  expect(await listFiles()).toHaveLength(2)
  expect(await listFiles()).not.toEqual(firstFiles)
  expect((await store.load())?.file.name).toBe('other.wav')
})

test('project store: if two tabs save, the last save wins, and the other tab no longer changes the stored settings', async () => {
  const [firstStore, secondStore] = [createProjectStore(), createProjectStore()]
  await Promise.all([
    firstStore.save(file, PROJECT_SETTINGS),
    secondStore.save(createSoundFile('two.mp3', 'two'), { ...PROJECT_SETTINGS, speed: 2 }),
  ])
  firstStore.saveSettings({ ...PROJECT_SETTINGS, speed: 0.1 })
  firstStore.saveBpm(99)
  await firstStore.flush()
  expect(await firstStore.load()).toMatchObject({ file: { name: 'two.mp3' }, settings: { speed: 2 }, bpm: undefined })
  const thirdStore = createProjectStore()
  await thirdStore.clear()
  expect((await secondStore.load())?.file.name).toBe('two.mp3')
  await Promise.all([
    firstStore.clear(),
    secondStore.save(file, PROJECT_SETTINGS),
    firstStore.save(file, PROJECT_SETTINGS),
    secondStore.clear(),
    secondStore.usedBytes(),
    firstStore.clear(),
  ])
  expect(await firstStore.load()).toBeUndefined()
})

test.each([
  ['an index of invalid JSON', '{"source": "x'],
  ['an index of another shape', '[1, 2]'],
  ['an index that names a missing file', '{"owner": "", "source": "gone", "sourceBytes": 3, "name": "a.mp3", "type": "", "settings": {}}'],
])('project store: %s is ignored, and the next project is saved', async (_, text) => {
  const store = createProjectStore()
  await writeIndex(text)
  expect(await store.load()).toBeUndefined()
  expect(await store.save(file, PROJECT_SETTINGS)).toBe(true)
  expect((await store.load())?.settings).toEqual(PROJECT_SETTINGS)
})

test('project store: a stored file is ignored if its size is not the saved size', async () => {
  const store = createProjectStore()
  await store.save(file, PROJECT_SETTINGS)
  const [name = ''] = (await listFiles()).filter((each) => each !== 'project.json')
  const stream = await (await (await openFolder()).getFileHandle(name)).createWritable({ keepExistingData: false })
  await stream.write('less')
  await stream.close()
  expect(await store.load()).toBeUndefined()
})

test('project store: after an interrupted save, the stored project is still complete', async () => {
  const store = createProjectStore()
  let completeProjects = 0
  for (let round = 0; round < 15; round++) {
    const worker = new Worker(new URL('./workers/testing/saving-worker.ts', import.meta.url), { type: 'module' })
    worker.postMessage('begin')
    await new Promise((resolve) => {
      worker.onmessage = resolve
    })
    await new Promise((resolve) => setTimeout(resolve, round * 2))
    worker.terminate()
    const project = await store.load()
    if (project === undefined) continue
    completeProjects += 1
    const bytes = new Uint8Array(await project.file.blob.arrayBuffer())
    const savedRound = bytes.length - 300_000
    expect(project).toMatchObject({ file: { name: `${savedRound}.mp3` }, settings: { bassDb: savedRound } })
    expect(bytes.every((byte) => byte === savedRound)).toBe(true)
  }
  expect(completeProjects).toBe(15)
  await store.save(file, PROJECT_SETTINGS)
  expect(await listFiles()).toHaveLength(2)
})

test('project store: if the storage is full, save returns false and no project is stored', async () => {
  const store = createProjectStore()
  await store.save(file, PROJECT_SETTINGS)
  limitStorage(200_000)
  expect(await store.save(createSoundFile('large.mp3', new Uint8Array(1_000_000)), PROJECT_SETTINGS)).toBe(false)
  expect(await store.load()).toBeUndefined()
  expect(await store.save(file, PROJECT_SETTINGS)).toBe(true)
})

test('project store: without a private file system nothing is saved, and no call rejects', async () => {
  vi.spyOn(navigator.storage, 'getDirectory').mockRejectedValue(new DOMException('not here', 'SecurityError'))
  const store = createProjectStore()
  expect(await store.save(file, PROJECT_SETTINGS)).toBe(false)
  store.saveSettings(PROJECT_SETTINGS)
  await store.flush()
  expect(await store.load()).toBeUndefined()
  expect(await store.usedBytes()).toBe(0)
  await store.clear()
})
