import type { Kernel } from '../kernel.ts'
import { filter } from '../reference/biquad.ts'
import { createConvolution } from './convolve.ts'
import type { KernelExports } from './exports.ts'
import { createMemory } from './memory.ts'
import { createResampler } from './resample.ts'

/** The size of the copy buffer for samples outside the kernel's memory, a multiple of 8. */
const COPY_BUFFER_SAMPLES = 16_384

/** The default memory, enough for 6 s of reverb at 48 kHz. `kernelMemoryBytes` computes the memory that a plan needs. */
const DEFAULT_CAPACITY_BYTES = 16 * 2 ** 20

/** Instantiates the compiled kernel (dist/dsp/kernel.wasm) with `capacityBytes` of memory for its tables and for allocations. */
export function createWasmKernel(module: WebAssembly.Module, capacityBytes = DEFAULT_CAPACITY_BYTES): Kernel {
  const memory = createMemory(capacityBytes)
  // The compiler generates no types, so `KernelExports` must be kept equal to dsp/assembly/kernel.ts by hand.
  const exports = new WebAssembly.Instance(module, { env: { memory: memory.wasmMemory } }).exports as unknown as KernelExports
  const copyBuffer = memory.allocateFloats(COPY_BUFFER_SAMPLES)
  const quantised = new Int16Array(memory.wasmMemory.buffer, memory.allocateFloats(COPY_BUFFER_SAMPLES / 2).byteOffset, COPY_BUFFER_SAMPLES)

  /**
   * Calls `use` for consecutive ranges of `samples`, with the byte address of each range in the kernel's memory. Samples outside the memory are copied
   * first.
   */
  function forEachRange(samples: Float32Array, use: (address: number, start: number, count: number) => void) {
    for (let start = 0; start < samples.length; start += COPY_BUFFER_SAMPLES) {
      const sampleCount = Math.min(COPY_BUFFER_SAMPLES, samples.length - start)
      const inPlace = memory.has(samples)
      if (!inPlace) copyBuffer.set(samples.subarray(start, start + sampleCount))
      use(inPlace ? samples.byteOffset + start * 4 : copyBuffer.byteOffset, start, sampleCount)
    }
  }

  return {
    allocate: memory.allocateFloats,
    resample: createResampler(exports, memory),
    ...createConvolution(exports, memory),
    filter(biquad, samples, channels) {
      const { b0, b1, b2, a1, a2 } = biquad
      // Mono uses the TypeScript filter, because half of each vector would be unused.
      if (channels === 2 && memory.has(samples)) exports.filter(samples.byteOffset, samples.length / 2, b0, b1, b2, a1, a2)
      else filter(biquad, samples, channels)
    },
    peak(samples) {
      let peak = 0
      forEachRange(samples, (address, _start, count) => {
        peak = Math.max(peak, exports.peak(address, count))
      })
      return peak
    },
    quantise(samples, gain, firstSample, output) {
      forEachRange(samples, (byteAddress, start, sampleCount) => {
        exports.quantise(byteAddress, sampleCount, gain, firstSample + start, quantised.byteOffset)
        output.set(sampleCount === COPY_BUFFER_SAMPLES ? quantised : quantised.subarray(0, sampleCount), start)
      })
    },
  }
}
