import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CONVERSIONS_PER_HOUR, INVALID_SPEED_MESSAGE } from '../../contract/conversion-rules.ts'
import type { FileStore } from '../files/file-store.ts'
import { openFolderStore } from '../files/folder-store.ts'
import { createLog } from '../log.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { type ConversionService, createConversionService } from './conversions.ts'
import type { ConversionStore } from './store.ts'

const MINUTE_MS = 60_000
/**
 * A fake conversion program. It copies the upload instead of converting it, and never ends if the upload says 'endless'. If the upload names a signal, the
 * first conversion gets it.
 */
const FAKE_CONVERSION_PROGRAM = `
const { copyFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
const job = JSON.parse(process.argv[2])
console.log('progress 0.5')
const upload = readFileSync(job.inputFile, 'latin1')
const signal = /SIG[A-Z]+/.exec(upload)?.[0]
const isInterrupted = signal !== undefined && !existsSync(__dirname + '/' + signal)
if (isInterrupted) {
  writeFileSync(__dirname + '/' + signal, '')
  process.kill(process.pid, signal)
}
if (isInterrupted || upload.includes('endless')) setInterval(() => {}, 1000)
else {
  copyFileSync(job.inputFile, job.outputFile)
  console.log('done')
}
`

describeStores('conversions', (fixture) => {
  let folderPath: string
  let fileStore: FileStore
  let nowMs = Date.parse('2026-03-01T12:00:00Z')
  const openedServices: ConversionService[] = []
  let expectedError: string | undefined
  const errorLog = createLog('error', {
    write: (line) => (expectedError !== undefined && line.includes(expectedError) ? true : expect.fail(line)),
  })
  beforeEach(async () => {
    folderPath = await mkdtemp(join(tmpdir(), 'varispeed-conversions-'))
    fileStore = await openFolderStore(folderPath)
    await writeFile(join(folderPath, 'program.cjs'), FAKE_CONVERSION_PROGRAM)
    await writeFile(join(folderPath, 'ffmpeg'), '')
    await chmod(join(folderPath, 'ffmpeg'), 0o700)
  })
  afterEach(async () => {
    expectedError = undefined
    for (const service of openedServices.splice(0)) await service.close()
    await rm(folderPath, { recursive: true, force: true, maxRetries: 5 })
  })

  function openService(storeOverrides: Partial<ConversionStore> = {}, ffmpegPath = folderPath): ConversionService {
    const conversionService = createConversionService({
      storage: { conversions: { ...fixture.storage.conversions, ...storeOverrides } },
      fileStore,
      uploads: { dir: join(folderPath, 'conversions'), reservedBytes: () => 0 },
      program: { mainFile: join(folderPath, 'program.cjs'), wasmKernelPath: '' },
      path: ffmpegPath,
      nowMs: () => nowMs,
      log: errorLog,
    })
    openedServices.push(conversionService)
    return conversionService
  }
  async function startConversion(
    service: ConversionService,
    uid: string,
    { id = randomUUID(), text = 'song', speed = 25, name = 'song.flac' } = {},
  ) {
    const filePath = join(folderPath, `${randomUUID()}.upload`)
    const uploadBytes = Buffer.from(`fLaC ${text}`)
    await writeFile(filePath, uploadBytes)
    const songUpload = {
      path: filePath,
      name,
      bytes: uploadBytes.length,
      moveTo: (store: FileStore, fileName: string) => store.moveIn(filePath, fileName),
      discard: () => rm(filePath),
    }
    return service.convert(uid, songUpload, { id, speed, format: 'wav' }).catch((error: Error) => error.message)
  }
  const listFiles = () => readdir(join(folderPath, 'conversions'))
  /** Waits until the folder has these files only: an upload is deleted after the end of its conversion was stored. */
  const expectFiles = (fileNames: string[]) => vi.waitFor(async () => expect(await listFiles()).toEqual(fileNames), 20_000)
  const openAddress = (service: ConversionService, downloadUrl: string, addressChanges: { until?: number; signature?: string } = {}) => {
    const url = new URL(downloadUrl, 'http://localhost')
    const { until = Number(url.searchParams.get('until')), signature = url.searchParams.get('signature') ?? '' } = addressChanges
    const conversionId = url.pathname.split('/').at(-1) ?? ''
    const readState = async () => {
      const { name } = await service.findFile(conversionId, until, signature)
      for await (const _chunk of await service.openFile(conversionId, undefined));
      return name
    }
    return readState().catch(() => undefined)
  }

  test('the URL of a converted file works for ten minutes, and only with its own expiry time and signature', {
    tags: ['long'],
  }, async () => {
    const conversionService = openService()
    const downloadUrl = await startConversion(conversionService, 'ann', { name: '../../etc/My\0 song.flac' })
    expect(await openAddress(conversionService, downloadUrl)).toBe('etc My song (+25%).wav')
    for (const until of [Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1, nowMs + 10 * MINUTE_MS + 1])
      expect(await openAddress(conversionService, downloadUrl, { until })).toBeUndefined()
    for (const signature of ['', 'x', 'é'.repeat(43)])
      expect(await openAddress(conversionService, downloadUrl, { signature })).toBeUndefined()
    const otherDownloadUrl = await startConversion(conversionService, 'ann')
    expect(
      await openAddress(
        conversionService,
        otherDownloadUrl.replace(/file\/[^?]+/, new URL(downloadUrl, 'http://localhost').pathname.slice(5)),
      ),
    ).toBeUndefined()
    nowMs += 10 * MINUTE_MS - 1
    expect(await openAddress(conversionService, downloadUrl)).toBeDefined()
    nowMs += 1
    expect(await openAddress(conversionService, downloadUrl)).toBeUndefined()
    expect(await openAddress(conversionService, [...(await conversionService.urlsOf('ann')).values()][0] ?? '')).toBeDefined()
    expect(await conversionService.urlsOf('bob')).toEqual(new Map())
  })

  test('a speed that results in a playback rate below 0.1 is refused', async () => {
    const service = openService()
    for (const speed of [-100, -90.5]) expect(await startConversion(service, 'ann', { speed })).toBe(INVALID_SPEED_MESSAGE)
    expect(await startConversion(service, 'ann', { speed: -90 })).toContain('/api/make/file/')
  })

  test('if an account sends many songs at the same time, no more than its hourly limit are converted', { tags: ['long'] }, async () => {
    const conversionService = openService()
    const conversionOutcomes = await Promise.all(
      Array.from({ length: CONVERSIONS_PER_HOUR + 10 }, () => startConversion(conversionService, 'ann')),
    )
    expect(conversionOutcomes.filter((answer) => answer.startsWith('/api/make/file/'))).toHaveLength(CONVERSIONS_PER_HOUR)
    expect(conversionOutcomes.filter((answer) => answer.includes('within an hour'))).toHaveLength(10)
    expect(await startConversion(conversionService, 'bob')).toContain('/api/make/file/')
    expect(await listFiles()).toHaveLength(CONVERSIONS_PER_HOUR + 1)
  })

  test('a conversion can be cancelled while it waits, starts or runs, but not once it is done; cancelling leaves no files', async () => {
    const conversionService = openService()
    const conversionIds = Array.from({ length: 6 }, () => randomUUID())
    const conversionOutcomes = conversionIds.map((id) => startConversion(conversionService, 'ann', { id, text: 'endless' }))
    // Any of these conversions may be the first to run.
    const listStates = () => Promise.all(conversionIds.map(async (id) => (await conversionService.status('ann', id)).state))
    await vi.waitFor(async () => expect(await listStates()).toContain('running'), 20_000)
    await expect(conversionService.cancel('bob', conversionIds[0] ?? '')).rejects.toMatchObject({ code: 404 })
    // Some conversions run. When a cancelled one ends, the next one starts in its place and is cancelled as it begins.
    await Promise.all(conversionIds.map(async (id) => vi.waitFor(() => conversionService.cancel('ann', id), 20_000)))
    expect(new Set(await Promise.all(conversionOutcomes))).toEqual(new Set(['The conversion was cancelled.']))
    await expectFiles([])
    const conversionId = randomUUID()
    const downloadUrl = await startConversion(conversionService, 'ann', { id: conversionId })
    await conversionService.cancel('ann', conversionId)
    expect(await conversionService.status('ann', conversionId)).toMatchObject({ state: 'done' })
    expect(await openAddress(conversionService, downloadUrl)).toBeDefined()
    expect(await fixture.storage.makeHistory.list('ann', { limit: 9, offset: 0 })).toHaveLength(1)
  }, 60_000)

  test('the same id from the same account returns the same conversion; another account does not find it', async () => {
    const conversionService = openService()
    const conversionId = randomUUID()
    const conversionOutcomes = await Promise.all([
      startConversion(conversionService, 'ann', { id: conversionId }),
      startConversion(conversionService, 'ann', { id: conversionId, text: 'other' }),
    ])
    expect(new Set(conversionOutcomes.map((answer) => answer.split('?')[0])).size).toBe(1)
    expect(await startConversion(conversionService, 'bob', { id: conversionId })).toBe('There is no such conversion.')
    await expectFiles([`${conversionId}.out`])
  })

  test('disk space is limited for the server and for each account; a file that is too large is not stored', {
    tags: ['long'],
  }, async () => {
    const gibibyte = 1024 ** 3
    let totalBytes = 2.6 * gibibyte
    const conversionService = openService({ sumBytes: async (uid) => (uid === 'ann' ? gibibyte + 1 : uid === undefined ? totalBytes : 0) })
    expect(await startConversion(conversionService, 'ann')).toContain('1 GB')
    expect(await startConversion(conversionService, 'bob')).toContain('/api/make/file/')
    // The samples and files of two running conversions count as used space in advance.
    totalBytes = 2.8 * gibibyte
    expect(await startConversion(conversionService, 'bob')).toContain('no room')
    let sumBytesCallCount = 0
    const fullService = openService({ sumBytes: async (uid) => (uid === undefined ? sumBytesCallCount++ * 5 * gibibyte : 0) })
    expect(await startConversion(fullService, 'bob')).toContain('no room')
    expect(await startConversion(fullService, 'bob')).toContain('no room')
    expect(await listFiles()).toHaveLength(1)
  })

  test('a sweep deletes the files of uploads and running conversions that a killed server left behind, even if the song is still stored', async () => {
    const conversionService = openService()
    const conversionId = randomUUID()
    await startConversion(conversionService, 'ann', { id: conversionId })
    const oldFiles = [`${randomUUID()}.upload`, `${conversionId}.0123456789ab-samples`, `${conversionId}.0123456789ab-out`]
    const newFiles = [`${randomUUID()}.upload`, `${conversionId}.ba9876543210-samples`]
    const anHourAgo = new Date(Date.now() - 60 * MINUTE_MS)
    for (const file of [...oldFiles, ...newFiles]) await writeFile(join(folderPath, 'conversions', file), 'x')
    for (const file of oldFiles) await utimes(join(folderPath, 'conversions', file), anHourAgo, anHourAgo)
    await conversionService.sweep()
    expect((await listFiles()).toSorted()).toEqual([`${conversionId}.out`, ...newFiles].toSorted())
  })

  test('an account that may convert no more songs is refused before its file is stored, but may repeat an earlier request', async () => {
    let begunCount = 0
    const conversionService = openService({ countSince: async (uid) => (uid === 'ann' ? begunCount : 0) })
    const conversionId = randomUUID()
    await startConversion(conversionService, 'ann', { id: conversionId })
    begunCount = CONVERSIONS_PER_HOUR - 1
    await expect(conversionService.requireRoom('ann', undefined)).resolves.toBeUndefined()
    begunCount = CONVERSIONS_PER_HOUR
    await expect(conversionService.requireRoom('ann', undefined)).rejects.toMatchObject({ code: 429 })
    await expect(conversionService.requireRoom('ann', conversionId)).resolves.toBeUndefined()
    await expect(conversionService.requireRoom('bob', undefined)).resolves.toBeUndefined()
  })

  test('a sweep keeps the file of a song that arrives during the sweep', async () => {
    const conversionId = randomUUID()
    const { listEnds } = fixture.storage.conversions
    const conversionService = openService({
      listEnds: async () => {
        const ends = await listEnds()
        await writeFile(join(folderPath, 'conversions', `${conversionId}.in`), '')
        return ends
      },
    })
    await conversionService.sweep()
    await expectFiles([`${conversionId}.in`])
  })

  test('a conversion whose end cannot be stored is converted again, and is in the history once', async () => {
    expectedError = 'the database is gone'
    const completeConversion = vi.fn(() => Promise.reject(new Error(expectedError)))
    const firstService = openService({ complete: completeConversion })
    const conversionId = randomUUID()
    expect(await startConversion(firstService, 'ann', { id: conversionId })).toContain('was interrupted')
    await firstService.close()
    nowMs += MINUTE_MS
    const secondService = openService()
    expect(await startConversion(secondService, 'ann', { id: conversionId })).toContain('/api/make/file/')
    expect(completeConversion).toHaveBeenCalledOnce()
    expect(await fixture.storage.makeHistory.list('ann', { limit: 9, offset: 0 })).toHaveLength(1)
    await expectFiles([`${conversionId}.out`])
  })

  test.each(['SIGTERM', 'SIGINT'])(
    'a conversion whose process gets %s, like all processes of a server that stops, begins again and is done',
    async (signal) => {
      const conversionService = openService()
      const conversionId = randomUUID()
      expect(await startConversion(conversionService, 'ann', { id: conversionId, text: signal })).toContain('was interrupted')
      expect(await conversionService.status('ann', conversionId)).toMatchObject({ state: 'running' })
      nowMs += MINUTE_MS
      expect(await startConversion(conversionService, 'ann', { id: conversionId })).toContain('/api/make/file/')
      await expectFiles([`${conversionId}.out`])
    },
    30_000,
  )

  test('a conversion whose process is killed, for instance for lack of memory, fails and does not begin again', async () => {
    const conversionService = openService()
    expect(await startConversion(conversionService, 'ann', { text: 'SIGKILL' })).toContain('could not be converted')
    await expectFiles([])
  })

  test('a conversion whose upload was lost fails instead of waiting forever, and an upload without a conversion is deleted', async () => {
    const conversionService = openService()
    const [lostConversionId, conversionId] = [randomUUID(), randomUUID()]
    const unfinishedRow = {
      uid: 'ann',
      state: 'running',
      file_name: 'a',
      upload_bytes: 4,
      file_bytes: 0,
      demuxer: 'flac',
      rate: 1,
    } as const
    const conversionRow = { ...unfinishedRow, format: 'mp3', message: '', secret: 'x', created: nowMs } as const
    await fixture.storage.conversions.add({ ...conversionRow, id: lostConversionId }, 9, 0, nowMs)
    await startConversion(conversionService, 'ann', { id: conversionId })
    await writeFile(join(folderPath, 'conversions', `${conversionId}.in`), '')
    await conversionService.sweep()
    expect(await conversionService.status('ann', lostConversionId)).toMatchObject({ state: 'running' })
    await expectFiles([`${conversionId}.out`])
    nowMs += 20 * MINUTE_MS
    await conversionService.sweep()
    expect(await conversionService.status('ann', lostConversionId)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('try again'),
    })
    expect(await conversionService.status('ann', conversionId)).toMatchObject({ state: 'done' })
  })

  test('if a process dies while it stores an upload, the same request sent again brings the upload, and is converted', async () => {
    const conversionService = openService()
    const conversionId = randomUUID()
    const conversionRow = {
      id: conversionId,
      uid: 'ann',
      state: 'queued',
      file_name: 'song (+25%).wav',
      upload_bytes: 9,
      file_bytes: 0,
    } as const
    await fixture.storage.conversions.add(
      { ...conversionRow, demuxer: 'flac', rate: 1.25, format: 'wav', message: '', secret: 'x', created: nowMs },
      9,
      0,
      nowMs + MINUTE_MS,
    )
    nowMs += MINUTE_MS
    expect(await startConversion(conversionService, 'bob', { id: conversionId })).toBe('There is no such conversion.')
    expect(await startConversion(conversionService, 'ann', { id: conversionId })).toContain('/api/make/file/')
    await expectFiles([`${conversionId}.out`])
  })

  test('a sweep of another process that listed the files before a conversion was stopped does not end the conversion', async () => {
    const conversionId = randomUUID()
    const firstService = openService()
    void startConversion(firstService, 'ann', { id: conversionId, text: 'endless' })
    await vi.waitFor(() => expect(firstService.queueCounts().running).toBe(1), 30_000)
    await firstService.close()
    fileStore = { ...fileStore, list: async () => [] }
    const serviceWithoutFfmpeg = openService({}, '')
    await serviceWithoutFfmpeg.sweep()
    expect(await serviceWithoutFfmpeg.status('ann', conversionId)).toMatchObject({ state: 'running' })
  })

  test('a sweep keeps the files of a conversion that runs in this process, however long it takes', async () => {
    const conversionService = openService()
    const conversionId = randomUUID()
    void startConversion(conversionService, 'ann', { id: conversionId, text: 'endless' })
    await vi.waitFor(() => expect(conversionService.queueCounts().running).toBe(1), 30_000)
    const fileName = `${conversionId}.0123456789ab-out`
    await writeFile(join(folderPath, 'conversions', fileName), 'x')
    const anHourAgo = new Date(Date.now() - 60 * MINUTE_MS)
    await utimes(join(folderPath, 'conversions', fileName), anHourAgo, anHourAgo)
    await conversionService.sweep()
    expect(await listFiles()).toContain(fileName)
  })

  test('while the file store does not answer for a free conversion, running ones are held', async () => {
    const [runningId, freeId] = [randomUUID(), randomUUID()]
    const { size } = fileStore
    let endSilence = (): void => expect.fail()
    const silence = new Promise<undefined>((resolve) => {
      endSilence = () => resolve(undefined)
    })
    const askFreeSize = vi.fn(() => silence)
    fileStore = { ...fileStore, size: (name) => (name.includes(freeId) ? askFreeSize() : size(name)) }
    const conversionService = openService()
    void startConversion(conversionService, 'ann', { id: runningId, text: 'endless' })
    await vi.waitFor(() => expect(conversionService.queueCounts().running).toBe(1), 30_000)
    const freeRow = { id: freeId, uid: 'ann', state: 'queued', file_name: 'a', upload_bytes: 4, file_bytes: 0, demuxer: 'flac' } as const
    await fixture.storage.conversions.add({ ...freeRow, rate: 1, format: 'mp3', message: '', secret: 'x', created: nowMs }, 9, 0, nowMs)
    await vi.waitFor(() => expect(askFreeSize).toHaveBeenCalled(), 30_000)
    nowMs += MINUTE_MS
    await vi
      .waitFor(async () => expect((await fixture.storage.conversions.find(runningId))?.held_until).toBeGreaterThan(nowMs), 30_000)
      .finally(endSilence)
  }, 60_000)

  test('a process without ffmpeg leaves the songs of a process that has ended to one with ffmpeg', async () => {
    const conversionId = randomUUID()
    const firstService = openService()
    void startConversion(firstService, 'ann', { id: conversionId, text: 'endless' })
    await vi.waitFor(() => expect(firstService.queueCounts().running).toBe(1), 30_000)
    await firstService.close()
    const serviceWithoutFfmpeg = openService({}, '')
    // The service takes the songs that no process holds before it answers a request.
    expect(await startConversion(serviceWithoutFfmpeg, 'ann', { id: conversionId })).toContain('ffmpeg is not installed')
    expect(serviceWithoutFfmpeg.queueCounts()).toEqual({ waiting: 0, running: 0 })
    const serviceWithFfmpeg = openService()
    await vi.waitFor(() => expect(serviceWithFfmpeg.queueCounts().running).toBe(1), 30_000)
    expect(await serviceWithFfmpeg.status('ann', conversionId)).toMatchObject({ state: 'running' })
  })

  test('of two processes, one runs a conversion; the other one waits for it, cancels it, and takes it over when the first has ended', {
    tags: ['long'],
  }, async () => {
    const firstService = openService()
    const secondService = openService()
    const conversionId = randomUUID()
    const conversionOutcomes = [startConversion(firstService, 'ann', { id: conversionId, text: 'endless' })]
    await vi.waitFor(
      async () => expect(await firstService.status('ann', conversionId)).toMatchObject({ state: 'running', progress: 0.5 }),
      30_000,
    )
    conversionOutcomes.push(startConversion(secondService, 'ann', { id: conversionId, text: 'endless' }))
    await vi.waitFor(
      async () => expect(await secondService.status('ann', conversionId)).toMatchObject({ state: 'running', progress: 0.5 }),
      30_000,
    )
    expect([firstService.queueCounts().running, secondService.queueCounts().running]).toEqual([1, 0])
    await secondService.cancel('ann', conversionId)
    expect(await Promise.all(conversionOutcomes)).toEqual(['The conversion was cancelled.', 'The conversion was cancelled.'])
    await vi.waitFor(async () => expect([firstService.queueCounts().running, await listFiles()]).toEqual([0, []]), 30_000)

    const otherConversionId = randomUUID()
    void startConversion(firstService, 'ann', { id: otherConversionId, text: 'endless' })
    await vi.waitFor(() => expect(firstService.queueCounts().running).toBe(1), 30_000)
    await firstService.close()
    await vi.waitFor(() => expect(secondService.queueCounts().running).toBe(1), 30_000)
  })
})
