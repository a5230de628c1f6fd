/**
 * A range of a decoded sound: samples of one or two channels of equal length, full scale ±1. Frames outside the range count as silence, so the
 * range must include `sourceRange`.
 */
export interface Source {
  readonly channels: readonly [left: Float32Array] | readonly [left: Float32Array, right: Float32Array]
  /** The index in the sound of the range's first frame. */
  readonly startFrame: number
}
