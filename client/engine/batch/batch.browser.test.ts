import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readWav } from '../../../dsp/read-wav.ts'
import { encodeWavHeader } from '../../../dsp/wav.ts'
import type { Batch, BatchInput, BatchPlan, BatchState, BatchVideo } from '../engine.ts'
import { synthesizeDrumLoop } from '../testing/drum-loop.ts'
import { checkMp4 } from '../testing/mp4-structure.ts'
import { createVideoStudio } from '../video/video-studio.ts'
import { createBatch } from './batch.ts'
import { createBatchStore } from './batch-store.ts'

const SAMPLE_RATE = 8000
const DRUM_LOOP = synthesizeDrumLoop(120, { seconds: 20 })
const OWNER_ID = 'batch-test'
const plan: BatchPlan = {
  settings: { speed: 1.25, pitch: 0, reverbSize: 0, reverbAmount: 0, bassDb: 0 },
  isTempoFitted: false,
  format: 'wav-int16',
  namePattern: '{name} ({rate})',
  presetName: 'Nightcore',
}
const exportedNames: string[] = []
const drawnCovers: string[] = []
const batchHooks = {
  fitSpeed: (bpm: number) => (bpm > 0 ? 150 / bpm : undefined),
  describeCover: async (_: object, seed: string) => {
    drawnCovers.push(seed)
    const canvas = new OffscreenCanvas(320, 180)
    canvas.getContext('2d')?.fillRect(0, 0, 320, 180)
    return canvas.convertToBlob()
  },
  onExported: ({ fileName }: { fileName: string }) => void exportedNames.push(fileName),
}

function createSong(fileName: string, frameCount = SAMPLE_RATE): BatchInput {
  const samples = Int16Array.from({ length: frameCount }, (_, index) => ((index * 7919) % 20_000) - 10_000)
  return {
    file: new File([encodeWavHeader({ format: 'int16', channels: 1, sampleRate: SAMPLE_RATE, frames: frameCount }), samples], fileName),
    folderPath: '',
  }
}
const corruptSong: BatchInput = { file: new File(['x'.repeat(5000)], 'corrupt.mp3'), folderPath: '' }

let openBatches: Batch[] = []
function openBatch(): Batch {
  const batch = createBatch({ ownerId: OWNER_ID, hooks: batchHooks, workerCount: 1 })
  openBatches.push(batch)
  return batch
}

const waitForState = (batch: Batch, isReached: (state: BatchState) => boolean): Promise<BatchState> =>
  new Promise((resolve) => {
    const checkState = () => {
      if (isReached(batch.getSnapshot())) resolve(batch.getSnapshot())
    }
    batch.subscribe(checkState)
    checkState()
  })
const waitForPhase = (batch: Batch, phase: BatchState['phase']) => waitForState(batch, (state) => state.phase === phase)
const listStates = ({ items }: BatchState) => items.map(({ state }) => state)

/** The plan with videos of 320 x 180 pixels. */
async function createVideoPlan(videoChanges: Partial<BatchVideo>): Promise<BatchPlan> {
  const studio = createVideoStudio()
  const videoFont = { family: 'sans-serif', weight: '700', stretch: 'normal' } as const
  const videoStyle = { accent: '#f0f', secondAccent: '#0ff', text: '#fff', shade: '#000', titleFont: videoFont, artistFont: videoFont }
  const videoDesign = { width: 320, height: 180, motion: 'still', overlay: 'none', sound: 'compressed', style: videoStyle } as const
  const format = await studio.findFormat(videoDesign, 'compressed')
  studio.dispose()
  if (format === undefined) throw new Error('no encoder')
  return { ...plan, video: { design: videoDesign, format, hasText: true, picture: undefined, isBesideSound: false, ...videoChanges } }
}

async function openFolder(name: string) {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true })
}
/** Returns a stand-in for `folder` that answers requests for files by `getFileHandle`, and whose permission is granted. */
const createFolderStandIn = (
  folder: FileSystemDirectoryHandle,
  getFileHandle: (fileName: string, options?: FileSystemGetFileOptions) => Promise<object>,
): FileSystemDirectoryHandle =>
  Object.create(folder, {
    getFileHandle: { value: getFileHandle },
    removeEntry: { value: (name: string) => folder.removeEntry(name) },
    requestPermission: { value: async () => 'granted' },
    name: { value: folder.name },
  })

