import { hashIndex } from '../hash.ts'
import { type Kernel, SEGMENT_FRAMES } from '../kernel.ts'
import { gainForPeak } from '../levels.ts'
import { plannedOutputFrames, planRender, type RenderSettings } from '../render-plan.ts'
import { createRenderer } from '../renderer.ts'
import { wavHeader } from '../wav.ts'

export interface KnownWav {
  readonly name: string
  readonly settings: RenderSettings
  /** The peak level of the noise that is rendered. */
  readonly peakLevel: number
  readonly checksum: number
}

/** The settings and the checksums of 16-bit WAV files. The checksums are the same in every runtime and for any number of workers. */
export const KNOWN_WAVS: readonly KnownWav[] = [
  { name: 'quiet', settings: { sampleRate: 44_100, rate: 1.25 }, peakLevel: 0.3, checksum: 1_613_848_761 },
  { name: 'hot', settings: { sampleRate: 44_100, rate: 0.8 }, peakLevel: 1, checksum: -633_619_945 },
  {
    name: 'with all',
    settings: { sampleRate: 44_100, rate: 0.8, bassDb: 4, reverb: { seconds: 3, amount: 0.3 } },
    peakLevel: 0.7,
    checksum: -1_374_183_500,
  },
]

const INPUT_FRAMES = 600_000

export const knownSound = ({ peakLevel: level }: KnownWav): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] => {
  const noiseSamples = (seed: number) =>
    Float32Array.from({ length: INPUT_FRAMES }, (_, frame) => (level * hashIndex(2 * frame + seed)) / 2 ** 31)
  return [noiseSamples(0), noiseSamples(1)]
}

export const checksumOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => hashIndex(sum + byte), 0)

/** Renders one of the known WAV files in a single thread. */
export function knownWav(kernel: Kernel, wavCase: KnownWav): Uint8Array {
  const plan = planRender(wavCase.settings)
  const frames = plannedOutputFrames(plan, INPUT_FRAMES)
  const [renderer, output, channels] = [createRenderer(kernel), new Float32Array(2 * frames), knownSound(wavCase)]
  for (let firstFrame = 0; firstFrame < frames; firstFrame += SEGMENT_FRAMES)
    renderer.render(
      plan,
      { channels, startFrame: 0 },
      firstFrame,
      output.subarray(2 * firstFrame, 2 * Math.min(frames, firstFrame + SEGMENT_FRAMES)),
    )
  const header = wavHeader({ format: 'int16', channels: 2, sampleRate: wavCase.settings.sampleRate, frames })
  const samples = new Int16Array(output.length)
  kernel.quantise(output, gainForPeak(kernel.peak(output)), 0, samples)
  const file = new Uint8Array(header.length + samples.byteLength)
  file.set(header)
  file.set(new Uint8Array(samples.buffer), header.length)
  return file
}
