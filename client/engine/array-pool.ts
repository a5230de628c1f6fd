/** A pool of arrays that are reused, because browsers are late to free the memory of unused arrays. */
export function createArrayPool() {
  const spareArrays: Float32Array<ArrayBuffer>[] = []
  return {
    /** Returns an array of `length`, whose content is undefined. */
    take(length: number) {
      const buffer = spareArrays.pop()?.buffer
      return buffer !== undefined && buffer.byteLength >= length * Float32Array.BYTES_PER_ELEMENT
        ? new Float32Array(buffer, 0, length)
        : new Float32Array(length)
    },
    /** Adds arrays that are no longer used. */
    add: (arrays: readonly Float32Array<ArrayBuffer>[]) => void spareArrays.push(...arrays),
  }
}
