/**
 * Decoded sound, or a part of it: samples of one or two channels, full scale ±1, each channel of the same length. Whatever lies outside is
 * silent, so a part must hold all that a render reads (`sourceRange`).
 */
export interface Source {
  readonly channels: readonly [left: Float32Array] | readonly [left: Float32Array, right: Float32Array]
  /** Where its first frame stands in the whole sound. */
  readonly startFrame: number
}
