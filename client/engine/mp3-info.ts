/** Samples of each channel in a frame of MPEG-1 layer III (ISO/IEC 11172-3). */
const FRAME_SAMPLES = 1152
/** What LAME puts before the sound, and at least lets follow (LAME 3.100, `ENCDELAY` and `lame_encode_flush`). */
const DELAY_SAMPLES = 576
const LEAST_PADDING_SAMPLES = 576

/** Their codes in a frame's header. */
const RATE_CODES: Readonly<Record<number, number>> = { 44100: 0, 48000: 1, 32000: 2 }
const KBPS = 320
const KBPS_CODE = 14

export interface Mp3Sound {
  /** One of the rates above. */
  readonly sampleRate: number
  readonly channels: 1 | 2
  /** That were given to the encoder. */
  readonly frames: number
}

/** Silence after the sound, with which the last frame is full. */
function paddingOf(frames: number): number {
  const padding = FRAME_SAMPLES - ((frames + DELAY_SAMPLES) % FRAME_SAMPLES)
  return padding < LEAST_PADDING_SAMPLES ? padding + FRAME_SAMPLES : padding
}

/** Frames that LAME makes of a sound. */
export const mp3Frames = ({ frames }: Pick<Mp3Sound, 'frames'>): number => (DELAY_SAMPLES + frames + paddingOf(frames)) / FRAME_SAMPLES

/**
 * A silent frame of 320 kbps to stand before the others: it says how many follow, and how many samples at both ends are not of the sound, so that
 * players know the length at once and play without gaps. G. Bouvigne, "Mp3 Info Tag revision 1 specifications"; the fields that are not needed are
 * left out or 0.
 */
export function mp3InfoFrame(sound: Mp3Sound): Uint8Array<ArrayBuffer> {
  const { sampleRate, channels, frames } = sound
  const frame = new Uint8Array(Math.floor((144_000 * KBPS) / sampleRate))
  const view = new DataView(frame.buffer)
  const JOINT_STEREO = 0x44
  const MONO = 0xc4
  frame.set([0xff, 0xfb, (KBPS_CODE << 4) | ((RATE_CODES[sampleRate] ?? 0) << 2), channels === 1 ? MONO : JOINT_STEREO])
  // Past the side information, which is empty.
  let at = 4 + (channels === 1 ? 17 : 32)
  const text = (characters: string) => {
    frame.set(new TextEncoder().encode(characters), at)
    at += characters.length
  }
  text('Info')
  const HAS_FRAMES = 1
  view.setUint32(at, HAS_FRAMES)
  view.setUint32(at + 4, mp3Frames(sound))
  at += 8
  text('LAME3.100')
  const CONSTANT_RATE = 1
  frame[at] = CONSTANT_RATE
  const delays = at + 12
  view.setUint16(delays, (DELAY_SAMPLES << 4) | (paddingOf(frames) >> 8))
  frame[delays + 2] = paddingOf(frames) & 0xff
  return frame
}
