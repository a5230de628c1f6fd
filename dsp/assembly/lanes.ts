// Moves of lanes between vectors.

/** a0 b0 a1 b1 */
export function lowPairs(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5)
}

/** a2 b2 a3 b3 */
export function highPairs(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7)
}

/** a0 a1 b0 b1; of doubles, a0 b0 */
export function lowHalves(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 1, 4, 5)
}

/** a2 a3 b2 b3; of doubles, a1 b1 */
export function highHalves(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 3, 6, 7)
}

/** Makes columns of the rows of a 4 x 4 matrix, in place. */
export function toColumns<T>(p: usize): void {
  if (sizeof<T>() === 4) {
    const a = v128.load(p)
    const b = v128.load(p, 16)
    const c = v128.load(p, 32)
    const d = v128.load(p, 48)
    v128.store(p, lowHalves(lowPairs(a, b), lowPairs(c, d)))
    v128.store(p, highHalves(lowPairs(a, b), lowPairs(c, d)), 16)
    v128.store(p, lowHalves(highPairs(a, b), highPairs(c, d)), 32)
    v128.store(p, highHalves(highPairs(a, b), highPairs(c, d)), 48)
  } else {
    // Four 2 x 2 matrices: those on the diagonal turn in place, the other two change places.
    turnPair(p, p + 32, p, p + 32)
    turnPair(p + 80, p + 112, p + 80, p + 112)
    const a = v128.load(p, 16)
    const b = v128.load(p, 48)
    turnPair(p + 64, p + 96, p + 16, p + 48)
    v128.store(p, lowHalves(a, b), 64)
    v128.store(p, highHalves(a, b), 96)
  }
}

/** Makes columns of two rows of two doubles. */
function turnPair(first: usize, second: usize, outFirst: usize, outSecond: usize): void {
  const a = v128.load(first)
  const b = v128.load(second)
  v128.store(outFirst, lowHalves(a, b))
  v128.store(outSecond, highHalves(a, b))
}
