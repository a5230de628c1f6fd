import { transpose4x4 } from './lanes'

// The discrete Fourier transform in single or double precision (T), radix 4 (Oppenheim and Schafer, section 9.3.3; Duhamel and Vetterli, "Fast
// Fourier transforms: a tutorial review", 1990). The forward transform decimates in frequency and leaves the bins in digit-reversed order. The
// inverse transform reads that order, so that no reordering is needed. dsp/wasm/spectrum-order.ts computes the order.
//
// `reAddress` and `imAddress` point to the real and imaginary parts. `transformLength`, the number of values, is a power of 4 and at least 64. Each
// step has twiddle factors w = exp(-2 pi i k / stepSize), in groups for as many consecutive k as a vector of 16 bytes holds: w re, w im, w^2 re,
// w^2 im, w^3 re, w^3 im.
const TWIDDLE_GROUP_BYTES: usize = 96

/** Returns the size in bytes of one step's twiddle factors, which are six values for each of stepSize / 4 values of k. */
function computeTwiddleBytes<T>(stepSize: i32): usize {
  return (<usize>(stepSize >> 2) * 6) << alignof<T>()
}

export function forward<T>(reAddress: usize, imAddress: usize, transformLength: i32, twiddleAddress: usize): void {
  let stepSize = transformLength
  for (; stepSize > 16; stepSize >>= 2) {
    forwardStep<T>(reAddress, imAddress, transformLength, stepSize, twiddleAddress)
    twiddleAddress += computeTwiddleBytes<T>(stepSize)
  }
  forwardLastTwoSteps<T>(reAddress, imAddress, transformLength, twiddleAddress)
}

/** Computes the inverse transform without the factor 1 / length. `twiddleAddress` points to the twiddle factors that `forward` uses. */
export function inverse<T>(reAddress: usize, imAddress: usize, transformLength: i32, twiddleAddress: usize): void {
  for (let stepSize = transformLength; stepSize > 16; stepSize >>= 2) twiddleAddress += computeTwiddleBytes<T>(stepSize)
  inverseFirstTwoSteps<T>(reAddress, imAddress, transformLength, twiddleAddress)
  for (let stepSize = 64; stepSize <= transformLength; stepSize <<= 2) {
    twiddleAddress -= computeTwiddleBytes<T>(stepSize)
    inverseStep<T>(reAddress, imAddress, transformLength, stepSize, twiddleAddress)
  }
}

/** Radix-4 decimation-in-frequency step: in every run of `stepSize` values, a butterfly of four values a quarter of `stepSize` apart, then the twiddle factors. */
function forwardStep<T>(reAddress: usize, imAddress: usize, transformLength: i32, stepSize: i32, twiddleAddress: usize): void {
  const quarter = (<usize>(stepSize >> 2)) << alignof<T>()
  const imOffset = imAddress - reAddress
  const end = reAddress + ((<usize>transformLength) << alignof<T>())
  for (let runAddress = reAddress; runAddress < end; runAddress += quarter << 2) {
    let factorAddress = twiddleAddress
    for (let address0 = runAddress; address0 < runAddress + quarter; address0 += 16) {
      const address1 = address0 + quarter
      const address2 = address1 + quarter
      const address3 = address2 + quarter
      const re0 = v128.load(address0)
      const im0 = v128.load(address0 + imOffset)
      const re1 = v128.load(address1)
      const im1 = v128.load(address1 + imOffset)
      const re2 = v128.load(address2)
      const im2 = v128.load(address2 + imOffset)
      const re3 = v128.load(address3)
      const im3 = v128.load(address3 + imOffset)
      const evenSumRe = v128.add<T>(re0, re2)
      const evenSumIm = v128.add<T>(im0, im2)
      const evenDiffRe = v128.sub<T>(re0, re2)
      const evenDiffIm = v128.sub<T>(im0, im2)
      const oddSumRe = v128.add<T>(re1, re3)
      const oddSumIm = v128.add<T>(im1, im3)
      const oddDiffRe = v128.sub<T>(re1, re3)
      const oddDiffIm = v128.sub<T>(im1, im3)
      v128.store(address0, v128.add<T>(evenSumRe, oddSumRe))
      v128.store(address0 + imOffset, v128.add<T>(evenSumIm, oddSumIm))
      storeProduct<T>(
        address1,
        imOffset,
        v128.add<T>(evenDiffRe, oddDiffIm),
        v128.sub<T>(evenDiffIm, oddDiffRe),
        v128.load(factorAddress),
        v128.load(factorAddress, 16),
      )
      storeProduct<T>(
        address2,
        imOffset,
        v128.sub<T>(evenSumRe, oddSumRe),
        v128.sub<T>(evenSumIm, oddSumIm),
        v128.load(factorAddress, 32),
        v128.load(factorAddress, 48),
      )
      storeProduct<T>(
        address3,
        imOffset,
        v128.sub<T>(evenDiffRe, oddDiffIm),
        v128.add<T>(evenDiffIm, oddDiffRe),
        v128.load(factorAddress, 64),
        v128.load(factorAddress, 80),
      )
      factorAddress += TWIDDLE_GROUP_BYTES
    }
  }
}

