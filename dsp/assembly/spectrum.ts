/** product = a x b, complex, `length` values each. */
export function multiply<T>(aRe: usize, aIm: usize, bRe: usize, bIm: usize, productRe: usize, productIm: usize, length: i32): void {
  for (let at: usize = 0; at < (<usize>length) << alignof<T>(); at += 16) {
    const ar = v128.load(aRe + at)
    const ai = v128.load(aIm + at)
    const br = v128.load(bRe + at)
    const bi = v128.load(bIm + at)
    v128.store(productRe + at, v128.sub<T>(v128.mul<T>(ar, br), v128.mul<T>(ai, bi)))
    v128.store(productIm + at, v128.add<T>(v128.mul<T>(ar, bi), v128.mul<T>(ai, br)))
  }
}

/** sum += a x b, complex, `length` values each. */
export function multiplyAdd<T>(aRe: usize, aIm: usize, bRe: usize, bIm: usize, sumRe: usize, sumIm: usize, length: i32): void {
  for (let at: usize = 0; at < (<usize>length) << alignof<T>(); at += 16) {
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
