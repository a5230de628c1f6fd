/** Hashes `index` to 32 pseudo-random bits: C. Wellons, "Prospecting for hash functions" (2018), lowbias32. */
export function hashIndex(index: number): number {
  let x = index | 0
  x ^= x >>> 16
  x = Math.imul(x, 0x7feb352d)
  x ^= x >>> 15
  x = Math.imul(x, 0x846ca68b)
  return x ^ (x >>> 16)
}
