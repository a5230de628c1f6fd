import { transpose4x4 } from './lanes'

// The discrete Fourier transform in single or double precision (T), radix 4 (Oppenheim and Schafer, section 9.3.3; Duhamel and Vetterli, "Fast
// Fourier transforms: a tutorial review", 1990). The forward transform decimates in frequency and leaves the bins in digit-reversed order. The
// inverse transform reads that order, so that no reordering is needed. dsp/wasm/spectrum-order.ts computes the order.
//
// `reAddress` and `imAddress` point to the real and imaginary parts. `transformLength`, the number of values, is a power of 4 and at least 64. Each
// step has twiddle factors w = exp(-2 pi i k / stepSize), in groups for as many consecutive k as a vector of 16 bytes holds: w re, w im, w^2 re,
// w^2 im, w^3 re, w^3 im.
const TWIDDLE_GROUP: usize = 96

/** Returns the size in bytes of one step's twiddle factors, which are six values for each of stepSize / 4 values of k. */
function twiddleBytes<T>(stepSize: i32): usize {
  return (<usize>(stepSize >> 2) * 6) << alignof<T>()
}

export function forward<T>(reAddress: usize, imAddress: usize, transformLength: i32, twiddleAddress: usize): void {
  let stepSize = transformLength
  for (; stepSize > 16; stepSize >>= 2) {
    forwardStep<T>(reAddress, imAddress, transformLength, stepSize, twiddleAddress)
    twiddleAddress += twiddleBytes<T>(stepSize)
  }
  forwardLast<T>(reAddress, imAddress, transformLength, twiddleAddress)
}

/** Computes the inverse transform without the factor 1 / length. `twiddleAddress` are the twiddle factors that `forward` uses. */
export function inverse<T>(reAddress: usize, imAddress: usize, transformLength: i32, twiddleAddress: usize): void {
  for (let stepSize = transformLength; stepSize > 16; stepSize >>= 2) twiddleAddress += twiddleBytes<T>(stepSize)
  inverseFirst<T>(reAddress, imAddress, transformLength, twiddleAddress)
  for (let stepSize = 64; stepSize <= transformLength; stepSize <<= 2) {
    twiddleAddress -= twiddleBytes<T>(stepSize)
    inverseStep<T>(reAddress, imAddress, transformLength, stepSize, twiddleAddress)
  }
}

/** Radix-4 decimation-in-frequency step: in every run of `stepSize` values, a butterfly of four values a quarter of `stepSize` apart, then the twiddle factors. */
function forwardStep<T>(reAddress: usize, imAddress: usize, transformLength: i32, stepSize: i32, twiddleAddress: usize): void {
  const quarter = (<usize>(stepSize >> 2)) << alignof<T>()
  const imOffset = imAddress - reAddress
  const end = reAddress + ((<usize>transformLength) << alignof<T>())
  for (let run = reAddress; run < end; run += quarter << 2) {
    let w = twiddleAddress
    for (let p = run; p < run + quarter; p += 16) {
      const q = p + quarter
      const r = q + quarter
      const s = r + quarter
      const ar = v128.load(p)
      const ai = v128.load(p + imOffset)
      const br = v128.load(q)
      const bi = v128.load(q + imOffset)
      const cr = v128.load(r)
      const ci = v128.load(r + imOffset)
      const dr = v128.load(s)
      const di = v128.load(s + imOffset)
      const evenSumRe = v128.add<T>(ar, cr)
      const evenSumIm = v128.add<T>(ai, ci)
      const evenDiffRe = v128.sub<T>(ar, cr)
      const evenDiffIm = v128.sub<T>(ai, ci)
      const oddSumRe = v128.add<T>(br, dr)
      const oddSumIm = v128.add<T>(bi, di)
      const oddDiffRe = v128.sub<T>(br, dr)
      const oddDiffIm = v128.sub<T>(bi, di)
      v128.store(p, v128.add<T>(evenSumRe, oddSumRe))
      v128.store(p + imOffset, v128.add<T>(evenSumIm, oddSumIm))
      storeProduct<T>(q, imOffset, v128.add<T>(evenDiffRe, oddDiffIm), v128.sub<T>(evenDiffIm, oddDiffRe), v128.load(w), v128.load(w, 16))
      storeProduct<T>(r, imOffset, v128.sub<T>(evenSumRe, oddSumRe), v128.sub<T>(evenSumIm, oddSumIm), v128.load(w, 32), v128.load(w, 48))
      storeProduct<T>(
        s,
        imOffset,
        v128.sub<T>(evenDiffRe, oddDiffIm),
        v128.add<T>(evenDiffIm, oddDiffRe),
        v128.load(w, 64),
        v128.load(w, 80),
      )
      w += TWIDDLE_GROUP
    }
  }
}

