/** Number of packets and samples to drop, from the info packet of an MP3 file. */
export interface GaplessInfo {
  /** The number of MP3 packets after the info packet; `undefined` if the info packet does not announce it. */
  readonly packetCount: number | undefined
  /** How many samples of each channel to drop at the start: the delays of encoder and decoder. */
  readonly skipFrames: number
  /** How many samples of each channel remain; `undefined` if the file does not announce it. */
  readonly frames: number | undefined
}

/** The decoder's own delay: LAME's `DECDELAY`, and one for the filter bank. */
const DECODER_DELAY_FRAMES = 529
const SEARCH_BYTES = 4096

/** Reads the LAME/Xing header from the first packet; undefined if that packet is audio. */
export async function readGaplessInfo(blob: Blob, framesPerPacket: number): Promise<GaplessInfo | undefined> {
  const startByte = await endOfId3(blob)
  return parseGaplessInfo(new Uint8Array(await blob.slice(startByte, startByte + SEARCH_BYTES).arrayBuffer()), framesPerPacket)
}

/**
 * Parses the info packet that LAME and other encoders write first: Xing's counts, then LAME's delay and padding, 12 bits each
 * (http://gabriel.mp3-tech.org/mp3infotag.html).
 *
 * @param headBytes the bytes after the ID3v2 tags
 * @param framesPerPacket 1152 for MPEG-1, 576 for lower sampling rates
 */
export function parseGaplessInfo(headBytes: Uint8Array, framesPerPacket: number): GaplessInfo | undefined {
  const text = new TextDecoder('latin1').decode(headBytes)
  const at = text.search(/Xing|Info/)
  const view = new DataView(headBytes.buffer, headBytes.byteOffset, headBytes.byteLength)
  if (at === -1 || at + 12 > view.byteLength) return undefined
  const flags = view.getUint32(at + 4)
  const packetCount = (flags & 1) !== 0 ? view.getUint32(at + 8) : undefined
  const optionalBytes = [4, 4, 100, 4].reduce((sum, size, bitIndex) => sum + ((flags >> bitIndex) & 1) * size, 0)
  const encoderOffset = at + 8 + optionalBytes
  if (encoderOffset + 24 > view.byteLength || !/^[A-Z]/i.test(text.slice(encoderOffset))) {
    return { packetCount, skipFrames: 0, frames: packetCount === undefined ? undefined : packetCount * framesPerPacket }
  }
  const packedDelays = view.getUint32(encoderOffset + 20) & 0xffffff
  const [delayFrames, paddingFrames] = [packedDelays >> 12, packedDelays & 0xfff]
  return {
    packetCount,
    skipFrames: delayFrames + DECODER_DELAY_FRAMES,
    frames: packetCount === undefined ? undefined : Math.max(0, packetCount * framesPerPacket - delayFrames - paddingFrames),
  }
}

/** Returns the offset of the first byte after all ID3v2 tags. */
async function endOfId3(blob: Blob): Promise<number> {
  for (let at = 0; ; ) {
    const tagBytes = id3TagBytes(new Uint8Array(await blob.slice(at, at + 10).arrayBuffer()))
    if (tagBytes === 0) return at
    at += tagBytes
  }
}

/** Returns the size of the ID3v2 tag at the start of `headBytes`, header included; 0 if there is no tag. The size is stored as four times 7 bits. */
export function id3TagBytes(headBytes: Uint8Array): number {
  if (headBytes.length < 10 || headBytes[0] !== 0x49 || headBytes[1] !== 0x44 || headBytes[2] !== 0x33) return 0
  return 10 + headBytes.slice(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0)
}