/** Creates a batch that is not stored, because stand-ins cannot be stored. */
function openUnstoredBatch(): Batch {
  const batch = createBatch({
    ownerId: OWNER_ID,
    hooks: batchHooks,
    workerCount: 1,
    store: { ...createBatchStore(OWNER_ID), save: async () => {} },
  })
  openBatches.push(batch)
  return batch
}

async function listNames(folder: FileSystemDirectoryHandle) {
  const names: string[] = []
  for await (const name of folder.keys()) names.push(name)
  return names.sort()
}

/** Reads the entries of an archive by its directory, and checks that each local header and checksum agree with it. */
async function readZip(batch: Batch): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const zip = await batch.readZip()
  if (zip === undefined) throw new Error('there is no ZIP file')
  const zipBytes = new Uint8Array(await zip.arrayBuffer())
  const view = new DataView(zipBytes.buffer)
  const directoryEnd = zipBytes.length - 22
  expect(view.getUint32(directoryEnd, true)).toBe(0x06054b50)
  const fileByName = new Map<string, Uint8Array<ArrayBuffer>>()
  let byteOffset = view.getUint32(directoryEnd + 16, true)
  for (let entriesLeft = view.getUint16(directoryEnd + 10, true); entriesLeft > 0; entriesLeft--) {
    expect(view.getUint32(byteOffset, true)).toBe(0x02014b50)
    const [fileSize, nameLength, extraLength] = [
      view.getUint32(byteOffset + 24, true),
      view.getUint16(byteOffset + 28, true),
      view.getUint16(byteOffset + 30, true),
    ]
    const fileName = new TextDecoder().decode(zipBytes.subarray(byteOffset + 46, byteOffset + 46 + nameLength))
    const localHeaderStart = view.getUint32(byteOffset + 42, true)
    expect(view.getUint32(localHeaderStart, true)).toBe(0x04034b50)
    expect(zipBytes.subarray(localHeaderStart + 4, localHeaderStart + 30)).toEqual(zipBytes.subarray(byteOffset + 6, byteOffset + 32))
    const content = localHeaderStart + 30 + view.getUint16(localHeaderStart + 26, true) + view.getUint16(localHeaderStart + 28, true)
    fileByName.set(fileName, zipBytes.slice(content, content + fileSize))
    byteOffset += 46 + nameLength + extraLength
  }
  expect(byteOffset).toBe(directoryEnd)
  return fileByName
}

async function removeTestFiles() {
  for (const batch of openBatches) batch.dispose()
  openBatches = []
  exportedNames.length = 0
  drawnCovers.length = 0
  await createBatchStore(OWNER_ID).clear()
  await (await navigator.storage.getDirectory()).removeEntry('batch-test-output', { recursive: true }).catch(() => {})
}
beforeEach(removeTestFiles)
afterEach(removeTestFiles)