/** Inverse of `forwardStep`: the conjugate twiddle factors, then the conjugate butterfly. */
function inverseStep<T>(reAddress: usize, imAddress: usize, transformLength: i32, stepSize: i32, twiddleAddress: usize): void {
  const quarter = (<usize>(stepSize >> 2)) << alignof<T>()
  const imOffset = imAddress - reAddress
  const end = reAddress + ((<usize>transformLength) << alignof<T>())
  for (let run = reAddress; run < end; run += quarter << 2) {
    let w = twiddleAddress
    for (let p = run; p < run + quarter; p += 16) {
      const q = p + quarter
      const r = q + quarter
      const s = r + quarter
      const ar = v128.load(p)
      const ai = v128.load(p + imOffset)
      const br = conjugateProductRe<T>(v128.load(q), v128.load(q + imOffset), v128.load(w), v128.load(w, 16))
      const bi = conjugateProductIm<T>(v128.load(q), v128.load(q + imOffset), v128.load(w), v128.load(w, 16))
      const cr = conjugateProductRe<T>(v128.load(r), v128.load(r + imOffset), v128.load(w, 32), v128.load(w, 48))
      const ci = conjugateProductIm<T>(v128.load(r), v128.load(r + imOffset), v128.load(w, 32), v128.load(w, 48))
      const dr = conjugateProductRe<T>(v128.load(s), v128.load(s + imOffset), v128.load(w, 64), v128.load(w, 80))
      const di = conjugateProductIm<T>(v128.load(s), v128.load(s + imOffset), v128.load(w, 64), v128.load(w, 80))
      const evenSumRe = v128.add<T>(ar, cr)
      const evenSumIm = v128.add<T>(ai, ci)
      const evenDiffRe = v128.sub<T>(ar, cr)
      const evenDiffIm = v128.sub<T>(ai, ci)
      const oddSumRe = v128.add<T>(br, dr)
      const oddSumIm = v128.add<T>(bi, di)
      const oddDiffRe = v128.sub<T>(br, dr)
      const oddDiffIm = v128.sub<T>(bi, di)
      v128.store(p, v128.add<T>(evenSumRe, oddSumRe))
      v128.store(p + imOffset, v128.add<T>(evenSumIm, oddSumIm))
      v128.store(q, v128.sub<T>(evenDiffRe, oddDiffIm))
      v128.store(q + imOffset, v128.add<T>(evenDiffIm, oddDiffRe))
      v128.store(r, v128.sub<T>(evenSumRe, oddSumRe))
      v128.store(r + imOffset, v128.sub<T>(evenSumIm, oddSumIm))
      v128.store(s, v128.add<T>(evenDiffRe, oddDiffIm))
      v128.store(s + imOffset, v128.sub<T>(evenDiffIm, oddDiffRe))
      w += TWIDDLE_GROUP
    }
  }
}

/**
 * Computes the last two steps at the same time, on runs of sixteen values. Between the two steps, each run is transposed as a 4 x 4 matrix, because
 * the butterflies of the last step combine adjacent values.
 */
