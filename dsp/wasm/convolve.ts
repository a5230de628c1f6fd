import { CELL_FRAMES, type Kernel } from '../kernel.ts'
import type { KernelExports } from './exports.ts'
import type { KernelMemory } from './memory.ts'
import { twiddleFactors } from './spectrum-order.ts'

const TRANSFORM_LENGTH = 2 * CELL_FRAMES

/** Creates the kernel's convolution methods on the compiled kernel. */
export function createConvolution(
  kernel: KernelExports,
  memory: KernelMemory,
): Pick<Kernel, 'allocateSpectrum' | 'transform' | 'transformResponse' | 'multiplyAdd' | 'addInverse'> {
  const cellBuffer = memory.allocateFloats(2 * CELL_FRAMES)
  const factors = twiddleFactors(TRANSFORM_LENGTH, 4)
  const twiddles = memory.allocateFloats(factors.length)
  twiddles.set(factors)
  return {
    allocateSpectrum: () => ({ re: memory.allocateFloats(TRANSFORM_LENGTH), im: memory.allocateFloats(TRANSFORM_LENGTH) }),
    transform(firstCell, secondCell, channels, { re, im }) {
      if (channels === 1) {
        re.set(firstCell)
        re.set(secondCell, CELL_FRAMES)
        im.fill(0)
      } else {
        for (const [half, cell] of [firstCell, secondCell].entries()) {
          const cellInMemory = memory.has(cell) ? cell : cellBuffer
          if (cellInMemory !== cell) cellInMemory.set(cell)
          const offset = half * CELL_FRAMES * 4
          kernel.deinterleave(cellInMemory.byteOffset, re.byteOffset + offset, im.byteOffset + offset, CELL_FRAMES)
        }
      }
      kernel.forward32(re.byteOffset, im.byteOffset, TRANSFORM_LENGTH, twiddles.byteOffset)
    },
    transformResponse(responseRe, responseIm, { re, im }) {
      re.set(responseRe)
      re.fill(0, responseRe.length)
      im.set(responseIm)
      im.fill(0, responseIm.length)
      kernel.forward32(re.byteOffset, im.byteOffset, TRANSFORM_LENGTH, twiddles.byteOffset)
    },
    multiplyAdd(a, b, sum) {
      const [reAddress, secondCell] = [a.re.byteOffset, a.im.byteOffset]
      kernel.multiplyAdd32(reAddress, secondCell, b.re.byteOffset, b.im.byteOffset, sum.re.byteOffset, sum.im.byteOffset, TRANSFORM_LENGTH)
    },
    addInverse({ re, im }, gain, cell, channels) {
      kernel.inverse32(re.byteOffset, im.byteOffset, TRANSFORM_LENGTH, twiddles.byteOffset)
      const scale = gain / TRANSFORM_LENGTH
      if (channels === 1) {
        for (let frame = 0; frame < CELL_FRAMES; frame++)
          cell[frame] = (cell[frame] as number) + (re[CELL_FRAMES + frame] as number) * scale
        return
      }
      const cellInMemory = memory.has(cell) ? cell : cellBuffer
      if (cellInMemory !== cell) cellInMemory.set(cell)
      const offset = CELL_FRAMES * 4
      kernel.addInterleaved(re.byteOffset + offset, im.byteOffset + offset, scale, cellInMemory.byteOffset, CELL_FRAMES)
      if (cellInMemory !== cell) cell.set(cellInMemory)
    },
  }
}
