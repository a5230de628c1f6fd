import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EARLIER_PROJECT_FOLDER, PROJECT_FOLDER } from '../engine.ts'
import { createSoundFile } from '../testing/fixtures.ts'
import { createProjectStore } from './project-store.ts'
import { openLastProject, openProject } from './testing/open-project.ts'

const SETTINGS = { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 3 }
const FILE_BYTES = Uint8Array.from({ length: 5000 }, (_, index) => index % 251)
const songFile = createSoundFile('song.mp3', FILE_BYTES, 'audio/mpeg')

const openRoot = () => navigator.storage.getDirectory()
const openFolder = async (name = PROJECT_FOLDER) => (await openRoot()).getDirectoryHandle(name, { create: true })

async function listFiles(): Promise<string[]> {
  const names: string[] = []
  for await (const name of (await openFolder()).keys()) names.push(name)
  return names.sort()
}

async function writeEarlierFile(fileName: string, fileContent: BlobPart) {
  const stream = await (await (await openFolder(EARLIER_PROJECT_FOLDER)).getFileHandle(fileName, { create: true })).createWritable()
  await stream.write(new Blob([fileContent]))
  await stream.close()
}

const openStores: ReturnType<typeof createProjectStore>[] = []
function openStore(ownerId = '') {
  const store = createProjectStore({ ownerId })
  openStores.push(store)
  return store
}

beforeEach(async () => {
  for (const name of [PROJECT_FOLDER, EARLIER_PROJECT_FOLDER])
    await (await openRoot()).removeEntry(name, { recursive: true }).catch(() => {})
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const store of openStores.splice(0)) await store.dispose()
})

test('project store: a saved project is listed, and loaded by the next page', async () => {
  const store = openStore()
  expect(await openLastProject(store)).toBeUndefined()
  expect(await store.save(songFile, SETTINGS, { title: 'Sweep', artist: 'Fixture', lengthS: 61 })).toBe(true)
  await store.saveCover(Promise.resolve(new Blob(['picture'])))
  await store.dispose()
  const nextStore = openStore()
  const project = await openLastProject(nextStore)
  expect(project).toMatchObject({ file: { name: 'song.mp3' }, settings: SETTINGS, bpm: undefined, loop: undefined })
  expect(project?.file.blob.type).toBe('audio/mpeg')
  expect(new Uint8Array((await project?.file.blob.arrayBuffer()) ?? new ArrayBuffer())).toEqual(FILE_BYTES)
  const [summary] = await nextStore.library.list()
  expect(summary).toMatchObject({ id: nextStore.openId, title: 'Sweep', artist: 'Fixture', rate: 1.25, lengthS: 61, bytes: 5000 })
  expect(await summary?.cover?.text()).toBe('picture')
})

test('project store: settings, tempo, loop, and the tags, names and level of files are saved after a delay, or immediately by flush', async () => {
  const store = openStore()
  const readingStore = openStore()
  await store.save(songFile, SETTINGS)
  const readRate = async () => (await readingStore.library.list()).map(({ rate }) => rate)
  store.saveSettings({ ...SETTINGS, speed: 0.5 })
  store.saveSettings({ ...SETTINGS, speed: 0.8 })
  expect(await readRate()).toEqual([1.25])
  await expect.poll(readRate).toEqual([0.8])
  store.saveBpm(100)
  store.saveLoop({ on: false, startS: 1.5, endS: 2 })
  const outputOptions = { tags: { title: '夜', artist: '' }, namePattern: '{title}', targetLufs: -14 }
  store.saveOutput(outputOptions)
  await store.flush()
  expect(await readingStore.library.list()).toMatchObject([{ bpm: 80 }])
  await store.dispose()
  expect(await openLastProject(readingStore)).toMatchObject({
    settings: { speed: 0.8 },
    bpm: 100,
    loop: { on: false, startS: 1.5, endS: 2 },
    output: outputOptions,
  })
})

