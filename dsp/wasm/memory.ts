const PAGE_BYTES = 65536
/** The alignment in bytes: the size of a cache line, and a multiple of the vector size of 16 bytes. */
const ALIGNMENT_BYTES = 64

/** The memory of the compiled kernel. It never grows, so that typed arrays on it stay valid. Untouched pages use no physical memory. */
export function createMemory(capacityBytes: number) {
  const pageCount = Math.ceil(capacityBytes / PAGE_BYTES)
  const wasmMemory = new WebAssembly.Memory({ initial: pageCount, maximum: pageCount })
  // The first address is not 0, because AssemblyScript treats 0 as null.
  let nextAddress = ALIGNMENT_BYTES
  function allocateBytes(byteCount: number): number {
    const startAddress = nextAddress
    nextAddress += Math.ceil(byteCount / ALIGNMENT_BYTES) * ALIGNMENT_BYTES
    if (nextAddress > wasmMemory.buffer.byteLength) throw new RangeError(`the kernel's memory of ${capacityBytes} bytes is used up`)
    return startAddress
  }
  return {
    wasmMemory,
    /** Allocates an array of floats. @throws RangeError if the memory is exhausted */
    allocateFloats: (length: number): Float32Array<ArrayBuffer> => new Float32Array(wasmMemory.buffer, allocateBytes(length * 4), length),
    /** Allocates an array of doubles. @throws RangeError if the memory is exhausted */
    allocateDoubles: (length: number): Float64Array<ArrayBuffer> => new Float64Array(wasmMemory.buffer, allocateBytes(length * 8), length),
    /** Returns true if `samples` is a view of this memory. */
    has: (samples: ArrayBufferView): boolean => samples.buffer === wasmMemory.buffer,
  }
}
export type KernelMemory = ReturnType<typeof createMemory>
