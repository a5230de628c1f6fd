import { joinLowHalves } from './lanes'

/** Multiplies complex arrays of `valueCount` doubles each and stores the product in single precision. */
export function multiplyDemote(aRe: usize, aIm: usize, bRe: usize, bIm: usize, productRe: usize, productIm: usize, valueCount: i32): void {
  for (let byteOffset: usize = 0; byteOffset < (<usize>valueCount) << 3; byteOffset += 32) {
    const firstRe = computeProductRe(aRe + byteOffset, aIm + byteOffset, bRe + byteOffset, bIm + byteOffset)
    const secondRe = computeProductRe(aRe + byteOffset + 16, aIm + byteOffset + 16, bRe + byteOffset + 16, bIm + byteOffset + 16)
    v128.store(productRe + (byteOffset >> 1), joinLowHalves(f32x4.demote_f64x2_zero(firstRe), f32x4.demote_f64x2_zero(secondRe)))
    const firstIm = computeProductIm(aRe + byteOffset, aIm + byteOffset, bRe + byteOffset, bIm + byteOffset)
    const secondIm = computeProductIm(aRe + byteOffset + 16, aIm + byteOffset + 16, bRe + byteOffset + 16, bIm + byteOffset + 16)
    v128.store(productIm + (byteOffset >> 1), joinLowHalves(f32x4.demote_f64x2_zero(firstIm), f32x4.demote_f64x2_zero(secondIm)))
  }
}

function computeProductRe(aRe: usize, aIm: usize, bRe: usize, bIm: usize): v128 {
  return f64x2.sub(f64x2.mul(v128.load(aRe), v128.load(bRe)), f64x2.mul(v128.load(aIm), v128.load(bIm)))
}

function computeProductIm(aRe: usize, aIm: usize, bRe: usize, bIm: usize): v128 {
  return f64x2.add(f64x2.mul(v128.load(aRe), v128.load(bIm)), f64x2.mul(v128.load(aIm), v128.load(bRe)))
}

/** Adds complex products to a sum: sum += a x b, `valueCount` values each. */
export function multiplyAdd<T>(aRe: usize, aIm: usize, bRe: usize, bIm: usize, sumRe: usize, sumIm: usize, valueCount: i32): void {
  for (let byteOffset: usize = 0; byteOffset < (<usize>valueCount) << alignof<T>(); byteOffset += 16) {
    const aReVector = v128.load(aRe + byteOffset)
    const aImVector = v128.load(aIm + byteOffset)
    const bReVector = v128.load(bRe + byteOffset)
    const bImVector = v128.load(bIm + byteOffset)
    const productRe = v128.sub<T>(v128.mul<T>(aReVector, bReVector), v128.mul<T>(aImVector, bImVector))
    const productIm = v128.add<T>(v128.mul<T>(aReVector, bImVector), v128.mul<T>(aImVector, bReVector))
    v128.store(sumRe + byteOffset, v128.add<T>(v128.load(sumRe + byteOffset), productRe))
    v128.store(sumIm + byteOffset, v128.add<T>(v128.load(sumIm + byteOffset), productIm))
  }
}