function forwardLast<T>(reAddress: usize, imAddress: usize, transformLength: i32, twiddleAddress: usize): void {
  const imOffset = imAddress - reAddress
  const end = reAddress + ((<usize>transformLength) << alignof<T>())
  for (let p = reAddress; p < end; p += 16 << alignof<T>()) {
    forwardStep<T>(p, p + imOffset, 16, 16, twiddleAddress)
    transpose4x4<T>(p)
    transpose4x4<T>(p + imOffset)
    butterfly<T>(p, imOffset)
  }
}

function inverseFirst<T>(reAddress: usize, imAddress: usize, transformLength: i32, twiddleAddress: usize): void {
  const imOffset = imAddress - reAddress
  const end = reAddress + ((<usize>transformLength) << alignof<T>())
  for (let p = reAddress; p < end; p += 16 << alignof<T>()) {
    // With real and imaginary parts swapped, `butterfly` computes the inverse butterfly.
    butterfly<T>(p + imOffset, 0 - imOffset)
    transpose4x4<T>(p)
    transpose4x4<T>(p + imOffset)
    inverseStep<T>(p, p + imOffset, 16, 16, twiddleAddress)
  }
}

/** Computes the butterflies of the columns of a 4 x 4 matrix. */
function butterfly<T>(rowsAddress: usize, imOffset: usize): void {
  const rowBytes: usize = 4 << alignof<T>()
  for (let p = rowsAddress; p < rowsAddress + rowBytes; p += 16) {
    const i = p + imOffset
    const ar = v128.load(p)
    const ai = v128.load(i)
    const br = v128.load(p + rowBytes)
    const bi = v128.load(i + rowBytes)
    const cr = v128.load(p + 2 * rowBytes)
    const ci = v128.load(i + 2 * rowBytes)
    const dr = v128.load(p + 3 * rowBytes)
    const di = v128.load(i + 3 * rowBytes)
    const evenSumRe = v128.add<T>(ar, cr)
    const evenSumIm = v128.add<T>(ai, ci)
    const evenDiffRe = v128.sub<T>(ar, cr)
    const evenDiffIm = v128.sub<T>(ai, ci)
    const oddSumRe = v128.add<T>(br, dr)
    const oddSumIm = v128.add<T>(bi, di)
    const oddDiffRe = v128.sub<T>(br, dr)
    const oddDiffIm = v128.sub<T>(bi, di)
    v128.store(p, v128.add<T>(evenSumRe, oddSumRe))
    v128.store(i, v128.add<T>(evenSumIm, oddSumIm))
    v128.store(p + rowBytes, v128.add<T>(evenDiffRe, oddDiffIm))
    v128.store(i + rowBytes, v128.sub<T>(evenDiffIm, oddDiffRe))
    v128.store(p + 2 * rowBytes, v128.sub<T>(evenSumRe, oddSumRe))
    v128.store(i + 2 * rowBytes, v128.sub<T>(evenSumIm, oddSumIm))
    v128.store(p + 3 * rowBytes, v128.sub<T>(evenDiffRe, oddDiffIm))
    v128.store(i + 3 * rowBytes, v128.add<T>(evenDiffIm, oddDiffRe))
  }
}

function storeProduct<T>(targetAddress: usize, imOffset: usize, reAddress: v128, imAddress: v128, wRe: v128, wIm: v128): void {
  v128.store(targetAddress, v128.sub<T>(v128.mul<T>(reAddress, wRe), v128.mul<T>(imAddress, wIm)))
  v128.store(targetAddress + imOffset, v128.add<T>(v128.mul<T>(reAddress, wIm), v128.mul<T>(imAddress, wRe)))
}

function conjugateProductRe<T>(reAddress: v128, imAddress: v128, wRe: v128, wIm: v128): v128 {
  return v128.add<T>(v128.mul<T>(reAddress, wRe), v128.mul<T>(imAddress, wIm))
}

function conjugateProductIm<T>(reAddress: v128, imAddress: v128, wRe: v128, wIm: v128): v128 {
  return v128.sub<T>(v128.mul<T>(imAddress, wRe), v128.mul<T>(reAddress, wIm))
}
