import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEngine } from './create-engine.ts'
import { FINISHED_SOUNDS_FOLDER, PROJECT_FOLDER } from './engine.ts'
import { removeUnusedSounds } from './finished-sounds.ts'
import { loadFixtureFile } from './testing/fixtures.ts'

const engines: ReturnType<typeof createEngine>[] = []
function openEngine(ownerId = '') {
  const engine = createEngine({ ownerId, workerCount: 1 })
  engines.push(engine)
  return engine
}

beforeEach(async () => {
  const root = await navigator.storage.getDirectory()
  for (const name of [PROJECT_FOLDER, FINISHED_SOUNDS_FOLDER]) await root.removeEntry(name, { recursive: true }).catch(() => {})
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const engine of engines.splice(0)) await engine.dispose()
})

async function listStoredFiles(): Promise<string[]> {
  const folderNames: string[] = []
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(FINISHED_SOUNDS_FOLDER, { create: true })
  for await (const name of folder.keys()) folderNames.push(name)
  return folderNames.sort()
}

/** Loads a song, and returns the id of its project once it is saved. */
async function loadSong(engine = openEngine(), fixtureName = 'flac.flac') {
  await engine.load(await loadFixtureFile(fixtureName))
  const id = await vi.waitUntil(async () => (await engine.projects.list())[0]?.id)
  return { engine, id }
}

const decodeBlob = async (sound: Blob) => new OfflineAudioContext(2, 1, 44_100).decodeAudioData(await sound.arrayBuffer())

async function openSound(engine: ReturnType<typeof openEngine>, projectId: string, signal = new AbortController().signal) {
  const sound = await engine.openFinishedSound(projectId, signal)
  if (sound.kind !== 'finished') throw new Error(sound.kind)
  return sound
}

test('finished sounds: a sound is rendered with settings and edits, stored, and rendered again only if the project changes', async () => {
  const { engine, id } = await loadSong()
  const { durationS } = engine.getSnapshot().sound ?? { durationS: 0 }
  const firstSound = await openSound(engine, id)
  expect(firstSound.blob.type).toBe('audio/flac')
  expect((await decodeBlob(firstSound.blob)).duration).toBeCloseTo(durationS, 2)
  const [firstFileName] = await listStoredFiles()
  const sameSound = await openSound(engine, id)
  expect(await listStoredFiles()).toEqual([firstFileName])
  firstSound.release()
  sameSound.release()
  engine.changeSettings({ speed: 0.5 })
  engine.keepRange(0, durationS / 2)
  const changedSound = await openSound(engine, id)
  expect((await decodeBlob(changedSound.blob)).duration).toBeCloseTo(durationS, 1)
  const storedNames = await listStoredFiles()
  expect(storedNames).toHaveLength(1)
  expect(storedNames).not.toContain(firstFileName)
  changedSound.release()
})

test('finished sounds: a finished sound has the loudness that is chosen in its project', { tags: ['long'] }, async () => {
  const { engine, id } = await loadSong(openEngine(), 'long.ogg')
  const readPeak = async () => {
    const sound = await openSound(engine, id)
    const samples = (await decodeBlob(sound.blob)).getChannelData(0)
    sound.release()
    return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
  }
  const peak = await readPeak()
  engine.changeOutput({ targetLufs: -40 })
  expect(await readPeak()).toBeLessThan(peak / 2)
})

test('finished sounds: sounds that no tab plays are removed, and rendered again when they are opened', async () => {
  const { engine, id } = await loadSong()
  const sound = await openSound(engine, id)
  expect(await removeUnusedSounds()).toBe(0)
  expect(await listStoredFiles()).toHaveLength(1)
  sound.release()
  await vi.waitFor(async () => expect(await removeUnusedSounds()).toBe(1))
  expect(await listStoredFiles()).toEqual([])
  ;(await openSound(engine, id)).release()
  expect(await listStoredFiles()).toHaveLength(1)
})

test('finished sounds: a rendering for which no caller waits any more is cancelled, and leaves no file', async () => {
  const { engine, id } = await loadSong()
  const controller = new AbortController()
  const openCall = engine.openFinishedSound(id, controller.signal)
  controller.abort()
  await expect(openCall).rejects.toThrow()
  await vi.waitFor(async () => expect(await listStoredFiles()).toEqual([]))
  ;(await openSound(engine, id)).release()
})

test('finished sounds: there is no finished sound for a project of another account or a project that does not exist', async () => {
  const { id } = await loadSong()
  const { signal } = new AbortController()
  expect(await openEngine('other').openFinishedSound(id, signal)).toEqual({ kind: 'no-project' })
  expect(await openEngine().openFinishedSound('missing', signal)).toEqual({ kind: 'no-project' })
})

test('finished sounds: if the disk is full, other sounds are removed, and the rendering starts again', async () => {
  const { engine, id } = await loadSong()
  ;(await openSound(engine, id)).release()
  const copyId = (await engine.projects.duplicate(id)) ?? ''
  const [firstName] = await listStoredFiles()
  vi.spyOn(FileSystemFileHandle.prototype, 'createWritable').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'))
  const sound = await openSound(engine, copyId)
  sound.release()
  expect((await decodeBlob(sound.blob)).duration).toBeGreaterThan(0)
  const stored = await listStoredFiles()
  expect(stored).toHaveLength(1)
  expect(stored).not.toContain(firstName)
})
