const PAGE_BYTES = 65536
/** Vectors of 16 bytes, lines of 64. */
const ALIGNMENT_BYTES = 64

/** The compiled kernel's memory. It never grows, so that arrays in it stay valid; what is not touched costs nothing. */
export interface KernelMemory {
  readonly memory: WebAssembly.Memory
  /** @throws RangeError when it is used up */
  floats(length: number): Float32Array<ArrayBuffer>
  /** @throws RangeError when it is used up */
  doubles(length: number): Float64Array<ArrayBuffer>
  /** Whether `samples` lie in this memory. */
  has(samples: ArrayBufferView): boolean
}

export function createMemory(capacityBytes: number): KernelMemory {
  const pages = Math.ceil(capacityBytes / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  // Address 0 stays free: AssemblyScript takes it for null.
  let next = ALIGNMENT_BYTES
  function take(bytes: number): number {
    const start = next
    next += Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES
    if (next > memory.buffer.byteLength) throw new RangeError(`the kernel's memory of ${capacityBytes} bytes is used up`)
    return start
  }
  return {
    memory,
    floats: (length) => new Float32Array(memory.buffer, take(length * 4), length),
    doubles: (length) => new Float64Array(memory.buffer, take(length * 8), length),
    has: (samples) => samples.buffer === memory.buffer,
  }
}
