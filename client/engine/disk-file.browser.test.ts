import { afterEach, expect, it } from 'vitest'
import { cdp } from 'vitest/browser'
import { checksumOf, KNOWN_WAVS, knownSound } from '../../dsp/testing/known-wav.ts'
import { toneSource } from '../../dsp/testing/tone.ts'
import { createDiskFile } from './disk-file.ts'
import type { ExportFormat } from './engine.ts'
import { startExport } from './export.ts'
import { createRenderPool } from './render-pool.ts'
import type { ScratchFile } from './scratch.ts'
import { createMemorySound } from './sound.ts'
import { exportIntWav } from './wav-export.ts'

const SAMPLE_RATE = 44_100
const pool = createRenderPool(2)
afterEach(() => pool.dispose())

const bytesOf = async (file: Blob | undefined) => new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer())

async function listScratchFiles(): Promise<string[]> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('maker-scratch', { create: true })
  const names: string[] = []
  for await (const name of folder.keys()) names.push(name)
  return names
}

/** The one call of the DevTools protocol that the tests make. The session's own type would need the types of Node. */
interface QuotaSession {
  send(method: 'Storage.overrideQuotaForOrigin', parameters: { origin: string; quotaSize?: number }): Promise<unknown>
}

/** Limits the storage of the site to `quotaSize` bytes; without it, to the browser's own limit. */
async function limitStorage(quotaSize?: number): Promise<void> {
  const session = cdp() as unknown as QuotaSession
  await session.send('Storage.overrideQuotaForOrigin', { origin: location.origin, ...(quotaSize !== undefined && { quotaSize }) })
}

/** Starts an export of a tone, which is written to the disk if it exceeds `maxBlobBytes`. */
function startTestExport(format: ExportFormat, maxBlobBytes: number, { seconds = 3, onProgress = () => {} } = {}) {
  const scratchFiles: ScratchFile[] = []
  const task = startExport(pool, {
    sound: createMemorySound(
      toneSource({ frequencyHz: 997, frames: seconds * SAMPLE_RATE }).channels as [Float32Array<ArrayBuffer>],
      SAMPLE_RATE,
    ),
    details: { name: 'tone.wav', title: undefined, artist: undefined, bpm: undefined },
    settings: { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 },
    format,
    sink: undefined,
    maxBlobBytes,
    onScratchFile: (file) => scratchFiles.push(file),
    onProgress,
  })
  return { task, scratchFiles }
}

it.each<ExportFormat>(['wav-int16', 'wav-float32', 'mp3'])('%s: a file on the disk has the bytes of a Blob', async (format) => {
  const expectedResult = await startTestExport(format, Number.POSITIVE_INFINITY).task.result
  const { task, scratchFiles } = startTestExport(format, 1000)
  const result = await task.result
  if (result.kind !== 'exported' || expectedResult.kind !== 'exported') throw new Error(result.kind)
  expect(await bytesOf(result.file)).toEqual(await bytesOf(expectedResult.file))
  expect(result).toEqual({ ...expectedResult, file: result.file })
  expect(result.file?.type).toBe(expectedResult.file?.type)
  expect(await listScratchFiles()).toEqual(scratchFiles.map(({ name }) => name))
  expect(scratchFiles).toHaveLength(1)
  await scratchFiles[0]?.dispose()
  expect(await listScratchFiles()).toEqual([])
})

it.each(KNOWN_WAVS)('a $name file is written to the disk from its beginning again if it clips', async (knownWav) => {
  const { signal } = new AbortController()
  const diskFile = await createDiskFile(signal)
  const { file } = await exportIntWav(pool, {
    sound: createMemorySound(knownSound(knownWav), SAMPLE_RATE),
    settings: knownWav.settings,
    tags: {},
    cache: { memoryBytes: 2 ** 22, diskBytes: 0 },
    sink: undefined,
    diskFile,
    onProgress: () => {},
    signal,
  })
  expect(checksumOf(await bytesOf(file))).toBe(knownWav.checksum)
  await diskFile?.release().dispose()
})

it('a cancelled export leaves no file', async () => {
  const { task, scratchFiles } = startTestExport('wav-float32', 1000, { seconds: 60, onProgress: () => task.cancel() })
  expect(await task.result).toEqual({ kind: 'cancelled' })
  await expect.poll(listScratchFiles).toEqual([])
  expect(scratchFiles).toEqual([])
})

it('on a full disk, an export fails for want of room and leaves no file', async () => {
  const { usage = 0 } = await navigator.storage.estimate()
  await limitStorage(usage + 2 ** 20)
  try {
    const { task, scratchFiles } = startTestExport('wav-float32', 1000, { seconds: 30 })
    expect(await task.result).toEqual({ kind: 'no-room' })
    await expect.poll(listScratchFiles).toEqual([])
    expect(scratchFiles).toEqual([])
  } finally {
    await limitStorage()
  }
})
