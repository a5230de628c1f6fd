export interface Judged {
  /** The tone that came out, in dB of the tone that went in; -200 where none can. */
  readonly toneDb: number
  /** All that is not that tone, in dB of the tone that went in. */
  readonly restDb: number
}

interface Tone {
  /** Of the output. */
  readonly firstFrame: number
  readonly frames: number
  /** Of the input, in Hz at a sampling rate of 44.1 kHz. */
  readonly hz: number
  readonly rate: number
  readonly amplitude: number
}

const SAMPLE_RATE = 44_100

/** Fits a cos + b sin by least squares; what is left is noise, distortion and aliases. A tone above half the sampling rate has to be gone. */
export function judgeTone(output: Float32Array, { firstFrame, frames, hz, rate, amplitude }: Tone): Judged {
  const w = (2 * Math.PI * hz * rate) / SAMPLE_RATE
  const isHeard = w < Math.PI
  let [cc, ss, cs, yc, ys, yy] = [0, 0, 0, 0, 0, 0]
  for (let frame = firstFrame; frame < firstFrame + frames; frame++) {
    const [c, s, y] = [Math.cos(w * frame), Math.sin(w * frame), output[frame] ?? 0]
    cc += c * c
    ss += s * s
    cs += c * s
    yc += y * c
    ys += y * s
    yy += y * y
  }
  const determinant = cc * ss - cs * cs
  const a = isHeard ? (yc * ss - ys * cs) / determinant : 0
  const b = isHeard ? (ys * cc - yc * cs) / determinant : 0
  let rest = 0
  for (let frame = firstFrame; frame < firstFrame + frames; frame++)
    rest += ((output[frame] ?? 0) - a * Math.cos(w * frame) - b * Math.sin(w * frame)) ** 2
  const given = (frames * amplitude ** 2) / 2
  const db = (energy: number) => 10 * Math.log10(Math.max(1e-20, energy / given))
  return { toneDb: db(yy - rest), restDb: db(rest) }
}
