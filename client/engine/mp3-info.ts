/** Samples of each channel in a packet of MPEG-1 layer III (ISO/IEC 11172-3). */
export const MP3_PACKET_FRAMES = 1152
/**
 * The samples of silence that LAME adds before the sound, and the minimum that it adds after the sound (LAME 3.100, `ENCDELAY` and
 * `lame_encode_flush`).
 */
const ENCODER_DELAY_SAMPLES = 576
const MIN_PADDING_SAMPLES = 576

/** Codes of the sampling rates in a frame's header. */
const CODE_BY_SAMPLE_RATE: Readonly<Record<number, number>> = { 44100: 0, 48000: 1, 32000: 2 }
/** Sampling rates at which the format allows 320 kbps (ISO/IEC 11172-3, section 2.4.2.3). */
const MP3_SAMPLE_RATES = [32_000, 44_100, 48_000]
export const MP3_KBPS = 320
const KBPS_320_CODE = 14

export interface Mp3Sound {
  /** The sampling rate of the file, a key of `CODE_BY_SAMPLE_RATE`. */
  readonly sampleRate: number
  readonly channels: 1 | 2
  /** The number of samples of each channel before encoding. */
  readonly frames: number
}

/**
 * Returns the sound's own sampling rate if MP3 supports it, else the next higher supported rate, so that no frequency is lost, else 48 kHz.
 */
export const chooseMp3SampleRate = (sampleRate: number): number => MP3_SAMPLE_RATES.find((rate) => rate >= sampleRate) ?? 48_000

/** Returns the length of the silence that fills the last frame after the end of the sound, in samples. */
function countPaddingFrames(frameCount: number): number {
  const padding = MP3_PACKET_FRAMES - ((frameCount + ENCODER_DELAY_SAMPLES) % MP3_PACKET_FRAMES)
  return padding < MIN_PADDING_SAMPLES ? padding + MP3_PACKET_FRAMES : padding
}

/** Returns the number of MP3 frames into which LAME encodes a sound. */
export const countMp3Frames = ({ frames }: Pick<Mp3Sound, 'frames'>): number =>
  (ENCODER_DELAY_SAMPLES + frames + countPaddingFrames(frames)) / MP3_PACKET_FRAMES

/**
 * Builds the info frame, a silent frame of 320 kbps before the frames of the sound. It states the number of frames and the encoder's delay
 * and padding, so that players know the length and play without gaps. G. Bouvigne, "Mp3 Info Tag revision 1 specifications"; unused fields
 * are left out or 0.
 */
export function buildMp3InfoFrame(sound: Mp3Sound): Uint8Array<ArrayBuffer> {
  const { sampleRate, channels, frames } = sound
  const frameBytes = new Uint8Array(Math.floor((144_000 * MP3_KBPS) / sampleRate))
  const view = new DataView(frameBytes.buffer)
  const JOINT_STEREO_MODE = 0x44
  const MONO_MODE = 0xc4
  frameBytes.set([
    0xff,
    0xfb,
    (KBPS_320_CODE << 4) | ((CODE_BY_SAMPLE_RATE[sampleRate] ?? 0) << 2),
    channels === 1 ? MONO_MODE : JOINT_STEREO_MODE,
  ])
  // Writes the LAME tag after the frame's header and side information, which is empty.
  let infoOffset = 4 + (channels === 1 ? 17 : 32)
  const writeText = (asciiText: string) => {
    frameBytes.set(new TextEncoder().encode(asciiText), infoOffset)
    infoOffset += asciiText.length
  }
  writeText('Info')
  const FRAME_COUNT_FLAG = 1
  view.setUint32(infoOffset, FRAME_COUNT_FLAG)
  view.setUint32(infoOffset + 4, countMp3Frames(sound))
  infoOffset += 8
  writeText('LAME3.100')
  const CONSTANT_BIT_RATE = 1
  frameBytes[infoOffset] = CONSTANT_BIT_RATE
  const delaysOffset = infoOffset + 12
  view.setUint16(delaysOffset, (ENCODER_DELAY_SAMPLES << 4) | (countPaddingFrames(frames) >> 8))
  frameBytes[delaysOffset + 2] = countPaddingFrames(frames) & 0xff
  return frameBytes
}
