/** Returns a deterministic generator of numbers in [0, 1): mulberry32, seeded with the FNV-1a hash of `seed`. */
export function createSeededRandom(seed: string): () => number {
  let hashState = 0x811c9dc5
  for (let i = 0; i < seed.length; i++) hashState = Math.imul(hashState ^ seed.charCodeAt(i), 0x01000193)
  return () => {
    hashState = (hashState + 0x6d2b79f5) | 0
    let mixedBits = Math.imul(hashState ^ (hashState >>> 15), 1 | hashState)
    mixedBits = (mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), 61 | mixedBits)) ^ mixedBits
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 2 ** 32
  }
}
