import { CELL_FRAMES, type Kernel, type Spectrum } from './kernel.ts'
import type { DryPlan, PlannedReverb, RenderPlan } from './render-plan.ts'
import { designImpulse } from './reverb.ts'

/**
 * Uniformly partitioned overlap-save convolution: the impulse response is split into partitions of one cell (CELL_FRAMES frames), and partition p is
 * multiplied
 * with the input spectrum of p cells earlier (T. G. Stockham, "High-speed convolution and correlation", 1966; F. Wefers, "Partitioned
 * convolution algorithms for real-time auralization", 2015, section 5.3).
 */
export function createConvolver(kernel: Kernel) {
  const sumSpectrum = kernel.allocateSpectrum()
  /** The spectra of the partitions of the impulse response. */
  const responseSpectra: Spectrum[] = []
  /**
   * The ring buffer of input spectra. Each spectrum is computed from a cell (CELL_FRAMES frames) and the cell before it; that of cell n is at index n
   * modulo the length of the buffer.
   */
  const cellInputs: { spectrum: Spectrum; cellIndex: number }[] = []
  let inputPlan: DryPlan | undefined
  let loadedReverb: PlannedReverb | undefined

  /**
   * Discards the input spectra if they belong to another plan, or if the ring buffer grows, because its length determines their indexes.
   */
  function prepareInputs(plan: DryPlan, partitionCount: number) {
    if (inputPlan === plan && cellInputs.length >= partitionCount) return
    while (cellInputs.length < partitionCount) cellInputs.push({ spectrum: kernel.allocateSpectrum(), cellIndex: -1 })
    for (const input of cellInputs) input.cellIndex = -1
    inputPlan = plan
  }

  function loadResponse(reverb: PlannedReverb) {
    const { seconds, sampleRate, partitionCount: partitionTotal } = reverb
    if (loadedReverb?.seconds === seconds && loadedReverb.sampleRate === sampleRate) return
    loadedReverb = reverb
    const { re, im } = designImpulse(seconds, sampleRate)
    for (let partitionIndex = 0; partitionIndex < partitionTotal; partitionIndex++) {
      responseSpectra[partitionIndex] ??= kernel.allocateSpectrum()
      const startFrame = partitionIndex * CELL_FRAMES
      const endFrame = startFrame + CELL_FRAMES
      kernel.transformResponse(
        re.subarray(startFrame, endFrame),
        im.subarray(startFrame, endFrame),
        responseSpectra[partitionIndex] as Spectrum,
      )
    }
  }

  return {
    /**
     * Computes the impulse response of a reverb, unless the convolver already holds it. Without this call, the first call of `addReverb`
     * computes the response and takes longer.
     */
    loadResponse,
    /** Adds the reverb of a cell (CELL_FRAMES frames) to `outputSamples`. `dryCell` returns the cell of the input at an index. */
    addReverb(
      plan: RenderPlan,
      channelCount: number,
      cellIndex: number,
      dryCell: (index: number) => Float32Array,
      outputSamples: Float32Array,
    ): void {
      const { reverb } = plan
      if (reverb === undefined) return
      prepareInputs(plan.dry, reverb.partitionCount)
      loadResponse(reverb)
      sumSpectrum.re.fill(0)
      sumSpectrum.im.fill(0)
      // The loop starts with the oldest cell, so that `dryCell` is called in ascending order. Input before cell 0 is silent.
      for (let partitionIndex = Math.min(cellIndex, reverb.partitionCount - 1); partitionIndex >= 0; partitionIndex--) {
        const cellInput = cellInputs[(cellIndex - partitionIndex) % cellInputs.length] as (typeof cellInputs)[number]
        if (cellInput.cellIndex !== cellIndex - partitionIndex) {
          kernel.transform(dryCell(cellIndex - partitionIndex - 1), dryCell(cellIndex - partitionIndex), channelCount, cellInput.spectrum)
          cellInput.cellIndex = cellIndex - partitionIndex
        }
        kernel.multiplyAdd(cellInput.spectrum, responseSpectra[partitionIndex] as Spectrum, sumSpectrum)
      }
      kernel.addInverse(sumSpectrum, reverb.amount, outputSamples, channelCount)
    },
  }
}
export type Convolver = ReturnType<typeof createConvolver>
