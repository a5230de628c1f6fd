import { AudioSampleSink, BlobSource, Input, MP4, VideoSampleSink } from 'mediabunny'
import { afterEach, expect, it, vi } from 'vitest'
import { toneSource } from '../../dsp/testing/tone.ts'
import type { MakerSettings, VideoDesign } from './engine.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import { createMemorySound } from './sound.ts'
import { removeExportsAfterEach } from './testing/exported-files.ts'
import { createSoundFile, fixtureBytes } from './testing/fixtures.ts'
import { checkMp4 } from './testing/mp4-structure.ts'
import { startVideoExport } from './testing/start-export.ts'
import { prepareSound } from './video/prepared-sound.ts'
import { createVideoStudio } from './video/video-studio.ts'
import { openPictureSource } from './workers/picture-source.ts'

const SAMPLE_RATE = 44_100
const settings: MakerSettings = { speed: 1, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }
const output = { tags: {}, namePattern: '', targetLufs: undefined }
const font = { family: 'sans-serif', weight: '700', stretch: 'normal' } as const
const style: VideoDesign['style'] = {
  accent: '#ff4fcb',
  secondAccent: '#2fe3ff',
  text: '#f4effc',
  shade: '#09060f',
  titleFont: font,
  artistFont: font,
}

let pool: RenderPool | undefined
afterEach(() => pool?.dispose())
removeExportsAfterEach()

async function gradientPicture(): Promise<Blob> {
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
  toneSource({ frequencyHz: 997, frames: seconds * SAMPLE_RATE }).channels as [Float32Array<ArrayBuffer>]

async function makeVideo(
  changes: Partial<VideoDesign> = {},
  samples: readonly [Float32Array<ArrayBuffer>] = createTone(3),
  request: Partial<Parameters<typeof startVideoExport>[0]> = {},
) {
  const studio = createVideoStudio()
  pool = createRenderPool(2)
  const design: VideoDesign = {
    width: 320,
    height: 180,
    picture: await gradientPicture(),
    motion: 'still',
    overlay: 'none',
    title: 'City Lights',
    artist: 'Somebody',
    sound: 'compressed',
    style,
    ...changes,
  }
  const format = await studio.findFormat(design, design.sound)
  studio.dispose()
  if (format === undefined) throw new Error('no encoder')
  const task = startVideoExport({
    pool,
    sound: createMemorySound(samples, SAMPLE_RATE),
    details: { name: 'city lights.mp3' } as Parameters<typeof startVideoExport>[0]['details'],
    settings,
    output,
    design,
    format,
    onProgress: () => {},
    ...request,
  })
  return { task, format }
}

it('video: a still picture becomes an MP4 file with the structure that video platforms require', async () => {
  const { task } = await makeVideo()
  const outcome = await task.result
  if (outcome.kind !== 'exported') throw new Error(JSON.stringify(outcome))
  expect(outcome.fileName).toBe('city lights (speed 1, pitch 0).mp4')
  const bytes = new Uint8Array((await outcome.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 3 })).toMatchObject({ faults: [], pictures: 91, packets: 142 })
})

it('video: the format for a size is found once, also for a dialog that is opened later', async () => {
  const size = { width: 320, height: 192 }
  const endWorker = vi.spyOn(Worker.prototype, 'terminate')
  try {
    const format = await createVideoStudio().findFormat(size, 'compressed')
    expect(format?.container).toBe('mp4')
    expect(await createVideoStudio().findFormat(size, 'compressed')).toEqual(format)
    expect(await createVideoStudio().findFormat(size, 'lossless')).toEqual({ ...format, container: 'mov' })
    expect(endWorker).toHaveBeenCalledOnce()
  } finally {
    endWorker.mockRestore()
  }
})

it('video: a sound that was compressed before makes the same video, and its workers end with the last use', {
  tags: ['long'],
}, async () => {
  const samples = createTone(3)
  const sound = createMemorySound(samples, SAMPLE_RATE)
  const preparedSound = prepareSound({ sound, settings, output }, 3, 1)
  const plainResult = await (await makeVideo({}, samples)).task.result
  const preparedResult = await (await makeVideo({}, samples, { sound, preparedSound })).task.result
  if (plainResult.kind !== 'exported' || preparedResult.kind !== 'exported') throw new Error(JSON.stringify([plainResult, preparedResult]))
  expect(preparedResult.bytes).toBe(plainResult.bytes)
  const bytes = new Uint8Array((await preparedResult.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 3 }).faults).toEqual([])
  expect(preparedSound?.fits({ sound, settings: { ...settings }, output })).toBe(false)
  expect(preparedSound?.fits({ sound, settings, output })).toBe(true)
  preparedSound?.dispose()
  expect(preparedSound?.fits({ sound, settings, output })).toBe(false)
})

