import { hashIndex } from '../hash.ts'
import { type Kernel, SEGMENT_FRAMES } from '../kernel.ts'
import { computeGainForPeak } from '../levels.ts'
import { computePlannedOutputFrames, planRender, type RenderSettings } from '../render-plan.ts'
import { createRenderer } from '../renderer.ts'
import { encodeWavHeader } from '../wav.ts'

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

export const synthesizeKnownSound = ({ peakLevel }: KnownWav): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] => {
  const synthesizeNoise = (seed: number) =>
    Float32Array.from({ length: INPUT_FRAMES }, (_, frame) => (peakLevel * hashIndex(2 * frame + seed)) / 2 ** 31)
  return [synthesizeNoise(0), synthesizeNoise(1)]
}

export const computeChecksum = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => hashIndex(sum + byte), 0)

/** Renders one of the known WAV files in a single thread. */
export function renderKnownWav(kernel: Kernel, wavCase: KnownWav): Uint8Array {
  const renderPlan = planRender(wavCase.settings)
  const frames = computePlannedOutputFrames(renderPlan, INPUT_FRAMES)
  const [caseRenderer, outputSamples, soundChannels] = [createRenderer(kernel), new Float32Array(2 * frames), synthesizeKnownSound(wavCase)]
  for (let firstFrame = 0; firstFrame < frames; firstFrame += SEGMENT_FRAMES)
    caseRenderer.render(
      renderPlan,
      { channels: soundChannels, startFrame: 0 },
      firstFrame,
      outputSamples.subarray(2 * firstFrame, 2 * Math.min(frames, firstFrame + SEGMENT_FRAMES)),
    )
  const wavHead = encodeWavHeader({ format: 'int16', channels: 2, sampleRate: wavCase.settings.sampleRate, frames })
  const samples = new Int16Array(outputSamples.length)
  kernel.quantise(outputSamples, computeGainForPeak(kernel.measurePeak(outputSamples)), 0, samples)
  const fileBytes = new Uint8Array(wavHead.length + samples.byteLength)
  fileBytes.set(wavHead)
  fileBytes.set(new Uint8Array(samples.buffer), wavHead.length)
  return fileBytes
}