test('project store: a chosen cover replaces the one of the song, in a duplicate too, and can be removed again', async () => {
  const store = openStore()
  await store.save(songFile, SETTINGS)
  await store.saveCover(Promise.resolve(new Blob(['of the song'])))
  store.replaceCover({ picture: new Blob(['chosen']), isCoverChosen: true })
  await store.flush()
  await store.saveCover(Promise.resolve(new Blob(['of the song'])))
  const originalId = store.openId ?? ''
  const copyId = (await store.library.duplicate(originalId)) ?? ''
  for (const projectId of [originalId, copyId]) {
    const { chosenCover } = (await store.read(projectId)) ?? {}
    expect(await chosenCover?.text()).toBe('chosen')
    // The tags of the file state the MIME type of the picture.
    expect(chosenCover?.type).toBe('image/jpeg')
  }
  store.replaceCover({ picture: new Blob(['of the song']), isCoverChosen: false })
  await store.flush()
  expect(await store.read(originalId)).toMatchObject({ chosenCover: undefined })
  expect(await (await store.read(copyId))?.chosenCover?.text()).toBe('chosen')
  const covers = (await store.library.list()).map(async (each) => [each.id, await each.cover?.text()] as const)
  expect(Object.fromEntries(await Promise.all(covers))).toEqual({ [originalId]: 'of the song', [copyId]: 'chosen' })
})

test('project store: another account neither lists nor loads the project', async () => {
  const [ownStore, otherOwnerStore] = [openStore('mine'), openStore('theirs')]
  await ownStore.save(songFile, SETTINGS)
  expect(await otherOwnerStore.library.list()).toEqual([])
  expect(await openLastProject(otherOwnerStore)).toBeUndefined()
  expect(await openProject(otherOwnerStore, ownStore.openId ?? '')).toBeUndefined()
})

test('project store: projects are renamed, duplicated without a second file, deleted and restored; other stores are notified', async () => {
  const store = openStore()
  const otherStore = openStore()
  const onChange = vi.fn()
  await otherStore.library.list()
  otherStore.library.subscribe(onChange)
  await store.save(songFile, SETTINGS)
  const projectId = store.openId ?? ''
  expect(await store.library.rename(projectId, '  A\n new   name ')).toBe(true)
  expect(await store.library.rename(projectId, '   ')).toBe(true)
  const copyId = (await store.library.duplicate(projectId)) ?? ''
  const listTitles = async () => (await otherStore.library.list()).map(({ title }) => title).sort()
  expect(await listTitles()).toEqual(['A new name', 'A new name copy'])
  expect((await listFiles()).filter((name) => name.endsWith('.sound'))).toHaveLength(1)
  expect(await otherStore.library.remove(projectId)).toBe(false)
  expect(await otherStore.library.rename(projectId, 'Not mine')).toBe(false)
  expect(await otherStore.library.remove(copyId)).toBe(true)
  expect(await listTitles()).toEqual(['A new name'])
  expect(await otherStore.library.restore(copyId)).toBe(true)
  expect(await listTitles()).toEqual(['A new name', 'A new name copy'])
  await expect.poll(() => onChange.mock.calls.length).toBeGreaterThan(4)
})

test('project store: a change of a project that another tab has open is saved in a copy', async () => {
  const [firstStore, secondStore] = [openStore(), openStore()]
  await firstStore.save(songFile, SETTINGS)
  expect(await openLastProject(secondStore)).toMatchObject({ settings: { speed: 1.25 } })
  secondStore.saveBpm(90)
  await secondStore.flush()
  expect(secondStore.openId).toBe(firstStore.openId)
  secondStore.saveSettings({ ...SETTINGS, speed: 2 })
  await secondStore.flush()
  firstStore.saveSettings({ ...SETTINGS, speed: 0.5 })
  await firstStore.flush()
  expect((await firstStore.library.list()).map(({ title, rate }) => `${title} ${rate}`).sort()).toEqual(['song 0.5', 'song copy 2'])
})

