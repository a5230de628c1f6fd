/** What an encoder of MP3 added, which a decoder takes away. */
export interface Gapless {
  /** From the beginning. */
  readonly skipFrames: number
  /** Left after that, where the file says how long it is. */
  readonly frames: number | undefined
}

/** The decoder's own delay: LAME's `DECDELAY`, and one for the filter bank. */
const DECODER_DELAY_FRAMES = 529
const SEARCH_BYTES = 4096

/**
 * Reads the frame that LAME and others put first: Xing's counts, then LAME's delay and padding, 12 bits each
 * (http://gabriel.mp3-tech.org/mp3infotag.html).
 *
 * @param framesPerPacket 1152 of MPEG-1, 576 of lower rates
 */
export async function readGapless(blob: Blob, framesPerPacket: number): Promise<Gapless | undefined> {
  const start = await afterId3(blob)
  const bytes = await blob.slice(start, start + SEARCH_BYTES).arrayBuffer()
  const text = new TextDecoder('latin1').decode(bytes)
  const at = text.search(/Xing|Info/)
  const view = new DataView(bytes)
  if (at === -1 || at + 12 > view.byteLength) return undefined
  const flags = view.getUint32(at + 4)
  const packets = (flags & 1) !== 0 ? view.getUint32(at + 8) : undefined
  const optionalBytes = [4, 4, 100, 4].reduce((sum, size, bit) => sum + ((flags >> bit) & 1) * size, 0)
  const encoder = at + 8 + optionalBytes
  if (encoder + 24 > view.byteLength || !/^[A-Z]/i.test(text.slice(encoder))) {
    return { skipFrames: 0, frames: packets === undefined ? undefined : packets * framesPerPacket }
  }
  const packed = view.getUint32(encoder + 20) & 0xffffff
  const [delay, padding] = [packed >> 12, packed & 0xfff]
  return {
    skipFrames: delay + DECODER_DELAY_FRAMES,
    frames: packets === undefined ? undefined : Math.max(0, packets * framesPerPacket - delay - padding),
  }
}

/** Where the sound begins: ID3v2 tags, of which there may be several, say their sizes in four times 7 bits. */
async function afterId3(blob: Blob): Promise<number> {
  for (let at = 0; ; ) {
    const head = new Uint8Array(await blob.slice(at, at + 10).arrayBuffer())
    if (head.length < 10 || head[0] !== 0x49 || head[1] !== 0x44 || head[2] !== 0x33) return at
    at += 10 + head.slice(6).reduce((size, byte) => size * 128 + (byte & 0x7f), 0)
  }
}
