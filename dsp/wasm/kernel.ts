import type { Kernel } from '../kernel.ts'
import { filter } from '../reference/biquad.ts'
import { createConvolution } from './convolve.ts'
import type { KernelExports } from './exports.ts'
import { createMemory } from './memory.ts'
import { createResampler } from './resample.ts'

/** The size of the copy buffer for samples outside the kernel's memory, a multiple of 8. */
const COPY_BUFFER_SAMPLES = 16_384

/** The default memory, enough for 6 s of reverb at 48 kHz. `computeKernelMemoryBytes` computes the memory that a plan needs. */
const DEFAULT_CAPACITY_BYTES = 16 * 2 ** 20

/** Instantiates the compiled kernel (dist/dsp/kernel.wasm) with `capacityBytes` of memory for its tables and for allocations. */
export function createWasmKernel(module: WebAssembly.Module, capacityBytes = DEFAULT_CAPACITY_BYTES): Kernel {
  const kernelMemory = createMemory(capacityBytes)
  // The compiler generates no types, so `KernelExports` must be kept equal to dsp/assembly/kernel.ts by hand.
  const kernelExports = new WebAssembly.Instance(module, { env: { memory: kernelMemory.wasmMemory } }).exports as unknown as KernelExports
  const copyBuffer = kernelMemory.allocateFloats(COPY_BUFFER_SAMPLES)
  const quantisedBuffer = new Int16Array(
    kernelMemory.wasmMemory.buffer,
    kernelMemory.allocateFloats(COPY_BUFFER_SAMPLES / 2).byteOffset,
    COPY_BUFFER_SAMPLES,
  )

  /**
   * Calls `visitRange` for consecutive ranges of `samples`, with the byte address of each range in the kernel's memory. Samples outside the memory are copied
   * first.
   */
  function forEachRange(samples: Float32Array, visitRange: (address: number, start: number, count: number) => void) {
    for (let startIndex = 0; startIndex < samples.length; startIndex += COPY_BUFFER_SAMPLES) {
      const sampleCount = Math.min(COPY_BUFFER_SAMPLES, samples.length - startIndex)
      const inPlace = kernelMemory.has(samples)
      if (!inPlace) copyBuffer.set(samples.subarray(startIndex, startIndex + sampleCount))
      visitRange(inPlace ? samples.byteOffset + startIndex * 4 : copyBuffer.byteOffset, startIndex, sampleCount)
    }
  }

  return {
    allocate: kernelMemory.allocateFloats,
    resample: createResampler(kernelExports, kernelMemory),
    ...createConvolution(kernelExports, kernelMemory),
    filter(biquad, samples, channelCount) {
      const { b0, b1, b2, a1, a2 } = biquad
      // Mono uses the TypeScript filter, because half of each vector would be unused.
      if (channelCount === 2 && kernelMemory.has(samples)) kernelExports.filter(samples.byteOffset, samples.length / 2, b0, b1, b2, a1, a2)
      else filter(biquad, samples, channelCount)
    },
    measurePeak(samples) {
      let peakLevel = 0
      forEachRange(samples, (address, _start, count) => {
        peakLevel = Math.max(peakLevel, kernelExports.peak(address, count))
      })
      return peakLevel
    },
    quantise(samples, gain, firstSampleIndex, outputSamples) {
      forEachRange(samples, (byteAddress, startIndex, sampleCount) => {
        kernelExports.quantise(byteAddress, sampleCount, gain, firstSampleIndex + startIndex, quantisedBuffer.byteOffset)
        outputSamples.set(sampleCount === COPY_BUFFER_SAMPLES ? quantisedBuffer : quantisedBuffer.subarray(0, sampleCount), startIndex)
      })
    },
  }
}
