import { readPacketHeader } from '../../dsp/packets.ts'

/** The number of bytes of a packet header and of the checksum that may follow it. */
const HEADER_BYTES = 6

/** The format of an MP3 frame. This program calls MP3 frames packets, because it uses the word frame for one sample of each channel. */
export interface Mp3Format {
  readonly sampleRate: number
  readonly channels: 1 | 2
  /** Samples of each channel in one packet: 1152 in MPEG-1, 576 in MPEG-2 and 2.5. */
  readonly framesPerPacket: number
  /** The smallest size of a packet in bytes: header and side information without samples. */
  readonly minPacketBytes: number
  /**
   * The largest number of bytes of a packet's data that may precede its header, in the bit reservoir: the maximum of `main_data_begin`,
   * which has 9 bits in MPEG-1 and 8 bits in MPEG-2.
   */
  readonly reservoirBytes: number
}

/** A file that consists of packets of one format. */
export interface Mp3Packets {
  readonly format: Mp3Format
  /** The offset of each packet, and the end of the last one. */
  readonly packetStarts: readonly number[]
}

/** Reads the format from the packet header at the offset `packetStart`; undefined if it is not a header of MPEG layer III. */
export function parseMp3Format(fileBytes: Uint8Array, packetStart: number): Mp3Format | undefined {
  const header = readPacketHeader(fileBytes, packetStart)
  if (header?.codec !== 'mp3') return undefined
  const { sampleRate, frames: packetFrames } = header
  const isMpeg1 = packetFrames === 1152
  const isMono = header.channels === 1
  return {
    sampleRate,
    channels: isMono ? 1 : 2,
    framesPerPacket: packetFrames,
    minPacketBytes: HEADER_BYTES + (isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17),
    reservoirBytes: isMpeg1 ? 511 : 255,
  }
}
