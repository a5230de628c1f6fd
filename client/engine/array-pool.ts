/** A pool of arrays that are reused, because browsers are late to free the memory of unused arrays. */
export function createArrayPool() {
  const spareArrays: Float32Array<ArrayBuffer>[] = []
  return {
    /** Returns an array of `arrayLength`, whose content is undefined. */
    take(arrayLength: number) {
      const spareBuffer = spareArrays.pop()?.buffer
      return spareBuffer !== undefined && spareBuffer.byteLength >= arrayLength * Float32Array.BYTES_PER_ELEMENT
        ? new Float32Array(spareBuffer, 0, arrayLength)
        : new Float32Array(arrayLength)
    },
    /** Adds arrays that are no longer used. */
    add: (arrays: readonly Float32Array<ArrayBuffer>[]) => void spareArrays.push(...arrays),
  }
}