test('project store: the project of an earlier version opens with its settings', async () => {
  const sourceFileName = '4f9d0c3e-aaaa-4bbb-8ccc-1234567890ab'
  const earlierEdit = { settings: { ...SETTINGS, pitch: -2 }, bpm: 117, loop: { on: false, startS: 1, endS: 2 } }
  await writeEarlierFile(sourceFileName, FILE_BYTES)
  await writeEarlierFile(
    'project.json',
    JSON.stringify({ owner: 'me', source: sourceFileName, sourceBytes: 5000, name: 'old.mp3', type: 'audio/mpeg', ...earlierEdit }),
  )
  const project = await openLastProject(openStore('me'))
  expect(project).toMatchObject({ file: { name: 'old.mp3' }, ...earlierEdit })
  expect(new Uint8Array((await project?.file.blob.arrayBuffer()) ?? new ArrayBuffer())).toEqual(FILE_BYTES)
})

test('project store: after a worker that saves is killed, every project that it reported is complete', { tags: ['long'] }, async () => {
  let savedProjectCount = 0
  for (let round = 0; round < 12; round++) {
    const savingWorker = new Worker(new URL('../workers/testing/saving-worker.ts', import.meta.url), { type: 'module' })
    savingWorker.postMessage('begin')
    await new Promise((resolve) => {
      savingWorker.onmessage = resolve
    })
    await new Promise((resolve) => setTimeout(resolve, round * 2))
    savingWorker.terminate()
    savedProjectCount += 1
    const store = openStore()
    const projects = await store.library.list()
    expect(projects.length).toBeGreaterThanOrEqual(savedProjectCount)
    for (const { id } of projects) {
      const project = await openProject(store, id)
      const soundBytes = new Uint8Array((await project?.file.blob.arrayBuffer()) ?? new ArrayBuffer())
      const savedRound = soundBytes.length - 30_000
      expect(project).toMatchObject({ file: { name: `${savedRound}.mp3` }, settings: { bassDb: savedRound } })
      expect(soundBytes.every((byte) => byte === savedRound)).toBe(true)
    }
    await store.dispose()
  }
})

test('project store: if storage is full, the failure to save is reported, and saved projects stay', async () => {
  const store = openStore()
  const projectStates: unknown[] = []
  store.onState(({ saveProblem }) => projectStates.push(saveProblem))
  await store.save(songFile, SETTINGS)
  const { write } = FileSystemWritableFileStream.prototype
  // The browser's own quota would also apply to tests that run at the same time.
  const fullDisk = vi.spyOn(FileSystemWritableFileStream.prototype, 'write').mockImplementation(function (
    this: FileSystemWritableFileStream,
    recordData,
  ) {
    const size = recordData instanceof Blob ? recordData.size : 0
    return size > 200_000 ? Promise.reject(new DOMException('full', 'QuotaExceededError')) : write.call(this, recordData)
  })
  expect(await store.save(createSoundFile('large.mp3', new Uint8Array(1_000_000)), SETTINGS)).toBe(false)
  expect(projectStates.at(-1)).toBe('no-room')
  fullDisk.mockRestore()
  expect((await openStore().library.list()).map(({ title }) => title)).toEqual(['song'])
  expect(await store.save(songFile, SETTINGS)).toBe(true)
  expect(projectStates.at(-1)).toBeUndefined()
})

test('project store: without a private file system nothing is saved, and no call of the open project rejects', async () => {
  vi.spyOn(navigator.storage, 'getDirectory').mockRejectedValue(new DOMException('not here', 'SecurityError'))
  const store = openStore()
  expect(await store.save(songFile, SETTINGS)).toBe(false)
  store.saveSettings(SETTINGS)
  await store.flush()
  expect(await openLastProject(store)).toBeUndefined()
  await store.clear()
  await expect(store.library.list()).rejects.toThrow('not here')
})
