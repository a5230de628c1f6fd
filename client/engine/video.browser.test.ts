import { Input } from 'mediabunny'
import { afterEach, expect, it, vi } from 'vitest'
import { toneSource } from '../../dsp/testing/tone.ts'
import type { MakerSettings, VideoDesign } from './engine.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import { createMemorySound } from './sound.ts'
import { removeExportsAfterEach } from './testing/exported-files.ts'
import { createSoundFile, fixtureBytes } from './testing/fixtures.ts'
import { checkMp4 } from './testing/mp4-structure.ts'
import { createVideoStudio } from './video/video-studio.ts'
import { startVideoExport } from './video-task.ts'
import { openPictureSource } from './workers/picture-source.ts'

const SAMPLE_RATE = 44_100
const settings: MakerSettings = { speed: 1, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }
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

async function makeVideo(changes: Partial<VideoDesign> = {}, seconds = 3) {
  const studio = createVideoStudio(() => undefined)
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
  const tone = toneSource({ frequencyHz: 997, frames: seconds * SAMPLE_RATE }).channels as [Float32Array<ArrayBuffer>]
  const task = startVideoExport({
    pool,
    sound: createMemorySound(tone, SAMPLE_RATE),
    details: { name: 'city lights.mp3' } as Parameters<typeof startVideoExport>[0]['details'],
    settings,
    output: { tags: {}, namePattern: '', targetLufs: undefined },
    design,
    format,
    previousExport: undefined,
    onProgress: () => {},
  })
  return { task, format }
}

it('video: a still picture becomes an MP4 file with the structure that video platforms ask for', async () => {
  const { task } = await makeVideo()
  const outcome = await task.result
  if (outcome.kind !== 'exported') throw new Error(JSON.stringify(outcome))
  expect(outcome.fileName).toBe('city lights (speed 1, pitch 0).mp4')
  const bytes = new Uint8Array((await outcome.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 3 })).toMatchObject({ faults: [], pictures: 91, packets: 142 })
})

it('video: a picture file that contains no pictures is refused and closed', async () => {
  const dispose = vi.spyOn(Input.prototype, 'dispose')
  const { blob } = createSoundFile('aac.m4a', await fixtureBytes('aac.m4a'))
  expect(await openPictureSource(blob)).toBeUndefined()
  expect(dispose).toHaveBeenCalledOnce()
  dispose.mockRestore()
})

it('video: a spectrum ring is drawn over a gliding picture', async () => {
  const { task } = await makeVideo({ overlay: 'ring', motion: 'glide' })
  const outcome = await task.result
  if (outcome.kind !== 'exported') throw new Error(JSON.stringify(outcome))
  const bytes = new Uint8Array((await outcome.file?.arrayBuffer()) ?? new ArrayBuffer())
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 3 }).faults).toEqual([])
})
