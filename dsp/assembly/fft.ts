import { toColumns } from './lanes'

// The discrete Fourier transform in single or double precision (T), radix 4 (Oppenheim and Schafer, section 9.3.3; Duhamel and Vetterli,
// "Fast Fourier transforms: a tutorial review", 1990). Forward it decimates in frequency and leaves the spectrum in the order that its steps
// produce; the inverse takes it in that order, so nothing is ever sorted. dsp/wasm/spectrum-order.ts says which bin stands where.
//
// `re` and `im` point to the parts, `length` (a power of 4, from 64 on) counts their values. For each step there are twiddle factors
// w = exp(-2 pi i k / size), in groups for as many neighbouring k as a vector of 16 bytes holds: w re, w im, w^2 re, w^2 im, w^3 re, w^3 im.
const TWIDDLE_GROUP: usize = 96

/** Bytes of the twiddle factors of one step: six for each of size / 4 values of k. */
function twiddleBytes<T>(size: i32): usize {
  return (<usize>(size >> 2) * 6) << alignof<T>()
}

export function forward<T>(re: usize, im: usize, length: i32, twiddles: usize): void {
  let size = length
  for (; size > 16; size >>= 2) {
    forwardStep<T>(re, im, length, size, twiddles)
    twiddles += twiddleBytes<T>(size)
  }
  forwardLast<T>(re, im, length, twiddles)
}

/** Without the factor 1 / length. `twiddles` are those of `forward`. */
export function inverse<T>(re: usize, im: usize, length: i32, twiddles: usize): void {
  for (let size = length; size > 16; size >>= 2) twiddles += twiddleBytes<T>(size)
  inverseFirst<T>(re, im, length, twiddles)
  for (let size = 64; size <= length; size <<= 2) {
    twiddles -= twiddleBytes<T>(size)
    inverseStep<T>(re, im, length, size, twiddles)
  }
}

/** A butterfly of four values a quarter of `size` apart, then the twiddle factors, in every run of `size`. */
function forwardStep<T>(re: usize, im: usize, length: i32, size: i32, twiddles: usize): void {
  const quarter = (<usize>(size >> 2)) << alignof<T>()
  const toIm = im - re
  const end = re + ((<usize>length) << alignof<T>())
  for (let run = re; run < end; run += quarter << 2) {
    let w = twiddles
    for (let p = run; p < run + quarter; p += 16) {
      const q = p + quarter
      const r = q + quarter
      const s = r + quarter
      const ar = v128.load(p)
      const ai = v128.load(p + toIm)
      const br = v128.load(q)
      const bi = v128.load(q + toIm)
      const cr = v128.load(r)
      const ci = v128.load(r + toIm)
      const dr = v128.load(s)
      const di = v128.load(s + toIm)
      const evenSumRe = v128.add<T>(ar, cr)
      const evenSumIm = v128.add<T>(ai, ci)
      const evenDiffRe = v128.sub<T>(ar, cr)
      const evenDiffIm = v128.sub<T>(ai, ci)
      const oddSumRe = v128.add<T>(br, dr)
      const oddSumIm = v128.add<T>(bi, di)
      const oddDiffRe = v128.sub<T>(br, dr)
      const oddDiffIm = v128.sub<T>(bi, di)
      v128.store(p, v128.add<T>(evenSumRe, oddSumRe))
      v128.store(p + toIm, v128.add<T>(evenSumIm, oddSumIm))
      storeProduct<T>(q, toIm, v128.add<T>(evenDiffRe, oddDiffIm), v128.sub<T>(evenDiffIm, oddDiffRe), v128.load(w), v128.load(w, 16))
      storeProduct<T>(r, toIm, v128.sub<T>(evenSumRe, oddSumRe), v128.sub<T>(evenSumIm, oddSumIm), v128.load(w, 32), v128.load(w, 48))
      storeProduct<T>(s, toIm, v128.sub<T>(evenDiffRe, oddDiffIm), v128.add<T>(evenDiffIm, oddDiffRe), v128.load(w, 64), v128.load(w, 80))
      w += TWIDDLE_GROUP
    }
  }
}

