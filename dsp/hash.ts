/** Hashes `index` to 32 pseudo-random bits: C. Wellons, "Prospecting for hash functions" (2018), lowbias32. */
export function hashIndex(index: number): number {
  let hashState = index | 0
  hashState ^= hashState >>> 16
  hashState = Math.imul(hashState, 0x7feb352d)
  hashState ^= hashState >>> 15
  hashState = Math.imul(hashState, 0x846ca68b)
  return hashState ^ (hashState >>> 16)
}
