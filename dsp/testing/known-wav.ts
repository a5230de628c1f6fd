import { hash } from '../hash.ts'
import type { Kernel } from '../kernel.ts'
import { gainFor } from '../levels.ts'
import { plannedFrames, planRender, type RenderSettings } from '../render-plan.ts'
import { createRenderer } from '../renderer.ts'
import { SEGMENT_FRAMES } from '../segments.ts'
import { wavHeader } from '../wav.ts'

export interface KnownWav {
  readonly name: string
  readonly settings: RenderSettings
  /** Of the noise that the sound is. */
  readonly level: number
  readonly checksum: number
}

/** Whole files of 16 bits, in whatever runtime and by how many workers they are written. */
export const KNOWN_WAVS: readonly KnownWav[] = [
  { name: 'quiet', settings: { sampleRate: 44_100, rate: 1.25 }, level: 0.3, checksum: 1_613_848_761 },
  { name: 'hot', settings: { sampleRate: 44_100, rate: 0.8 }, level: 1, checksum: -633_619_945 },
  {
    name: 'with all',
    settings: { sampleRate: 44_100, rate: 0.8, bassDb: 4, reverb: { seconds: 3, amount: 0.3 } },
    level: 0.7,
    checksum: 147_316_027,
  },
]

const FRAMES = 600_000

export const knownSound = ({ level }: KnownWav): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] => {
  const noise = (seed: number) => Float32Array.from({ length: FRAMES }, (_, frame) => (level * hash(2 * frame + seed)) / 2 ** 31)
  return [noise(0), noise(1)]
}

export const checksumOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => hash(sum + byte), 0)

/** The file, rendered in one thread. */
export function knownWav(kernel: Kernel, known: KnownWav): Uint8Array {
  const plan = planRender(known.settings)
  const frames = plannedFrames(plan, FRAMES)
  const [renderer, output, channels] = [createRenderer(kernel), new Float32Array(2 * frames), knownSound(known)]
  for (let first = 0; first < frames; first += SEGMENT_FRAMES)
    renderer.render(plan, { channels, startFrame: 0 }, first, output.subarray(2 * first, 2 * Math.min(frames, first + SEGMENT_FRAMES)))
  const header = wavHeader({ format: 'int16', channels: 2, sampleRate: known.settings.sampleRate, frames })
  const samples = new Int16Array(output.length)
  kernel.quantise(output, gainFor(kernel.peak(output)), 0, samples)
  const file = new Uint8Array(header.length + samples.byteLength)
  file.set(header)
  file.set(new Uint8Array(samples.buffer), header.length)
  return file
}