/** Inverse of `forwardStep`: the conjugate twiddle factors, then the conjugate butterfly. */
function inverseStep<T>(reAddress: usize, imAddress: usize, transformLength: i32, stepSize: i32, twiddleAddress: usize): void {
  const quarter = (<usize>(stepSize >> 2)) << alignof<T>()
  const imOffset = imAddress - reAddress
  const end = reAddress + ((<usize>transformLength) << alignof<T>())
  for (let runAddress = reAddress; runAddress < end; runAddress += quarter << 2) {
    let factorAddress = twiddleAddress
    for (let address0 = runAddress; address0 < runAddress + quarter; address0 += 16) {
      const address1 = address0 + quarter
      const address2 = address1 + quarter
      const address3 = address2 + quarter
      const re0 = v128.load(address0)
      const im0 = v128.load(address0 + imOffset)
      const inputRe1 = v128.load(address1)
      const inputIm1 = v128.load(address1 + imOffset)
      const twiddleRe1 = v128.load(factorAddress)
      const twiddleIm1 = v128.load(factorAddress, 16)
      const re1 = computeConjugateProductRe<T>(inputRe1, inputIm1, twiddleRe1, twiddleIm1)
      const im1 = computeConjugateProductIm<T>(inputRe1, inputIm1, twiddleRe1, twiddleIm1)
      const inputRe2 = v128.load(address2)
      const inputIm2 = v128.load(address2 + imOffset)
      const twiddleRe2 = v128.load(factorAddress, 32)
      const twiddleIm2 = v128.load(factorAddress, 48)
      const re2 = computeConjugateProductRe<T>(inputRe2, inputIm2, twiddleRe2, twiddleIm2)
      const im2 = computeConjugateProductIm<T>(inputRe2, inputIm2, twiddleRe2, twiddleIm2)
      const inputRe3 = v128.load(address3)
      const inputIm3 = v128.load(address3 + imOffset)
      const twiddleRe3 = v128.load(factorAddress, 64)
      const twiddleIm3 = v128.load(factorAddress, 80)
      const re3 = computeConjugateProductRe<T>(inputRe3, inputIm3, twiddleRe3, twiddleIm3)
      const im3 = computeConjugateProductIm<T>(inputRe3, inputIm3, twiddleRe3, twiddleIm3)
      const evenSumRe = v128.add<T>(re0, re2)
      const evenSumIm = v128.add<T>(im0, im2)
      const evenDiffRe = v128.sub<T>(re0, re2)
      const evenDiffIm = v128.sub<T>(im0, im2)
      const oddSumRe = v128.add<T>(re1, re3)
      const oddSumIm = v128.add<T>(im1, im3)
      const oddDiffRe = v128.sub<T>(re1, re3)
      const oddDiffIm = v128.sub<T>(im1, im3)
      v128.store(address0, v128.add<T>(evenSumRe, oddSumRe))
      v128.store(address0 + imOffset, v128.add<T>(evenSumIm, oddSumIm))
      v128.store(address1, v128.sub<T>(evenDiffRe, oddDiffIm))
      v128.store(address1 + imOffset, v128.add<T>(evenDiffIm, oddDiffRe))
      v128.store(address2, v128.sub<T>(evenSumRe, oddSumRe))
      v128.store(address2 + imOffset, v128.sub<T>(evenSumIm, oddSumIm))
      v128.store(address3, v128.add<T>(evenDiffRe, oddDiffIm))
      v128.store(address3 + imOffset, v128.sub<T>(evenDiffIm, oddDiffRe))
      factorAddress += TWIDDLE_GROUP_BYTES
    }
  }
}

/**
 * Computes the last two steps at the same time, on runs of sixteen values. Between the two steps, each run is transposed as a 4 x 4 matrix, because
 * the butterflies of the last step combine adjacent values.
 */
