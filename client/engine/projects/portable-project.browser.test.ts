import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EditHistory } from '../engine.ts'
import { PROJECT_FOLDER } from '../engine.ts'
import { createSoundFile } from '../testing/fixtures.ts'
import { createProjectStore } from './project-store.ts'
import { openProject } from './testing/open-project.ts'

const SETTINGS = { speed: 0.8, pitch: -2, reverbSize: 40, reverbAmount: 20, bassDb: 3 }
const SONG_BYTES = Uint8Array.from({ length: 20_000 }, (_, index) => index % 253)
const EDITS = {
  range: { startFrame: 100, endFrame: 9000 },
  fadeIn: { seconds: 1, shape: 'linear' },
  fadeOut: { seconds: 2, shape: 's-curve' },
} as const
const HISTORY: EditHistory = { steps: [{ settings: SETTINGS, edits: EDITS }], index: 0 }
const OUTPUT = { tags: { title: '夜', year: '2026' }, namePattern: '{title}', targetLufs: -14 }

const openStores: ReturnType<typeof createProjectStore>[] = []
function openStore(ownerId: string) {
  const store = createProjectStore({ ownerId })
  openStores.push(store)
  return store
}

beforeEach(async () => {
  await (await navigator.storage.getDirectory()).removeEntry(PROJECT_FOLDER, { recursive: true }).catch(() => {})
})
afterEach(async () => {
  for (const store of openStores.splice(0)) await store.dispose()
})

async function drawPicture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(64, 64)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  context.fillStyle = 'rgb(200, 30, 30)'
  context.fillRect(0, 0, 64, 64)
  return canvas.convertToBlob({ type: 'image/jpeg' })
}

/** Saves a project with everything that a project can have, and returns its file. */
async function createPortableFile(projectTitle = '夜の街 / "city" 🌃') {
  const store = openStore('sender')
  await store.save(createSoundFile('night.mp3', SONG_BYTES, 'audio/mpeg'), SETTINGS, {
    title: projectTitle,
    artist: 'Fixture',
    lengthS: 61,
  })
  await store.saveCover(drawPicture())
  store.saveBpm(120)
  store.saveLoop({ on: true, startS: 1, endS: 2 })
  store.saveHistory(HISTORY)
  store.saveOutput(OUTPUT)
  const file = await store.library.exportFile(store.openId ?? '')
  if (file === undefined) throw new Error('no file')
  return file
}

/** Returns a file with the description `editObject`, a song and no cover. */
function buildFile(editObject: object, { version = 1, song = SONG_BYTES, extra = 0 } = {}): Blob {
  const descriptionBytes = new TextEncoder().encode(
    JSON.stringify({ name: 'a.mp3', title: 'A', settings: {}, soundBytes: song.length, coverBytes: 0, ...editObject }),
  )
  const numbersView = new DataView(new ArrayBuffer(8))
  numbersView.setUint32(0, version, true)
  numbersView.setUint32(4, descriptionBytes.length + extra, true)
  return new Blob(['VSEDIT\r\n', numbersView, descriptionBytes, song])
}

test('portable project: another account opens the file with song, settings, edits, loop, tempo, cover and names', async () => {
  const file = await createPortableFile()
  expect(file.name).toBe('夜の街 city 🌃.vsed')
  const receivingStore = openStore('receiver')
  const addedProject = await receivingStore.library.importFile(new Blob([await file.blob.arrayBuffer()]))
  if (addedProject.kind !== 'added') throw new Error(addedProject.kind)
  const [projectSummary] = await receivingStore.library.list()
  expect(projectSummary).toMatchObject({
    id: addedProject.id,
    title: '夜の街 / "city" 🌃',
    artist: 'Fixture',
    lengthS: 61,
    bytes: SONG_BYTES.length,
  })
  expect((await createImageBitmap(projectSummary?.cover ?? new Blob())).width).toBe(64)
  const project = await openProject(receivingStore, addedProject.id)
  expect(project).toMatchObject({
    file: { name: 'night.mp3' },
    settings: SETTINGS,
    bpm: 120,
    loop: { on: true, startS: 1, endS: 2 },
    history: HISTORY,
    output: OUTPUT,
  })
  expect(project?.file.blob.type).toBe('audio/mpeg')
  expect(new Uint8Array((await project?.file.blob.arrayBuffer()) ?? new ArrayBuffer())).toEqual(SONG_BYTES)
})

