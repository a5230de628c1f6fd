import type { Kernel } from '../kernel.ts'
import { filter } from '../reference/biquad.ts'
import { createConvolution } from './convolve.ts'
import type { KernelExports } from './exports.ts'
import { createMemory } from './memory.ts'
import { createResampler } from './resample.ts'

/** Samples that are copied at once from outside the kernel's memory; a multiple of 8. */
const PIECE_SAMPLES = 16_384

/** Enough for 6 s of reverb at a sample rate of 48 kHz; `kernelBytes` says what a plan needs. */
const DEFAULT_CAPACITY_BYTES = 16 * 2 ** 20

/** The compiled kernel, from dist/dsp/kernel.wasm, with memory of `capacityBytes` for its tables and for what is allocated. */
export function createWasmKernel(module: WebAssembly.Module, capacityBytes = DEFAULT_CAPACITY_BYTES): Kernel {
  const memory = createMemory(capacityBytes)
  // The compiler's interface ends here: nothing but the two files keeps the types and the exports alike.
  const exports = new WebAssembly.Instance(module, { env: { memory: memory.memory } }).exports as unknown as KernelExports
  const piece = memory.floats(PIECE_SAMPLES)
  const quantised = new Int16Array(memory.memory.buffer, memory.floats(PIECE_SAMPLES / 2).byteOffset, PIECE_SAMPLES)

  /** `samples` piece by piece, each at an address in the kernel's memory. */
  function forPieces(samples: Float32Array, use: (address: number, start: number, count: number) => void) {
    for (let start = 0; start < samples.length; start += PIECE_SAMPLES) {
      const count = Math.min(PIECE_SAMPLES, samples.length - start)
      const inPlace = memory.has(samples)
      if (!inPlace) piece.set(samples.subarray(start, start + count))
      use(inPlace ? samples.byteOffset + start * 4 : piece.byteOffset, start, count)
    }
  }

  return {
    allocate: memory.floats,
    resample: createResampler(exports, memory),
    ...createConvolution(exports, memory),
    filter(biquad, samples, channels) {
      const { b0, b1, b2, a1, a2 } = biquad
      // One channel leaves half of a vector empty: nothing is gained.
      if (channels === 2 && memory.has(samples)) exports.filter(samples.byteOffset, samples.length / 2, b0, b1, b2, a1, a2)
      else filter(biquad, samples, channels)
    },
    peak(samples) {
      let peak = 0
      forPieces(samples, (address, _start, count) => {
        peak = Math.max(peak, exports.peak(address, count))
      })
      return peak
    },
    quantise(samples, gain, firstSample, output) {
      forPieces(samples, (address, start, count) => {
        exports.quantise(address, count, gain, firstSample + start, quantised.byteOffset)
        output.set(count === PIECE_SAMPLES ? quantised : quantised.subarray(0, count), start)
      })
    },
  }
}
