import { CELL_FRAMES, type Kernel } from '../kernel.ts'
import type { KernelExports } from './exports.ts'
import type { KernelMemory } from './memory.ts'
import { computeTwiddleFactors } from './spectrum-order.ts'

const TRANSFORM_LENGTH = 2 * CELL_FRAMES

/** Creates the kernel's convolution methods on the compiled kernel. */
export function createConvolution(
  kernel: KernelExports,
  memory: KernelMemory,
): Pick<Kernel, 'allocateSpectrum' | 'transform' | 'transformResponse' | 'multiplyAdd' | 'addInverse'> {
  const cellBuffer = memory.allocateFloats(2 * CELL_FRAMES)
  const twiddleValues = computeTwiddleFactors(TRANSFORM_LENGTH, 4)
  const twiddleMemory = memory.allocateFloats(twiddleValues.length)
  twiddleMemory.set(twiddleValues)
  return {
    allocateSpectrum: () => ({ re: memory.allocateFloats(TRANSFORM_LENGTH), im: memory.allocateFloats(TRANSFORM_LENGTH) }),
    transform(firstCell, secondCell, channelCount, { re, im }) {
      if (channelCount === 1) {
        re.set(firstCell)
        re.set(secondCell, CELL_FRAMES)
        im.fill(0)
      } else {
        for (const [halfIndex, cellSamples] of [firstCell, secondCell].entries()) {
          const cellInMemory = memory.has(cellSamples) ? cellSamples : cellBuffer
          if (cellInMemory !== cellSamples) cellInMemory.set(cellSamples)
          const offset = halfIndex * CELL_FRAMES * 4
          kernel.deinterleave(cellInMemory.byteOffset, re.byteOffset + offset, im.byteOffset + offset, CELL_FRAMES)
        }
      }
      kernel.forward32(re.byteOffset, im.byteOffset, TRANSFORM_LENGTH, twiddleMemory.byteOffset)
    },
    transformResponse(responseRe, responseIm, { re, im }) {
      re.set(responseRe)
      re.fill(0, responseRe.length)
      im.set(responseIm)
      im.fill(0, responseIm.length)
      kernel.forward32(re.byteOffset, im.byteOffset, TRANSFORM_LENGTH, twiddleMemory.byteOffset)
    },
    multiplyAdd(firstSpectrum, secondSpectrum, sumSpectrum) {
      const [reAddress, imAddress] = [firstSpectrum.re.byteOffset, firstSpectrum.im.byteOffset]
      kernel.multiplyAdd32(
        reAddress,
        imAddress,
        secondSpectrum.re.byteOffset,
        secondSpectrum.im.byteOffset,
        sumSpectrum.re.byteOffset,
        sumSpectrum.im.byteOffset,
        TRANSFORM_LENGTH,
      )
    },
    addInverse({ re, im }, gainFactor, cellSamples, channelCount) {
      kernel.inverse32(re.byteOffset, im.byteOffset, TRANSFORM_LENGTH, twiddleMemory.byteOffset)
      const inverseScale = gainFactor / TRANSFORM_LENGTH
      if (channelCount === 1) {
        for (let frame = 0; frame < CELL_FRAMES; frame++)
          cellSamples[frame] = (cellSamples[frame] as number) + (re[CELL_FRAMES + frame] as number) * inverseScale
        return
      }
      const cellInMemory = memory.has(cellSamples) ? cellSamples : cellBuffer
      if (cellInMemory !== cellSamples) cellInMemory.set(cellSamples)
      const offset = CELL_FRAMES * 4
      kernel.addInterleaved(re.byteOffset + offset, im.byteOffset + offset, inverseScale, cellInMemory.byteOffset, CELL_FRAMES)
      if (cellInMemory !== cellSamples) cellSamples.set(cellInMemory)
    },
  }
}
