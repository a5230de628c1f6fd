/** The data of the info packet of an MP3 file: the number of packets, and the samples that must be dropped after decoding. */
export interface GaplessInfo {
  /** The number of MP3 packets after the info packet; `undefined` if the info packet does not announce it. */
  readonly packetCount: number | undefined
  /** The size of all packets in bytes; `undefined` if the info packet does not announce it. */
  readonly fileBytes: number | undefined
  /** How many samples of each channel to drop at the start: the delays of encoder and decoder. */
  readonly skipFrames: number
  /** How many samples of each channel remain after dropping; `undefined` if the file does not announce the number of packets. */
  readonly frames: number | undefined
}

/** The decoder's own delay in samples: LAME's `DECDELAY`, plus one sample for the filter bank. */
const DECODER_DELAY_FRAMES = 529

/**
 * Parses the info packet that LAME and other encoders write first: Xing's counts, then LAME's delay and padding, 12 bits each
 * (http://gabriel.mp3-tech.org/mp3infotag.html).
 *
 * @param packetBytes the first packet of the file; the result is undefined if it is audio
 * @param framesPerPacket 1152 for MPEG-1, 576 for lower sampling rates
 */
export function parseGaplessInfo(packetBytes: Uint8Array, framesPerPacket: number): GaplessInfo | undefined {
  const infoOffsets = findInfoLayout(packetBytes)
  if (infoOffsets === undefined) return undefined
  const { view, countOffset, bytesOffset, delaysOffset } = infoOffsets
  const packetCount = countOffset === undefined ? undefined : view.getUint32(countOffset)
  const fileBytes = bytesOffset === undefined ? undefined : view.getUint32(bytesOffset)
  if (delaysOffset === undefined) {
    return { packetCount, fileBytes, skipFrames: 0, frames: packetCount === undefined ? undefined : packetCount * framesPerPacket }
  }
  const packedDelays = view.getUint32(delaysOffset) & 0xffffff
  const [delayFrames, paddingFrames] = [packedDelays >> 12, packedDelays & 0xfff]
  return {
    packetCount,
    fileBytes,
    skipFrames: delayFrames + DECODER_DELAY_FRAMES,
    frames: packetCount === undefined ? undefined : Math.max(0, packetCount * framesPerPacket - delayFrames - paddingFrames),
  }
}

/** Returns a copy of an info packet that announces another number of packets, and no padding at the end. */
export function withPacketCount(packetBytes: Uint8Array<ArrayBuffer>, packetCount: number): Uint8Array<ArrayBuffer> {
  const changedPacket = packetBytes.slice()
  const { view, countOffset, delaysOffset } = findInfoLayout(changedPacket) ?? {}
  if (countOffset !== undefined) view?.setUint32(countOffset, packetCount)
  if (delaysOffset !== undefined) view?.setUint32(delaysOffset, view.getUint32(delaysOffset) & 0xfffff000)
  return changedPacket
}

/** Returns the offsets of the numbers in an info packet. Each number is optional. Undefined if the packet is audio. */
function findInfoLayout(packetBytes: Uint8Array) {
  const packetText = new TextDecoder('latin1').decode(packetBytes)
  const infoStart = packetText.search(/Xing|Info/)
  const view = new DataView(packetBytes.buffer, packetBytes.byteOffset, packetBytes.byteLength)
  if (infoStart === -1 || infoStart + 12 > view.byteLength) return undefined
  const flagBits = view.getUint32(infoStart + 4)
  const countFieldBytes = 4 * (flagBits & 1)
  const encoderOffset = infoStart + 8 + [4, 4, 100, 4].reduce((sum, size, bitIndex) => sum + ((flagBits >> bitIndex) & 1) * size, 0)
  const hasEncoderDelays = encoderOffset + 24 <= view.byteLength && /^[A-Z]/i.test(packetText.slice(encoderOffset))
  return {
    view,
    countOffset: countFieldBytes === 0 ? undefined : infoStart + 8,
    bytesOffset: (flagBits & 2) === 0 ? undefined : infoStart + 8 + countFieldBytes,
    // The delay and the padding have 12 bits each. They are the last 24 of the 32 bits at this offset.
    delaysOffset: hasEncoderDelays ? encoderOffset + 20 : undefined,
  }
}
