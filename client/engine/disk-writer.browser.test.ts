import { afterEach, expect, it, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import { computeChecksum, KNOWN_WAVS, synthesizeKnownSound } from '../../dsp/testing/known-wav.ts'
import { synthesizeTone } from '../../dsp/testing/tone.ts'
import { createDiskWriter } from './disk-writer.ts'
import type { ExportFormat } from './engine.ts'
import { exportIntegers } from './lossless-export.ts'
import { createRenderPool } from './render-pool.ts'
import { createMemorySound } from './sound.ts'
import { removeExportsAfterEach } from './testing/exported-files.ts'
import { startExport } from './testing/start-export.ts'

const SAMPLE_RATE = 44_100
const renderPool = createRenderPool(2)
const diskWriter = createDiskWriter()
afterEach(async () => {
  renderPool.dispose()
  diskWriter.dispose()
  await expect.poll(listScratchFiles).toEqual([])
})
removeExportsAfterEach()

/** Returns the checksum of a file. Comparing millions of bytes by `toEqual` would take a minute. */
const computeFileChecksum = async (file: Blob | undefined) =>
  computeChecksum(new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer()))

async function listScratchFiles(): Promise<string[]> {
  const scratchFolder = await (await navigator.storage.getDirectory()).getDirectoryHandle('maker-scratch', { create: true })
  const names: string[] = []
  for await (const name of scratchFolder.keys()) names.push(name)
  return names
}

/** A session of the DevTools protocol, with the only call that the tests make. Playwright's own type would need the types of Node. */
interface QuotaProtocolSession {
  send(method: 'Storage.overrideQuotaForOrigin', parameters: { origin: string; quotaSize?: number }): Promise<unknown>
}

/** Limits the storage of the site to `quotaBytes` bytes. Without `quotaBytes`, the browser's own limit applies. */
async function limitStorage(quotaBytes?: number): Promise<void> {
  const session = cdp() as unknown as QuotaProtocolSession
  await session.send('Storage.overrideQuotaForOrigin', {
    origin: location.origin,
    ...(quotaBytes !== undefined && { quotaSize: quotaBytes }),
  })
}

/** Starts an export of a tone to the disk, or to a Blob. */
function startTestExport(
  format: ExportFormat,
  { seconds = 3, onProgress = () => {}, isBlob = false, maxBlobBytes = 2 ** 30 }: TestExport = {},
) {
  return startExport(renderPool, {
    sound: createMemorySound(
      synthesizeTone({ frequencyHz: 997, frames: seconds * SAMPLE_RATE }).channels as [Float32Array<ArrayBuffer>],
      SAMPLE_RATE,
    ),
    details: { name: 'tone.wav', title: undefined, artist: undefined, bpm: undefined },
    settings: { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 },
    format,
    sink: undefined,
    maxBlobBytes,
    onProgress,
    ...(!isBlob && { diskWriter }),
  })
}

interface TestExport {
  seconds?: number
  onProgress?: (progress: number) => void
  isBlob?: boolean
  maxBlobBytes?: number
}

it.each<ExportFormat>(['wav-int16', 'wav-float32', 'mp3'])('%s: a file on the disk has the bytes of a Blob', async (format) => {
  const expectedResult = await startTestExport(format, { isBlob: true }).result
  expect(await listScratchFiles()).toEqual([])
  const exportResult = await startTestExport(format).result
  if (exportResult.kind !== 'exported' || expectedResult.kind !== 'exported') throw new Error(exportResult.kind)
  expect(await listScratchFiles()).toHaveLength(1)
  expect(await computeFileChecksum(exportResult.file)).toBe(await computeFileChecksum(expectedResult.file))
  expect(exportResult).toEqual({ ...expectedResult, file: exportResult.file })
  expect(exportResult.file?.type).toBe(expectedResult.file?.type)
})

it('a written file can still be read while the next file is written, and afterwards', async () => {
  const expectedResult = await startTestExport('wav-int16', { isBlob: true }).result
  const firstExportResult = await startTestExport('wav-int16').result
  const secondExportResult = await startTestExport('wav-float32').result
  if (firstExportResult.kind !== 'exported' || secondExportResult.kind !== 'exported' || expectedResult.kind !== 'exported')
    throw new Error('failed')
  expect(await listScratchFiles()).toHaveLength(2)
  expect(await computeFileChecksum(firstExportResult.file)).toBe(await computeFileChecksum(expectedResult.file))
})

it('without a private file system, the exported file is a Blob', async () => {
  const getDirectory = vi.spyOn(navigator.storage, 'getDirectory').mockRejectedValue(new DOMException('denied', 'SecurityError'))
  expect(await startTestExport('wav-int16').result).toMatchObject({ kind: 'exported' })
  getDirectory.mockRestore()
})

it.each(KNOWN_WAVS)('a $name file is written to the disk from its beginning again if it clips', async (knownWav) => {
  const { signal } = new AbortController()
  const diskFile = diskWriter.createFile(signal)
  const { file } = await exportIntegers('wav-int16')(renderPool, {
    sound: createMemorySound(synthesizeKnownSound(knownWav), SAMPLE_RATE),
    settings: knownWav.settings,
    tags: {},
    cover: undefined,
    cache: { memoryBytes: 2 ** 22, diskBytes: 0 },
    sink: undefined,
    diskFile,
    onProgress: () => {},
    signal,
  })
  expect(await computeFileChecksum(file)).toBe(knownWav.checksum)
  await (await diskFile)?.release().dispose()
})

it('a cancelled export leaves no file, and the export after it is complete', async () => {
  const exportTask = startTestExport('wav-float32', { seconds: 60, onProgress: () => exportTask.cancel() })
  expect(await exportTask.result).toEqual({ kind: 'cancelled' })
  expect(await startTestExport('wav-float32').result).toMatchObject({ kind: 'exported' })
  await expect.poll(async () => (await listScratchFiles()).length).toBe(1)
})

it('on a full disk, a small export becomes a Blob and a large one fails; neither leaves a file on the disk', {
  tags: ['long'],
}, async () => {
  const expectedResult = await startTestExport('wav-float32', { seconds: 30, isBlob: true }).result
  const { usage = 0 } = await navigator.storage.estimate()
  await limitStorage(usage + 2 ** 20)
  try {
    const seenProgress: number[] = []
    const exportResult = await startTestExport('wav-float32', { seconds: 30, onProgress: (progress) => seenProgress.push(progress) }).result
    if (exportResult.kind !== 'exported' || expectedResult.kind !== 'exported') throw new Error(exportResult.kind)
    expect(await computeFileChecksum(exportResult.file)).toBe(await computeFileChecksum(expectedResult.file))
    expect(seenProgress).toEqual(seenProgress.toSorted((a, b) => a - b))
    expect(await startTestExport('wav-float32', { seconds: 30, maxBlobBytes: 1000 }).result).toEqual({ kind: 'no-room' })
    await expect.poll(listScratchFiles).toEqual([])
  } finally {
    await limitStorage()
  }
})
