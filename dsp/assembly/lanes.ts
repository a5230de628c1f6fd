// Functions that rearrange the lanes of vectors.

/** Interleaves the first halves of two vectors: a0 b0 a1 b1. */
export function interleaveLowHalves(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5)
}

/** Interleaves the second halves of two vectors: a2 b2 a3 b3. */
export function interleaveHighHalves(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7)
}

/** Joins the first halves of two vectors: a0 a1 b0 b1; for vectors of doubles a0 b0. */
export function joinLowHalves(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 1, 4, 5)
}

/** Joins the second halves of two vectors: a2 a3 b2 b3; for vectors of doubles a1 b1. */
export function joinHighHalves(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 3, 6, 7)
}

/** Transposes a 4 x 4 matrix in place. */
export function transpose4x4<T>(matrixAddress: usize): void {
  if (sizeof<T>() === 4) {
    const row0 = v128.load(matrixAddress)
    const row1 = v128.load(matrixAddress, 16)
    const row2 = v128.load(matrixAddress, 32)
    const row3 = v128.load(matrixAddress, 48)
    v128.store(matrixAddress, joinLowHalves(interleaveLowHalves(row0, row1), interleaveLowHalves(row2, row3)))
    v128.store(matrixAddress, joinHighHalves(interleaveLowHalves(row0, row1), interleaveLowHalves(row2, row3)), 16)
    v128.store(matrixAddress, joinLowHalves(interleaveHighHalves(row0, row1), interleaveHighHalves(row2, row3)), 32)
    v128.store(matrixAddress, joinHighHalves(interleaveHighHalves(row0, row1), interleaveHighHalves(row2, row3)), 48)
  } else {
    // Treats the matrix as four 2 x 2 matrices: the two on the diagonal are transposed in place, the other two are transposed and
    // exchanged.
    transposePair(matrixAddress, matrixAddress + 32, matrixAddress, matrixAddress + 32)
    transposePair(matrixAddress + 80, matrixAddress + 112, matrixAddress + 80, matrixAddress + 112)
    const upperRightRow0 = v128.load(matrixAddress, 16)
    const upperRightRow1 = v128.load(matrixAddress, 48)
    transposePair(matrixAddress + 64, matrixAddress + 96, matrixAddress + 16, matrixAddress + 48)
    v128.store(matrixAddress, joinLowHalves(upperRightRow0, upperRightRow1), 64)
    v128.store(matrixAddress, joinHighHalves(upperRightRow0, upperRightRow1), 96)
  }
}

/** Transposes a 2 x 2 matrix of doubles, given as two rows. */
function transposePair(firstRowAddress: usize, secondRowAddress: usize, firstOutputAddress: usize, secondOutputAddress: usize): void {
  const firstRow = v128.load(firstRowAddress)
  const secondRow = v128.load(secondRowAddress)
  v128.store(firstOutputAddress, joinLowHalves(firstRow, secondRow))
  v128.store(secondOutputAddress, joinHighHalves(firstRow, secondRow))
}