test('portable project: an account cannot save the project of another account as a file', async () => {
  const store = openStore('sender')
  await store.save(createSoundFile('a.mp3', SONG_BYTES), SETTINGS)
  expect(await openStore('other').library.exportFile(store.openId ?? '')).toBeUndefined()
})

test('portable project: a file that is cut off at any point, or that has extra bytes at the end, is refused and adds no project', async () => {
  const { blob } = await createPortableFile()
  const { library } = openStore('receiver')
  const importPart = async (part: Blob) => (await library.importFile(part)).kind
  for (let end = 0; end < blob.size; end += end < 600 ? 37 : 3001)
    expect([end, await importPart(blob.slice(0, end))]).toEqual([end, end < 8 ? 'other' : 'incomplete'])
  expect(await importPart(blob.slice(0, -1))).toBe('incomplete')
  expect(await importPart(new Blob([blob, 'x']))).toBe('incomplete')
  expect(await importPart(new Blob(['RIFF....WAVE']))).toBe('other')
  expect(await library.list()).toEqual([])
})

test('portable project: a file of a newer version and files with invalid descriptions are refused', async () => {
  const { library } = openStore('receiver')
  const importEdit = async (...args: Parameters<typeof buildFile>) => (await library.importFile(buildFile(...args))).kind
  expect(await importEdit({}, { version: 2 })).toBe('newer')
  expect(await importEdit({}, { version: 0 })).toBe('invalid')
  expect(await importEdit({}, { extra: 2 ** 31 })).toBe('invalid')
  for (const damagedEdit of [
    { name: 5 },
    { title: null },
    { soundBytes: -1 },
    { soundBytes: 0 },
    { soundBytes: 1.5 },
    { soundBytes: '20000' },
    { coverBytes: -1 },
    { coverBytes: 2 ** 40 },
  ])
    expect([damagedEdit, await importEdit(damagedEdit)]).toEqual([damagedEdit, 'invalid'])
  expect(await importEdit({ soundBytes: 2 ** 50 })).toBe('incomplete')
  expect(await library.list()).toEqual([])
})

test('portable project: values out of range are limited or left out, and a cover that is not a picture is left out', async () => {
  const receivingStore = openStore('receiver')
  const hostileProject = {
    name: `${'n'.repeat(5000)}.mp3`,
    title: `  a\n\u0000${'t'.repeat(5000)}`,
    artist: 7,
    settings: { speed: -1e300, pitch: 1e300, bassDb: 'loud', reverbSize: null },
    bpm: -4,
    lengthS: 1e300,
    loop: { on: 'yes', startS: 0, endS: 1 },
    history: { steps: [{ settings: { speed: 99 }, edits: { range: { startFrame: -5, endFrame: 1e300 } } }], index: 0 },
    output: { tags: { title: 't'.repeat(5000), artist: 5, other: 'x' }, namePattern: '{'.repeat(5000), targetLufs: 'loud' },
    owner: 'someone',
    source: '../x',
    id: '../y',
    deletedAtMs: 1,
    coverBytes: 9,
  }
  const addedProject = await receivingStore.library.importFile(new Blob([buildFile(hostileProject), 'no cover!']))
  if (addedProject.kind !== 'added') throw new Error(addedProject.kind)
  const [projectSummary] = await receivingStore.library.list()
  expect(projectSummary).toMatchObject({ id: addedProject.id, artist: undefined, lengthS: undefined, bpm: undefined, cover: undefined })
  expect(projectSummary?.title).toHaveLength(200)
  expect(projectSummary?.title.startsWith('a tt')).toBe(true)
  expect(projectSummary?.rate).toBeGreaterThan(0)
  const project = await openProject(receivingStore, addedProject.id)
  expect(project?.file.name).toHaveLength(300)
  expect(project?.settings).toEqual({ speed: 0.1, pitch: 12, reverbSize: 50, reverbAmount: 0, bassDb: 0 })
  expect(project?.output).toEqual({ tags: { title: 't'.repeat(300) }, namePattern: '{'.repeat(300), targetLufs: undefined })
  expect(project?.loop).toBeUndefined()
  expect(project?.history?.steps[0]).toMatchObject({ settings: { speed: 2 }, edits: { range: undefined } })
})