/** `forwardStep` the other way: the conjugate twiddle factors, then the conjugate butterfly. */
function inverseStep<T>(re: usize, im: usize, length: i32, size: i32, twiddles: usize): void {
  const quarter = (<usize>(size >> 2)) << alignof<T>()
  const toIm = im - re
  const end = re + ((<usize>length) << alignof<T>())
  for (let run = re; run < end; run += quarter << 2) {
    let w = twiddles
    for (let p = run; p < run + quarter; p += 16) {
      const q = p + quarter
      const r = q + quarter
      const s = r + quarter
      const ar = v128.load(p)
      const ai = v128.load(p + toIm)
      const br = conjugateProductRe<T>(v128.load(q), v128.load(q + toIm), v128.load(w), v128.load(w, 16))
      const bi = conjugateProductIm<T>(v128.load(q), v128.load(q + toIm), v128.load(w), v128.load(w, 16))
      const cr = conjugateProductRe<T>(v128.load(r), v128.load(r + toIm), v128.load(w, 32), v128.load(w, 48))
      const ci = conjugateProductIm<T>(v128.load(r), v128.load(r + toIm), v128.load(w, 32), v128.load(w, 48))
      const dr = conjugateProductRe<T>(v128.load(s), v128.load(s + toIm), v128.load(w, 64), v128.load(w, 80))
      const di = conjugateProductIm<T>(v128.load(s), v128.load(s + toIm), v128.load(w, 64), v128.load(w, 80))
      const evenSumRe = v128.add<T>(ar, cr)
      const evenSumIm = v128.add<T>(ai, ci)
      const evenDiffRe = v128.sub<T>(ar, cr)
      const evenDiffIm = v128.sub<T>(ai, ci)
      const oddSumRe = v128.add<T>(br, dr)
      const oddSumIm = v128.add<T>(bi, di)
      const oddDiffRe = v128.sub<T>(br, dr)
      const oddDiffIm = v128.sub<T>(bi, di)
      v128.store(p, v128.add<T>(evenSumRe, oddSumRe))
      v128.store(p + toIm, v128.add<T>(evenSumIm, oddSumIm))
      v128.store(q, v128.sub<T>(evenDiffRe, oddDiffIm))
      v128.store(q + toIm, v128.add<T>(evenDiffIm, oddDiffRe))
      v128.store(r, v128.sub<T>(evenSumRe, oddSumRe))
      v128.store(r + toIm, v128.sub<T>(evenSumIm, oddSumIm))
      v128.store(s, v128.add<T>(evenDiffRe, oddDiffIm))
      v128.store(s + toIm, v128.sub<T>(evenDiffIm, oddDiffRe))
      w += TWIDDLE_GROUP
    }
  }
}

/** The last two steps at once, on sixteen neighbours: the second one's butterflies are of neighbours, so rows become columns between them. */
function forwardLast<T>(re: usize, im: usize, length: i32, twiddles: usize): void {
  const toIm = im - re
  const end = re + ((<usize>length) << alignof<T>())
  for (let p = re; p < end; p += 16 << alignof<T>()) {
    forwardStep<T>(p, p + toIm, 16, 16, twiddles)
    toColumns<T>(p)
    toColumns<T>(p + toIm)
    butterfly<T>(p, toIm)
  }
}

function inverseFirst<T>(re: usize, im: usize, length: i32, twiddles: usize): void {
  const toIm = im - re
  const end = re + ((<usize>length) << alignof<T>())
  for (let p = re; p < end; p += 16 << alignof<T>()) {
    // The parts changed over make the butterfly its inverse.
    butterfly<T>(p + toIm, 0 - toIm)
    toColumns<T>(p)
    toColumns<T>(p + toIm)
    inverseStep<T>(p, p + toIm, 16, 16, twiddles)
  }
}

/** Of four rows of four values. */
function butterfly<T>(rows: usize, toIm: usize): void {
  const row: usize = 4 << alignof<T>()
  for (let p = rows; p < rows + row; p += 16) {
    const i = p + toIm
    const ar = v128.load(p)
    const ai = v128.load(i)
    const br = v128.load(p + row)
    const bi = v128.load(i + row)
    const cr = v128.load(p + 2 * row)
    const ci = v128.load(i + 2 * row)
    const dr = v128.load(p + 3 * row)
    const di = v128.load(i + 3 * row)
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
    v128.store(p + row, v128.add<T>(evenDiffRe, oddDiffIm))
    v128.store(i + row, v128.sub<T>(evenDiffIm, oddDiffRe))
    v128.store(p + 2 * row, v128.sub<T>(evenSumRe, oddSumRe))
    v128.store(i + 2 * row, v128.sub<T>(evenSumIm, oddSumIm))
    v128.store(p + 3 * row, v128.sub<T>(evenDiffRe, oddDiffIm))
    v128.store(i + 3 * row, v128.add<T>(evenDiffIm, oddDiffRe))
  }
}

function storeProduct<T>(p: usize, toIm: usize, re: v128, im: v128, wRe: v128, wIm: v128): void {
  v128.store(p, v128.sub<T>(v128.mul<T>(re, wRe), v128.mul<T>(im, wIm)))
  v128.store(p + toIm, v128.add<T>(v128.mul<T>(re, wIm), v128.mul<T>(im, wRe)))
}

function conjugateProductRe<T>(re: v128, im: v128, wRe: v128, wIm: v128): v128 {
  return v128.add<T>(v128.mul<T>(re, wRe), v128.mul<T>(im, wIm))
}

function conjugateProductIm<T>(re: v128, im: v128, wRe: v128, wIm: v128): v128 {
  return v128.sub<T>(v128.mul<T>(im, wRe), v128.mul<T>(re, wIm))
}