describe('batch', () => {
  it('batch: a corrupt file is reported by name, and the other files are collected in a ZIP file, with numbers added to equal names', async () => {
    const batch = openBatch()
    await batch.start([createSong('a.wav'), corruptSong, createSong('A.wav'), createSong('b.wav')], plan)
    const batchState = batch.getSnapshot()
    expect(batchState).toMatchObject({ phase: 'ended', problem: undefined })
    expect(listStates(batchState)).toEqual(['done', 'failed', 'done', 'done'])
    expect(batchState.items[1]).toMatchObject({ name: 'corrupt.mp3', failure: { kind: 'undecodable' } })
    const zipFiles = await readZip(batch)
    expect([...zipFiles.keys()]).toEqual(['a (1.25).wav', 'A (1.25) (2).wav', 'b (1.25).wav'])
    const { channels, sampleRate } = await readWav(zipFiles.get('b (1.25).wav') ?? new Uint8Array())
    expect({ frames: channels[0]?.length, sampleRate }).toEqual({ frames: SAMPLE_RATE / 1.25, sampleRate: SAMPLE_RATE })
    expect(exportedNames).toHaveLength(3)
    await batch.clear()
    expect(batch.getSnapshot()).toMatchObject({ phase: 'empty', items: [] })
    expect(await createBatchStore(OWNER_ID).load()).toBeUndefined()
  })

  it('batch: files are written into a folder without replacing files of the same name', async () => {
    const folder = await openFolder('batch-test-output')
    await folder.getFileHandle('a (1.25).wav', { create: true })
    const batch = openBatch()
    await batch.start([createSong('a.wav')], plan, folder)
    expect(batch.getSnapshot()).toMatchObject({ phase: 'ended', folderName: 'batch-test-output' })
    expect(await listNames(folder)).toEqual(['a (1.25) (2).wav', 'a (1.25).wav'])
    expect((await (await folder.getFileHandle('a (1.25).wav')).getFile()).size).toBe(0)
  })

  it('batch: after the page was closed, the songs that were not done are exported from their copies', async () => {
    const firstBatch = openBatch()
    void firstBatch.start([createSong('a.wav'), createSong('b.wav', 40 * SAMPLE_RATE), createSong('c.wav')], plan)
    await waitForState(firstBatch, ({ items }) => items[0]?.state === 'done' && items.slice(1).every(({ source }) => source === 'copy'))
    firstBatch.dispose()
    const secondBatch = openBatch()
    const restoredState = await waitForPhase(secondBatch, 'paused')
    expect(restoredState.items.map(({ state, isMissing }) => [state, isMissing])).toEqual([
      ['done', false],
      ['waiting', false],
      ['waiting', false],
    ])
    await secondBatch.resume()
    expect(listStates(secondBatch.getSnapshot())).toEqual(['done', 'done', 'done'])
    expect([...(await readZip(secondBatch)).keys()]).toEqual(['a (1.25).wav', 'b (1.25).wav', 'c (1.25).wav'])
    const folder = await (await openFolder('maker-batch')).getDirectoryHandle(`of-${OWNER_ID}`)
    expect(await listNames(folder)).toEqual(['songs.zip'])
  })

  it('batch: after the page was closed, cancelling the songs that wait leaves a ZIP file with those that are done', async () => {
    const firstBatch = openBatch()
    void firstBatch.start([createSong('a.wav'), createSong('b.wav', 40 * SAMPLE_RATE), createSong('c.wav')], plan)
    await waitForState(firstBatch, ({ items }) => items[1]?.fileName !== undefined)
    firstBatch.dispose()
    const secondBatch = openBatch()
    await waitForPhase(secondBatch, 'paused')
    secondBatch.cancelAll()
    expect(listStates(secondBatch.getSnapshot())).toEqual(['done', 'cancelled', 'cancelled'])
    expect([...(await readZip(secondBatch)).keys()]).toEqual(['a (1.25).wav'])
  })

  it('batch: if the ZIP file cannot be completed, the problem is shown until another try completes it', async () => {
    const firstBatch = openBatch()
    await firstBatch.start([createSong('a.wav')], plan)
    firstBatch.dispose()
    const secondBatch = openBatch()
    await waitForPhase(secondBatch, 'ended')
    const folder = await (await openFolder('maker-batch')).getDirectoryHandle(`of-${OWNER_ID}`)
    // While this stream is open, the browser lets nothing else write the file.
    const lockingStream = await (await folder.getFileHandle('songs.zip')).createWritable()
    expect(await secondBatch.readZip()).toBeUndefined()
    expect(secondBatch.getSnapshot()).toMatchObject({ phase: 'ended', problem: 'no-storage' })
    await lockingStream.abort()
    expect([...(await readZip(secondBatch)).keys()]).toEqual(['a (1.25).wav'])
    expect(secondBatch.getSnapshot().problem).toBeUndefined()
  })

  it('batch: an interrupted song replaces its own file in the folder', async () => {
    const folder = await openFolder('batch-test-output')
    const firstBatch = openBatch()
    void firstBatch.start([createSong('a.wav', 40 * SAMPLE_RATE)], plan, folder)
    await waitForState(firstBatch, ({ items }) => items[0]?.fileName !== undefined && items[0].source === 'copy')
    firstBatch.dispose()
    await folder.getFileHandle('a (1.25).wav', { create: true })
    const secondBatch = openBatch()
    await waitForPhase(secondBatch, 'paused')
    await secondBatch.resume()
    expect(secondBatch.getSnapshot().phase).toBe('ended')
    expect(await listNames(folder)).toEqual(['a (1.25).wav'])
  })

  it('batch: a copy of a song that the page made just before it was closed is used, although the record does not mention the copy', async () => {
    const firstBatch = openBatch()
    void firstBatch.start([createSong('a.wav', 8 * SAMPLE_RATE)], plan)
    await waitForState(firstBatch, ({ items }) => items[0]?.source === 'copy')
    firstBatch.dispose()
    await navigator.locks.request(`maker-batch/${OWNER_ID}`, async () => {})
    const store = createBatchStore(OWNER_ID)
    const batchRecord = await store.load()
    if (batchRecord === undefined) throw new Error('no batch is stored')
    await store.save({ ...batchRecord, items: batchRecord.items.map((item) => ({ ...item, source: 'page' as const })) })
    const secondBatch = openBatch()
    const { items } = await waitForPhase(secondBatch, 'paused')
    expect(items).toMatchObject([{ source: 'copy', isMissing: false }])
  })

  it('batch: a song without a copy is missing after the page was closed, until its file is provided', async () => {
    const store = createBatchStore(OWNER_ID)
    const storeRefusingCopies = { ...store, copy: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) }
    const firstBatch = createBatch({ ownerId: OWNER_ID, hooks: batchHooks, workerCount: 1, store: storeRefusingCopies })
    openBatches.push(firstBatch)
    void firstBatch.start([createSong('a.wav', 40 * SAMPLE_RATE), createSong('b.wav')], plan)
    await waitForState(firstBatch, ({ items }) => items[0]?.fileName !== undefined)
    firstBatch.dispose()
    const secondBatch = openBatch()
    const restoredState = await waitForPhase(secondBatch, 'paused')
    expect(restoredState.items.map(({ isMissing }) => isMissing)).toEqual([true, true])
    secondBatch.provide([createSong('b.wav', 10), createSong('b.wav')])
    await secondBatch.resume()
    expect(secondBatch.getSnapshot().phase).toBe('paused')
    expect(listStates(secondBatch.getSnapshot())).toEqual(['waiting', 'done'])
  })

  it('batch: another tab neither runs nor replaces the batch, and takes it over when the first tab is closed', async () => {
    const firstBatch = openBatch()
    void firstBatch.start([createSong('a.wav', 40 * SAMPLE_RATE), createSong('b.wav')], plan)
    await waitForState(firstBatch, ({ items }) => items.some(({ state }) => state === 'running'))
    const secondBatch = openBatch()
    await waitForPhase(secondBatch, 'elsewhere')
    await secondBatch.start([createSong('c.wav')], plan)
    expect(secondBatch.getSnapshot()).toMatchObject({ phase: 'elsewhere', items: [] })
    firstBatch.dispose()
    expect((await waitForPhase(secondBatch, 'paused')).items).toHaveLength(2)
  })

  it('batch: cancelling one song continues with the next one; cancelling all ends the batch with what is done', async () => {
    const batch = openBatch()
    const songs = ['a.wav', 'b.wav', 'c.wav', 'd.wav'].map((name) => createSong(name, name === 'b.wav' ? SAMPLE_RATE : 60 * SAMPLE_RATE))
    const runPromise = batch.start(songs, plan)
    const { items } = await waitForState(batch, (state) => state.items[0]?.state === 'running')
    batch.cancel(items[0]?.id ?? '')
    await waitForState(batch, (state) => state.items[2]?.state === 'running')
    batch.cancelAll()
    await runPromise
    expect(batch.getSnapshot().phase).toBe('ended')
    expect(listStates(batch.getSnapshot())).toEqual(['cancelled', 'done', 'cancelled', 'cancelled'])
    expect([...(await readZip(batch)).keys()]).toEqual(['b (1.25).wav'])
    await batch.retry(items[2]?.id ?? '')
    expect(batch.getSnapshot().phase).toBe('paused')
    await batch.resume()
    expect([...(await readZip(batch)).keys()]).toEqual(['b (1.25).wav', 'c (1.25).wav'])
  })

  it('batch: a cancelled song leaves no file in the folder', async () => {
    const folder = await openFolder('batch-test-output')
    const batch = openBatch()
    const runPromise = batch.start([createSong('a.wav', 600 * SAMPLE_RATE)], plan, folder)
    let hasFile = false
    while (!hasFile) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      hasFile = (await listNames(folder)).length > 0
    }
    batch.cancelAll()
    await runPromise
    expect(listStates(batch.getSnapshot())).toEqual(['cancelled'])
    expect(await listNames(folder)).toEqual([])
  })

  it('batch: a full disk pauses the batch, and the song is exported once there is room', async () => {
    const folder = await openFolder('batch-test-output')
    let isDiskFull = true
    const fullFolder = createFolderStandIn(folder, async (fileName, options) => {
      const handle = await folder.getFileHandle(fileName, options)
      if (!isDiskFull || options?.create !== true) return handle
      const write = () => Promise.reject(new DOMException('no space', 'QuotaExceededError'))
      return { createWritable: async () => new WritableStream({ write }) }
    })
    const batch = openUnstoredBatch()
    await batch.start([createSong('a.wav'), createSong('b.wav')], plan, fullFolder)
    expect(batch.getSnapshot()).toMatchObject({ phase: 'paused', problem: 'no-room' })
    expect(listStates(batch.getSnapshot())).toEqual(['waiting', 'waiting'])
    expect(await listNames(folder)).toEqual([])
    isDiskFull = false
    await batch.resume()
    expect(batch.getSnapshot()).toMatchObject({ phase: 'ended', problem: undefined })
    expect(await listNames(folder)).toEqual(['a (1.25).wav', 'b (1.25).wav'])
  })

  it('batch: names that a folder refuses lose the refused characters, and a song without an allowed name fails', async () => {
    const folder = await openFolder('batch-test-output')
    const strictFolder = createFolderStandIn(folder, async (fileName, options) => {
      if (/\p{Cf}|^[~.\s]|[~.\s]$|refused/u.test(fileName)) throw new TypeError('Name is not allowed.')
      return folder.getFileHandle(fileName, options)
    })
    const batch = openUnstoredBatch()
    const songNames = ['~a.wav', '👩\u200D🎤.wav', '~\u2060.wav', 'refused.wav', 'b.wav']
    await batch.start(
      songNames.map((name) => createSong(name)),
      { ...plan, namePattern: '{name}' },
      strictFolder,
    )
    const batchState = batch.getSnapshot()
    expect(batchState).toMatchObject({ phase: 'ended', problem: undefined })
    expect(listStates(batchState)).toEqual(['done', 'done', 'done', 'failed', 'done'])
    expect(batchState.items[3]?.failure).toEqual({ kind: 'failed', reason: 'The folder does not allow the file name “refused.wav”.' })
    expect(await listNames(folder)).toEqual(['a.wav', 'b.wav', 'song.wav', '👩🎤.wav'])
  })

  it('batch: if the permission for the folder is withdrawn, the batch pauses, and cancelling all ends it', async () => {
    const folder = await openFolder('batch-test-output')
    const lostFolder = createFolderStandIn(folder, () => Promise.reject(new DOMException('withdrawn', 'NotAllowedError')))
    const batch = openUnstoredBatch()
    await batch.start([createSong('a.wav')], plan, lostFolder)
    expect(batch.getSnapshot()).toMatchObject({ phase: 'paused', problem: 'folder-lost' })
    batch.cancelAll()
    expect(batch.getSnapshot()).toMatchObject({ phase: 'ended', problem: undefined })
  })

  it('batch: after another folder was chosen, a file with the name that a song had reserved in the first one stays', async () => {
    const folder = await openFolder('batch-test-output')
    const newFolder = await folder.getDirectoryHandle('new', { create: true })
    await newFolder.getFileHandle('a (1.25).wav', { create: true })
    const lostFolder = createFolderStandIn(folder, (_, options) =>
      Promise.reject(
        options?.create === true ? new DOMException('withdrawn', 'NotAllowedError') : new DOMException('none', 'NotFoundError'),
      ),
    )
    const batch = openUnstoredBatch()
    await batch.start([createSong('a.wav')], plan, lostFolder)
    expect(batch.getSnapshot()).toMatchObject({ phase: 'paused', problem: 'folder-lost', items: [{ fileName: 'a (1.25).wav' }] })
    batch.replaceFolder(newFolder)
    await batch.resume()
    expect(batch.getSnapshot()).toMatchObject({ phase: 'ended', folderName: 'new' })
    expect(await listNames(newFolder)).toEqual(['a (1.25) (2).wav', 'a (1.25).wav'])
    expect((await (await newFolder.getFileHandle('a (1.25).wav')).getFile()).size).toBe(0)
  })

  it('batch: the speed is fitted to the tempo of each song, and a song without a beat keeps the chosen speed', async () => {
    const beatFile = new File(
      [encodeWavHeader({ format: 'float32', channels: 1, sampleRate: 44_100, frames: DRUM_LOOP.length }), DRUM_LOOP],
      'beat.wav',
    )
    const batch = openBatch()
    const fittedPlan = { ...plan, isTempoFitted: true, namePattern: '{name} {bpm} {speed}' }
    await batch.start([{ file: beatFile, folderPath: '' }, createSong('noise.wav', SAMPLE_RATE)], fittedPlan)
    const [beatItem, noiseItem] = batch.getSnapshot().items
    expect(beatItem?.fittedSpeed).toBeCloseTo(150 / 120, 2)
    expect(beatItem?.fileName).toMatch(/^beat 150 1\.2/)
    expect(noiseItem).toMatchObject({ fittedSpeed: null, fileName: 'noise no BPM 1.25.wav' })
  })

  it('batch: the files get the loudness of the plan', { tags: ['long'] }, async () => {
    const measureRmsDb = async (targetLufs?: number) => {
      const batch = openBatch()
      await batch.start([createSong('a.wav', 4 * SAMPLE_RATE)], { ...plan, targetLufs })
      const [mp3Bytes = new Uint8Array()] = (await readZip(batch)).values()
      const [samples = new Float32Array()] = (await readWav(mp3Bytes)).channels
      await batch.clear()
      return 10 * Math.log10(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)
    }
    const [plain, quiet, quieter] = [await measureRmsDb(), await measureRmsDb(-30), await measureRmsDb(-36)]
    expect(quiet - quieter).toBeCloseTo(6, 1)
    expect(plain - quiet).toBeGreaterThan(3)
  })

  it('batch: a sound and a video are made of each song, or neither of them', { tags: ['long'] }, async () => {
    const batch = openBatch()
    const runPromise = batch.start(
      [createSong('a.wav'), createSong('b.wav', 40 * SAMPLE_RATE), createSong('A.wav')],
      await createVideoPlan({ isBesideSound: true }),
    )
    const { items } = await waitForState(
      batch,
      (state) => state.items[1]?.videoName === undefined && state.items[1]?.fileName !== undefined,
    )
    batch.cancel(items[1]?.id ?? '')
    await runPromise
    const batchState = batch.getSnapshot()
    expect(listStates(batchState)).toEqual(['done', 'cancelled', 'done'])
    expect(batchState.items[2]).toMatchObject({ fileName: 'A (1.25) (2).wav', videoName: 'A (1.25) (2).mp4' })
    const zipFiles = await readZip(batch)
    expect([...zipFiles.keys()]).toEqual(['a (1.25).wav', 'a (1.25).mp4', 'A (1.25) (2).wav', 'A (1.25) (2).mp4'])
    const videoBytes = zipFiles.get('a (1.25).mp4') ?? new Uint8Array()
    expect(checkMp4(videoBytes, { frameRate: 30, gopFrames: 15, durationS: 0.8 }).faults).toEqual([])
    expect(exportedNames).toEqual([...zipFiles.keys()])
    expect(drawnCovers).toEqual(['a.wav', 'A.wav'])
    const scratchFolder = await openFolder('maker-scratch')
    expect(await listNames(scratchFolder)).toEqual([])
  })

  it('batch: after the page was closed, videos are made with the chosen picture', { tags: ['long'] }, async () => {
    const coverPicture = await batchHooks.describeCover({}, '')
    const folder = await openFolder('batch-test-output')
    const firstBatch = openBatch()
    void firstBatch.start([createSong('a.wav', 3 * SAMPLE_RATE)], await createVideoPlan({ picture: coverPicture }), folder)
    await waitForState(firstBatch, ({ items }) => items[0]?.source === 'copy')
    firstBatch.dispose()
    drawnCovers.length = 0
    const secondBatch = openBatch()
    const { plan: storedPlan } = await waitForPhase(secondBatch, 'paused')
    expect(storedPlan?.video?.picture?.size).toBe(coverPicture.size)
    await secondBatch.resume()
    expect(secondBatch.getSnapshot().problem).toBeUndefined()
    expect(listStates(secondBatch.getSnapshot())).toEqual(['done'])
    expect(await listNames(folder)).toEqual(['a (1.25).mp4'])
    expect(drawnCovers).toEqual([])
  })

  it('batch: if its ZIP file was removed from the device, the songs that were in it must be picked again', async () => {
    const firstBatch = openBatch()
    await firstBatch.start([createSong('a.wav')], plan)
    firstBatch.dispose()
    const folder = await (await openFolder('maker-batch')).getDirectoryHandle(`of-${OWNER_ID}`)
    await folder.removeEntry('songs.zip')
    const secondBatch = openBatch()
    expect((await waitForPhase(secondBatch, 'paused')).items).toMatchObject([{ state: 'waiting', isMissing: true }])
  })
})
