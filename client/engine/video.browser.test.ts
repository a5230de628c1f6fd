import { AudioSampleSink, BlobSource, Input, MP4, VideoSampleSink } from 'mediabunny'
import { afterEach, expect, it, vi } from 'vitest'
import { synthesizeTone } from '../../dsp/testing/tone.ts'
import type { MakerSettings, VideoDesign } from './engine.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import { createMemorySound } from './sound.ts'
import { removeExportsAfterEach } from './testing/exported-files.ts'
import { createSoundFile, readFixtureBytes } from './testing/fixtures.ts'
import { checkMp4 } from './testing/mp4-structure.ts'
import { startVideoExport } from './testing/start-export.ts'
import { prepareSound } from './video/prepared-sound.ts'
import { createVideoStudio } from './video/video-studio.ts'
import { openPictureSource } from './workers/picture-source.ts'

const SAMPLE_RATE = 44_100
const settings: MakerSettings = { speed: 1, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }
const outputOptions = { tags: {}, namePattern: '', targetLufs: undefined }
const videoFont = { family: 'sans-serif', weight: '700', stretch: 'normal' } as const
const videoStyle: VideoDesign['style'] = {
  accent: '#ff4fcb',
  secondAccent: '#2fe3ff',
  text: '#f4effc',
  shade: '#09060f',
  titleFont: videoFont,
  artistFont: videoFont,
}

let pool: RenderPool | undefined
afterEach(() => pool?.dispose())
removeExportsAfterEach()

async function createGradientPicture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(320, 180)
  const context = canvas.getContext('2d')
  const gradient = context?.createLinearGradient(0, 0, 320, 180)
  gradient?.addColorStop(0, '#ff2fb9')
  gradient?.addColorStop(1, '#2fe3ff')
  if (context && gradient) {
    context.fillStyle = gradient
    context.fillRect(0, 0, 320, 180)
  }
  return canvas.convertToBlob()
}

const createTone = (seconds: number) =>
  synthesizeTone({ frequencyHz: 997, frames: seconds * SAMPLE_RATE }).channels as [Float32Array<ArrayBuffer>]

async function makeVideo(
  designChanges: Partial<VideoDesign> = {},
  samples: readonly [Float32Array<ArrayBuffer>] = createTone(3),
  request: Partial<Parameters<typeof startVideoExport>[0]> = {},
) {
  const studio = createVideoStudio()
  pool = createRenderPool(2)
  const design: VideoDesign = {
    width: 320,
    height: 180,
    picture: await createGradientPicture(),
    motion: 'still',
    overlay: 'none',
    title: 'City Lights',
    artist: 'Somebody',
    sound: 'compressed',
    style: videoStyle,
    ...designChanges,
  }
  const format = await studio.findFormat(design, design.sound)
  studio.dispose()
  if (format === undefined) throw new Error('no encoder')
  const exportTask = startVideoExport({
    pool,
    sound: createMemorySound(samples, SAMPLE_RATE),
    details: { name: 'city lights.mp3' } as Parameters<typeof startVideoExport>[0]['details'],
    settings,
    output: outputOptions,
    design,
    format,
    onProgress: () => {},
    ...request,
  })
  return { task: exportTask, format }
}

it('video: a still picture becomes an MP4 file with the structure that video platforms require', async () => {
  const { task } = await makeVideo()
  const exportOutcome = await task.result
  if (exportOutcome.kind !== 'exported') throw new Error(JSON.stringify(exportOutcome))
  expect(exportOutcome.fileName).toBe('city lights (speed 1, pitch 0).mp4')
  const bytes = new Uint8Array((await exportOutcome.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 3 })).toMatchObject({ faults: [], pictures: 91, packets: 142 })
})

it('video: the format for a size is found once, also for a dialog that is opened later', async () => {
  const frameSize = { width: 320, height: 192 }
  const terminateSpy = vi.spyOn(Worker.prototype, 'terminate')
  try {
    const videoFormat = await createVideoStudio().findFormat(frameSize, 'compressed')
    expect(videoFormat?.container).toBe('mp4')
    expect(await createVideoStudio().findFormat(frameSize, 'compressed')).toEqual(videoFormat)
    expect(await createVideoStudio().findFormat(frameSize, 'lossless')).toEqual({ ...videoFormat, container: 'mov' })
    expect(terminateSpy).toHaveBeenCalledOnce()
  } finally {
    terminateSpy.mockRestore()
  }
})