it('video: a drawing that follows a sound that was compressed in advance uses the packets of that sound', { tags: ['long'] }, async () => {
  const samples = createTone(3)
  const sound = createMemorySound(samples, SAMPLE_RATE)
  const preparedSound = prepareSound({ sound, settings, output }, 3, 1)
  const preparedResult = await (await makeVideo({ overlay: 'ring' }, samples, { sound, preparedSound })).task.result
  if (preparedResult.kind !== 'exported') throw new Error(JSON.stringify(preparedResult))
  const bytes = new Uint8Array((await preparedResult.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 3 })).toMatchObject({ faults: [], pictures: 91, packets: 142 })
  expect(preparedSound?.fits({ sound, settings, output })).toBe(true)
  preparedSound?.dispose()
})

it.each(['before its file exists', 'during its first part'])(
  'video: cancelling it %s ends the compression of its sound at once',
  async (when) => {
    const samples = createTone(12)
    const sound = createMemorySound(samples, SAMPLE_RATE)
    const preparedSound = prepareSound({ sound, settings, output }, 12, 1)
    const onProgress = vi.fn()
    const { task } = await makeVideo({}, samples, { sound, preparedSound, onProgress })
    if (when === 'during its first part') await vi.waitFor(() => expect(onProgress).toHaveBeenCalled(), { timeout: 60_000 })
    task.cancel()
    expect(preparedSound?.fits({ sound, settings, output })).toBe(false)
    expect(await task.result).toEqual({ kind: 'cancelled' })
  },
)

it('video: the pictures last as long as the last packet of the sound', { tags: ['long'] }, async () => {
  const { task } = await makeVideo({}, createTone(7))
  const outcome = await task.result
  if (outcome.kind !== 'exported') throw new Error(JSON.stringify(outcome))
  const bytes = new Uint8Array((await outcome.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 7 })).toMatchObject({ faults: [], pictures: 212, packets: 330 })
})

it('video: a picture file that contains no pictures is refused and closed', async () => {
  const dispose = vi.spyOn(Input.prototype, 'dispose')
  const { blob } = createSoundFile('aac.m4a', await fixtureBytes('aac.m4a'))
  expect(await openPictureSource(blob)).toBeUndefined()
  expect(dispose).toHaveBeenCalledOnce()
  dispose.mockRestore()
})

it('video: a spectrum ring is drawn over a gliding picture', { tags: ['long'] }, async () => {
  const { task } = await makeVideo({ overlay: 'ring', motion: 'glide' })
  const outcome = await task.result
  if (outcome.kind !== 'exported') throw new Error(JSON.stringify(outcome))
  const bytes = new Uint8Array((await outcome.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 3 }).faults).toEqual([])
})

it('video: after four minutes, a click is visible in the picture that is shown while the click sounds', { tags: ['long'] }, async () => {
  const clickS = 239
  const samples = new Float32Array(240 * SAMPLE_RATE)
  samples.set(createTone(1)[0].subarray(0, SAMPLE_RATE / 2), clickS * SAMPLE_RATE)
  const { task } = await makeVideo({ overlay: 'wave', title: '', artist: '' }, [samples])
  const outcome = await task.result
  if (outcome.kind !== 'exported' || outcome.file === undefined) throw new Error(JSON.stringify(outcome))
  const input = new Input({ source: new BlobSource(outcome.file), formats: [MP4] })
  const [soundTrack, pictureTrack] = [await input.getPrimaryAudioTrack(), await input.getPrimaryVideoTrack()]
  if (soundTrack === null || pictureTrack === null) throw new Error('a track is missing')

  let heardAtS: number | undefined
  for await (const sample of new AudioSampleSink(soundTrack).samples(clickS - 1)) {
    const plane = new Float32Array(sample.numberOfFrames)
    sample.copyTo(plane, { planeIndex: 0, format: 'f32-planar' })
    const frame = plane.findIndex((value) => Math.abs(value) > 0.05)
    if (frame >= 0) heardAtS ??= sample.timestamp + frame / sample.sampleRate
    sample.close()
  }
  const canvas = new OffscreenCanvas(320, 180)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('no canvas')
  let pixelsBefore: Uint8ClampedArray | undefined
  let seenAtS: number | undefined
  for await (const picture of new VideoSampleSink(pictureTrack).samples(clickS - 1)) {
    picture.draw(context, 0, 0)
    // The waveform is a flat line at two thirds of the height until the click.
    const { data } = context.getImageData(80, 100, 160, 15)
    if (pixelsBefore !== undefined && data.some((value, index) => Math.abs(value - (pixelsBefore?.[index] ?? 0)) > 60))
      seenAtS ??= picture.timestamp
    pixelsBefore ??= data
    picture.close()
  }
  input.dispose()
  expect(Math.abs((seenAtS ?? 0) - (heardAtS ?? 99))).toBeLessThan(1 / 30)
})
