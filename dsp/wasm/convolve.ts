import { CELL_FRAMES, type Kernel } from '../kernel.ts'
import type { KernelExports } from './exports.ts'
import type { KernelMemory } from './memory.ts'
import { twiddleFactors } from './spectrum-order.ts'

const LENGTH = 2 * CELL_FRAMES

/** The convolution's steps by the compiled kernel. */
export function createConvolution(
  kernel: KernelExports,
  memory: KernelMemory,
): Pick<Kernel, 'allocateSpectrum' | 'transform' | 'multiplyAdd' | 'addInverse'> {
  const cellBuffer = memory.floats(2 * CELL_FRAMES)
  const factors = twiddleFactors(LENGTH, 4)
  const twiddles = memory.floats(factors.length)
  twiddles.set(factors)
  return {
    allocateSpectrum: () => ({ re: memory.floats(LENGTH), im: memory.floats(LENGTH) }),
    transform(first, second, channels, { re, im }) {
      if (channels === 1) {
        re.set(first)
        re.set(second, CELL_FRAMES)
        im.fill(0)
      } else {
        for (const [half, cell] of [first, second].entries()) {
          const own = memory.has(cell) ? cell : cellBuffer
          if (own !== cell) own.set(cell)
          const offset = half * CELL_FRAMES * 4
          kernel.deinterleave(own.byteOffset, re.byteOffset + offset, im.byteOffset + offset, CELL_FRAMES)
        }
      }
      kernel.forward32(re.byteOffset, im.byteOffset, LENGTH, twiddles.byteOffset)
    },
    multiplyAdd(a, b, sum) {
      const [first, second] = [a.re.byteOffset, a.im.byteOffset]
      kernel.multiplyAdd32(first, second, b.re.byteOffset, b.im.byteOffset, sum.re.byteOffset, sum.im.byteOffset, LENGTH)
    },
    addInverse({ re, im }, gain, cell, channels) {
      kernel.inverse32(re.byteOffset, im.byteOffset, LENGTH, twiddles.byteOffset)
      const scale = gain / LENGTH
      if (channels === 1) {
        for (let frame = 0; frame < CELL_FRAMES; frame++)
          cell[frame] = (cell[frame] as number) + (re[CELL_FRAMES + frame] as number) * scale
        return
      }
      const own = memory.has(cell) ? cell : cellBuffer
      if (own !== cell) own.set(cell)
      const offset = CELL_FRAMES * 4
      kernel.addInterleaved(re.byteOffset + offset, im.byteOffset + offset, scale, own.byteOffset, CELL_FRAMES)
      if (own !== cell) cell.set(own)
    },
  }
}