it('video: a sound that was compressed before makes the same video, and its workers end with the last use', {
  tags: ['long'],
}, async () => {
  const toneSamples = createTone(3)
  const sound = createMemorySound(toneSamples, SAMPLE_RATE)
  const preparedSound = prepareSound({ sound, settings, output: outputOptions }, 3, 1)
  const unpreparedResult = await (await makeVideo({}, toneSamples)).task.result
  const preparedResult = await (await makeVideo({}, toneSamples, { sound, preparedSound })).task.result
  if (unpreparedResult.kind !== 'exported' || preparedResult.kind !== 'exported')
    throw new Error(JSON.stringify([unpreparedResult, preparedResult]))
  expect(preparedResult.bytes).toBe(unpreparedResult.bytes)
  const fileBytes = new Uint8Array((await preparedResult.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(fileBytes, { frameRate: 30, gopFrames: 15, durationS: 3 }).faults).toEqual([])
  expect(preparedSound?.fits({ sound, settings: { ...settings }, output: outputOptions })).toBe(false)
  expect(preparedSound?.fits({ sound, settings, output: outputOptions })).toBe(true)
  preparedSound?.dispose()
  expect(preparedSound?.fits({ sound, settings, output: outputOptions })).toBe(false)
})

it('video: if pictures follow a sound that was compressed in advance, its packets are used', { tags: ['long'] }, async () => {
  const toneSamples = createTone(3)
  const sound = createMemorySound(toneSamples, SAMPLE_RATE)
  const preparedSound = prepareSound({ sound, settings, output: outputOptions }, 3, 1)
  const preparedResult = await (await makeVideo({ overlay: 'ring' }, toneSamples, { sound, preparedSound })).task.result
  if (preparedResult.kind !== 'exported') throw new Error(JSON.stringify(preparedResult))
  const fileBytes = new Uint8Array((await preparedResult.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(fileBytes, { frameRate: 30, gopFrames: 15, durationS: 3 })).toMatchObject({ faults: [], pictures: 91, packets: 142 })
  expect(preparedSound?.fits({ sound, settings, output: outputOptions })).toBe(true)
  preparedSound?.dispose()
})

it.each(['before its file exists', 'during its first part'])(
  'video: cancelling a video %s ends the compression of its sound at once',
  async (cancelMoment) => {
    const toneSamples = createTone(12)
    const sound = createMemorySound(toneSamples, SAMPLE_RATE)
    const preparedSound = prepareSound({ sound, settings, output: outputOptions }, 12, 1)
    const onProgress = vi.fn()
    const { task } = await makeVideo({}, toneSamples, { sound, preparedSound, onProgress })
    if (cancelMoment === 'during its first part') await vi.waitFor(() => expect(onProgress).toHaveBeenCalled(), { timeout: 60_000 })
    task.cancel()
    expect(preparedSound?.fits({ sound, settings, output: outputOptions })).toBe(false)
    expect(await task.result).toEqual({ kind: 'cancelled' })
  },
)

it('video: the pictures last as long as the last packet of the sound', { tags: ['long'] }, async () => {
  const { task } = await makeVideo({}, createTone(7))
  const exportOutcome = await task.result
  if (exportOutcome.kind !== 'exported') throw new Error(JSON.stringify(exportOutcome))
  const bytes = new Uint8Array((await exportOutcome.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 7 })).toMatchObject({ faults: [], pictures: 212, packets: 330 })
})

it('video: a picture file that contains no pictures is refused and closed', async () => {
  const disposeSpy = vi.spyOn(Input.prototype, 'dispose')
  const { blob } = createSoundFile('aac.m4a', await readFixtureBytes('aac.m4a'))
  expect(await openPictureSource(blob)).toBeUndefined()
  expect(disposeSpy).toHaveBeenCalledOnce()
  disposeSpy.mockRestore()
})

it('video: a spectrum ring is drawn over a gliding picture', { tags: ['long'] }, async () => {
  const { task } = await makeVideo({ overlay: 'ring', motion: 'glide' })
  const exportOutcome = await task.result
  if (exportOutcome.kind !== 'exported') throw new Error(JSON.stringify(exportOutcome))
  const bytes = new Uint8Array((await exportOutcome.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 3 }).faults).toEqual([])
})

it('video: after four minutes, a click is visible in the picture that is shown while the click sounds', { tags: ['long'] }, async () => {
  const clickAtS = 239
  const clickSamples = new Float32Array(240 * SAMPLE_RATE)
  clickSamples.set(createTone(1)[0].subarray(0, SAMPLE_RATE / 2), clickAtS * SAMPLE_RATE)
  const { task } = await makeVideo({ overlay: 'wave', title: '', artist: '' }, [clickSamples])
  const exportOutcome = await task.result
  if (exportOutcome.kind !== 'exported' || exportOutcome.file === undefined) throw new Error(JSON.stringify(exportOutcome))
  const input = new Input({ source: new BlobSource(exportOutcome.file), formats: [MP4] })
  const [soundTrack, pictureTrack] = [await input.getPrimaryAudioTrack(), await input.getPrimaryVideoTrack()]
  if (soundTrack === null || pictureTrack === null) throw new Error('a track is missing')

  let clickHeardAtS: number | undefined
  for await (const audioSample of new AudioSampleSink(soundTrack).samples(clickAtS - 1)) {
    const samplePlane = new Float32Array(audioSample.numberOfFrames)
    audioSample.copyTo(samplePlane, { planeIndex: 0, format: 'f32-planar' })
    const frame = samplePlane.findIndex((value) => Math.abs(value) > 0.05)
    if (frame >= 0) clickHeardAtS ??= audioSample.timestamp + frame / audioSample.sampleRate
    audioSample.close()
  }
  const canvas = new OffscreenCanvas(320, 180)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('no canvas')
  let previousPixels: Uint8ClampedArray | undefined
  let clickSeenAtS: number | undefined
  for await (const videoSample of new VideoSampleSink(pictureTrack).samples(clickAtS - 1)) {
    videoSample.draw(context, 0, 0)
    // The waveform is a flat line at two thirds of the height until the click.
    const { data } = context.getImageData(80, 100, 160, 15)
    if (previousPixels !== undefined && data.some((value, index) => Math.abs(value - (previousPixels?.[index] ?? 0)) > 60))
      clickSeenAtS ??= videoSample.timestamp
    previousPixels ??= data
    videoSample.close()
  }
  input.dispose()
  expect(Math.abs((clickSeenAtS ?? 0) - (clickHeardAtS ?? 99))).toBeLessThan(1 / 30)
})
