import { joinLowHalves } from './lanes'

/** Multiplies complex arrays of `valueCount` doubles each and stores the product in single precision. */
export function multiplyDemote(aRe: usize, aIm: usize, bRe: usize, bIm: usize, productRe: usize, productIm: usize, valueCount: i32): void {
  for (let at: usize = 0; at < (<usize>valueCount) << 3; at += 32) {
    const firstRe = productRePart(aRe + at, aIm + at, bRe + at, bIm + at)
    const secondRe = productRePart(aRe + at + 16, aIm + at + 16, bRe + at + 16, bIm + at + 16)
    v128.store(productRe + (at >> 1), joinLowHalves(f32x4.demote_f64x2_zero(firstRe), f32x4.demote_f64x2_zero(secondRe)))
    const firstIm = productImPart(aRe + at, aIm + at, bRe + at, bIm + at)
    const secondIm = productImPart(aRe + at + 16, aIm + at + 16, bRe + at + 16, bIm + at + 16)
    v128.store(productIm + (at >> 1), joinLowHalves(f32x4.demote_f64x2_zero(firstIm), f32x4.demote_f64x2_zero(secondIm)))
  }
}

function productRePart(aRe: usize, aIm: usize, bRe: usize, bIm: usize): v128 {
  return f64x2.sub(f64x2.mul(v128.load(aRe), v128.load(bRe)), f64x2.mul(v128.load(aIm), v128.load(bIm)))
}

function productImPart(aRe: usize, aIm: usize, bRe: usize, bIm: usize): v128 {
  return f64x2.add(f64x2.mul(v128.load(aRe), v128.load(bIm)), f64x2.mul(v128.load(aIm), v128.load(bRe)))
}

/** Adds complex products to a sum: sum += a x b, `valueCount` values each. */
export function multiplyAdd<T>(aRe: usize, aIm: usize, bRe: usize, bIm: usize, sumRe: usize, sumIm: usize, valueCount: i32): void {
  for (let at: usize = 0; at < (<usize>valueCount) << alignof<T>(); at += 16) {
    const ar = v128.load(aRe + at)
    const ai = v128.load(aIm + at)
    const br = v128.load(bRe + at)
    const bi = v128.load(bIm + at)
    const re = v128.sub<T>(v128.mul<T>(ar, br), v128.mul<T>(ai, bi))
    const im = v128.add<T>(v128.mul<T>(ar, bi), v128.mul<T>(ai, br))
    v128.store(sumRe + at, v128.add<T>(v128.load(sumRe + at), re))
    v128.store(sumIm + at, v128.add<T>(v128.load(sumIm + at), im))
  }
}
