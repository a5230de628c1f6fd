import { CELL_FRAMES, type Kernel, type Spectrum } from './kernel.ts'
import type { PlannedReverb, RenderPlan } from './render-plan.ts'
import { designImpulse, type Impulse } from './reverb.ts'

/**
 * Convolution with a long impulse, cell by cell: the impulse in partitions of a cell, each multiplied with the spectrum of the sound as many
 * cells before (T. G. Stockham, "High-speed convolution and correlation", 1966; uniformly partitioned overlap-save as in F. Wefers, "Partitioned
 * convolution algorithms for real-time auralization", 2015, section 5.3).
 */
export interface Convolver {
  /** Adds to `output`, which has cell `index`, its reverb; `dryCell` gives the cells without. */
  addReverb(plan: RenderPlan, channels: number, index: number, dryCell: (index: number) => Float32Array, output: Float32Array): void
}

export function createConvolver(kernel: Kernel): Convolver {
  const sum = kernel.allocateSpectrum()
  /** Of each partition of the impulse. */
  const responses: Spectrum[] = []
  /** Of the last cells of sound, each together with the one before it; cell n stands at n modulo the number of partitions. */
  const sounds: { spectrum: Spectrum; index: number }[] = []
  let loaded: RenderPlan | undefined

  function load(plan: RenderPlan, reverb: PlannedReverb) {
    if (loaded === plan) return
    for (const sound of sounds) sound.index = -1
    // A room that stays takes longer to work out than the sound in it.
    if (loaded?.reverb?.seconds !== reverb.seconds || loaded.reverb.sampleRate !== reverb.sampleRate) loadRoom(reverb)
    loaded = plan
  }

  function loadRoom({ seconds, sampleRate, partitions }: PlannedReverb) {
    const impulse = designImpulse(seconds, sampleRate)
    for (let partition = 0; partition < partitions; partition++) {
      responses[partition] ??= kernel.allocateSpectrum()
      sounds[partition] ??= { spectrum: kernel.allocateSpectrum(), index: -1 }
      kernel.transform(partitionOf(impulse, partition), new Float32Array(2 * CELL_FRAMES), 2, responses[partition] as Spectrum)
    }
  }

  return {
    addReverb(plan, channels, index, dryCell, output) {
      const { reverb } = plan
      if (reverb === undefined) return
      load(plan, reverb)
      sum.re.fill(0)
      sum.im.fill(0)
      // From the oldest cell on, so that each is made from the one before. There is no sound before cell 0.
      for (let partition = Math.min(index, reverb.partitions - 1); partition >= 0; partition--) {
        const sound = sounds[(index - partition) % reverb.partitions] as (typeof sounds)[number]
        if (sound.index !== index - partition) {
          kernel.transform(dryCell(index - partition - 1), dryCell(index - partition), channels, sound.spectrum)
          sound.index = index - partition
        }
        kernel.multiplyAdd(sound.spectrum, responses[partition] as Spectrum, sum)
      }
      kernel.addInverse(sum, reverb.amount, output, channels)
    },
  }
}

/** A cell of the impulse, interleaved; silent after its end. */
function partitionOf({ re, im }: Impulse, partition: number): Float32Array {
  const cell = new Float32Array(2 * CELL_FRAMES)
  for (let frame = 0; frame < CELL_FRAMES; frame++) {
    cell[2 * frame] = re[partition * CELL_FRAMES + frame] ?? 0
    cell[2 * frame + 1] = im[partition * CELL_FRAMES + frame] ?? 0
  }
  return cell
}