function forwardLastTwoSteps<T>(reAddress: usize, imAddress: usize, transformLength: i32, twiddleAddress: usize): void {
  const imOffset = imAddress - reAddress
  const end = reAddress + ((<usize>transformLength) << alignof<T>())
  for (let runAddress = reAddress; runAddress < end; runAddress += 16 << alignof<T>()) {
    forwardStep<T>(runAddress, runAddress + imOffset, 16, 16, twiddleAddress)
    transpose4x4<T>(runAddress)
    transpose4x4<T>(runAddress + imOffset)
    butterfly<T>(runAddress, imOffset)
  }
}

function inverseFirstTwoSteps<T>(reAddress: usize, imAddress: usize, transformLength: i32, twiddleAddress: usize): void {
  const imOffset = imAddress - reAddress
  const end = reAddress + ((<usize>transformLength) << alignof<T>())
  for (let runAddress = reAddress; runAddress < end; runAddress += 16 << alignof<T>()) {
    // With real and imaginary parts swapped, `butterfly` computes the inverse butterfly.
    butterfly<T>(runAddress + imOffset, 0 - imOffset)
    transpose4x4<T>(runAddress)
    transpose4x4<T>(runAddress + imOffset)
    inverseStep<T>(runAddress, runAddress + imOffset, 16, 16, twiddleAddress)
  }
}

/** Computes the butterflies of the columns of a 4 x 4 matrix. */
function butterfly<T>(rowsAddress: usize, imOffset: usize): void {
  const rowBytes: usize = 4 << alignof<T>()
  for (let columnRe = rowsAddress; columnRe < rowsAddress + rowBytes; columnRe += 16) {
    const columnIm = columnRe + imOffset
    const re0 = v128.load(columnRe)
    const im0 = v128.load(columnIm)
    const re1 = v128.load(columnRe + rowBytes)
    const im1 = v128.load(columnIm + rowBytes)
    const re2 = v128.load(columnRe + 2 * rowBytes)
    const im2 = v128.load(columnIm + 2 * rowBytes)
    const re3 = v128.load(columnRe + 3 * rowBytes)
    const im3 = v128.load(columnIm + 3 * rowBytes)
    const evenSumRe = v128.add<T>(re0, re2)
    const evenSumIm = v128.add<T>(im0, im2)
    const evenDiffRe = v128.sub<T>(re0, re2)
    const evenDiffIm = v128.sub<T>(im0, im2)
    const oddSumRe = v128.add<T>(re1, re3)
    const oddSumIm = v128.add<T>(im1, im3)
    const oddDiffRe = v128.sub<T>(re1, re3)
    const oddDiffIm = v128.sub<T>(im1, im3)
    v128.store(columnRe, v128.add<T>(evenSumRe, oddSumRe))
    v128.store(columnIm, v128.add<T>(evenSumIm, oddSumIm))
    v128.store(columnRe + rowBytes, v128.add<T>(evenDiffRe, oddDiffIm))
    v128.store(columnIm + rowBytes, v128.sub<T>(evenDiffIm, oddDiffRe))
    v128.store(columnRe + 2 * rowBytes, v128.sub<T>(evenSumRe, oddSumRe))
    v128.store(columnIm + 2 * rowBytes, v128.sub<T>(evenSumIm, oddSumIm))
    v128.store(columnRe + 3 * rowBytes, v128.sub<T>(evenDiffRe, oddDiffIm))
    v128.store(columnIm + 3 * rowBytes, v128.add<T>(evenDiffIm, oddDiffRe))
  }
}

function storeProduct<T>(targetAddress: usize, imOffset: usize, reVector: v128, imVector: v128, twiddleRe: v128, twiddleIm: v128): void {
  v128.store(targetAddress, v128.sub<T>(v128.mul<T>(reVector, twiddleRe), v128.mul<T>(imVector, twiddleIm)))
  v128.store(targetAddress + imOffset, v128.add<T>(v128.mul<T>(reVector, twiddleIm), v128.mul<T>(imVector, twiddleRe)))
}

function computeConjugateProductRe<T>(reVector: v128, imVector: v128, twiddleRe: v128, twiddleIm: v128): v128 {
  return v128.add<T>(v128.mul<T>(reVector, twiddleRe), v128.mul<T>(imVector, twiddleIm))
}

function computeConjugateProductIm<T>(reVector: v128, imVector: v128, twiddleRe: v128, twiddleIm: v128): v128 {
  return v128.sub<T>(v128.mul<T>(imVector, twiddleRe), v128.mul<T>(reVector, twiddleIm))
}
