/** Returns a UUID of version 4 (RFC 9562, 5.4), also outside of secure contexts, where `crypto.randomUUID` is absent. */
export function createUniqueId(): string {
  const randomBytes = crypto.getRandomValues(new Uint8Array(16))
  const digits = [...randomBytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = '89ab'[(randomBytes[8] ?? 0) % 4]
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
}

/** Returns the UUID (version 8, RFC 9562, 5.8) of a text: the same text has the same UUID. It is not a cryptographic hash. */
export function deriveId(sourceText: string): string {
  // The hash function is cyrb128, whose four words are mixed with each other.
  let [hashWordA, hashWordB, hashWordC, hashWordD] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let index = 0; index < sourceText.length; index++) {
    const charCode = sourceText.charCodeAt(index)
    hashWordA = hashWordB ^ Math.imul(hashWordA ^ charCode, 597399067)
    hashWordB = hashWordC ^ Math.imul(hashWordB ^ charCode, 2869860233)
    hashWordC = hashWordD ^ Math.imul(hashWordC ^ charCode, 951274213)
    hashWordD = hashWordA ^ Math.imul(hashWordD ^ charCode, 2716044179)
  }
  const hashWords = [
    Math.imul(hashWordC ^ (hashWordA >>> 18), 597399067),
    Math.imul(hashWordD ^ (hashWordB >>> 22), 2869860233),
    Math.imul(hashWordA ^ (hashWordC >>> 17), 951274213),
    Math.imul(hashWordB ^ (hashWordD >>> 19), 2716044179),
  ]
  const digits = hashWords.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}
