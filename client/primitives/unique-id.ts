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
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let index = 0; index < sourceText.length; index++) {
    const charCode = sourceText.charCodeAt(index)
    a = b ^ Math.imul(a ^ charCode, 597399067)
    b = c ^ Math.imul(b ^ charCode, 2869860233)
    c = d ^ Math.imul(c ^ charCode, 951274213)
    d = a ^ Math.imul(d ^ charCode, 2716044179)
  }
  const hashWords = [
    Math.imul(c ^ (a >>> 18), 597399067),
    Math.imul(d ^ (b >>> 22), 2869860233),
    Math.imul(a ^ (c >>> 17), 951274213),
    Math.imul(b ^ (d >>> 19), 2716044179),
  ]
  const digits = hashWords.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}
