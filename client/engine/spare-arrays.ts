/** Arrays that are used again, because browsers collect the memory of dropped ones late. */
export interface SpareArrays {
  /** Returns an array of `length`, whose content is undefined. */
  take(length: number): Float32Array<ArrayBuffer>
  /** Adds arrays that are no longer used. */
  add(arrays: readonly Float32Array<ArrayBuffer>[]): void
}

export function createSpareArrays(): SpareArrays {
  const spareArrays: Float32Array<ArrayBuffer>[] = []
  return {
    take(length) {
      const buffer = spareArrays.pop()?.buffer
      return buffer !== undefined && buffer.byteLength >= length * Float32Array.BYTES_PER_ELEMENT
        ? new Float32Array(buffer, 0, length)
        : new Float32Array(length)
    },
    add: (arrays) => void spareArrays.push(...arrays),
  }
}
