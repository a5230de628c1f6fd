/** What an encoder of MP3 added, which a decoder takes away. */
export interface Gapless {
  /** Frames of the format after the one that says so, where it says it. */
  readonly packets: number | undefined
  /** From the beginning. */
  readonly skipFrames: number
  /** Left after that, where the file says how long it is. */
  readonly frames: number | undefined
}

/** The decoder's own delay: LAME's `DECDELAY`, and one for the filter bank. */
const DECODER_DELAY_FRAMES = 529
const SEARCH_BYTES = 4096

/** Of the frame that a file begins with; undefined where it is sound. The parameters are those of `gaplessOf`. */
export async function readGapless(blob: Blob, framesPerPacket: number): Promise<Gapless | undefined> {
  const start = await afterId3(blob)
  return gaplessOf(new Uint8Array(await blob.slice(start, start + SEARCH_BYTES).arrayBuffer()), framesPerPacket)
}

/**
 * Reads the frame that LAME and others put first: Xing's counts, then LAME's delay and padding, 12 bits each
 * (http://gabriel.mp3-tech.org/mp3infotag.html).
 *
 * @param head what follows the ID3v2 tags
 * @param framesPerPacket 1152 of MPEG-1, 576 of lower rates
 */
export function gaplessOf(head: Uint8Array, framesPerPacket: number): Gapless | undefined {
  const text = new TextDecoder('latin1').decode(head)
  const at = text.search(/Xing|Info/)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (at === -1 || at + 12 > view.byteLength) return undefined
  const flags = view.getUint32(at + 4)
  const packets = (flags & 1) !== 0 ? view.getUint32(at + 8) : undefined
  const optionalBytes = [4, 4, 100, 4].reduce((sum, size, bit) => sum + ((flags >> bit) & 1) * size, 0)
  const encoder = at + 8 + optionalBytes
  if (encoder + 24 > view.byteLength || !/^[A-Z]/i.test(text.slice(encoder))) {
    return { packets, skipFrames: 0, frames: packets === undefined ? undefined : packets * framesPerPacket }
  }
  const packed = view.getUint32(encoder + 20) & 0xffffff
  const [delay, padding] = [packed >> 12, packed & 0xfff]
  return {
    packets,
    skipFrames: delay + DECODER_DELAY_FRAMES,
    frames: packets === undefined ? undefined : Math.max(0, packets * framesPerPacket - delay - padding),
  }
}

/** Where the sound begins. */
async function afterId3(blob: Blob): Promise<number> {
  for (let at = 0; ; ) {
    const tagBytes = id3Bytes(new Uint8Array(await blob.slice(at, at + 10).arrayBuffer()))
    if (tagBytes === 0) return at
    at += tagBytes
  }
}

/** The size of the ID3v2 tag that begins here, which says it in four times 7 bits; 0 where none does. There may be several. */
export function id3Bytes(head: Uint8Array): number {
  if (head.length < 10 || head[0] !== 0x49 || head[1] !== 0x44 || head[2] !== 0x33) return 0
  return 10 + head.slice(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0)
}
