import { readAsciiAt } from '../../../dsp/byte-source.ts'
import { readStreamInfo } from '../../../dsp/flac-packets.ts'
import { findCodecChannelMask } from '../../../dsp/mix-down.ts'
import { createByteWindow } from '../../../dsp/packets.ts'
import { createBlobSource } from '../blob-source.ts'
import type { SourceFacts } from './sample-source.ts'

export interface OggFacts {
  /** The consecutive streams of a chained file, for example a recorded radio stream; for other files, the file itself. */
  readonly links: readonly Blob[]
  /** Whether the codec of the file is Speex, which no browser decodes. */
  readonly isSpeex: boolean
  /** The content of the headers of FLAC in Ogg (RFC 9639, 10.1); `undefined` for another codec. */
  readonly flac: SourceFacts | undefined
}

/** The size of a page header without its table of segments (RFC 3533, 6). */
const PAGE_HEADER_BYTES = 27
/** The offset of the first packet in its page, whose segment table has one entry. */
const FIRST_PACKET_OFFSET = PAGE_HEADER_BYTES + 1
const MAX_PAGE_HEADER_BYTES = PAGE_HEADER_BYTES + 255
const FIRST_PAGE_FLAG = 2
/**
 * The offset of STREAMINFO in the first packet: it follows the packet type, the version, the number of headers, `fLaC` and the block
 * header.
 */
const STREAMINFO_OFFSET = 17

/** Reads the pages of an Ogg file. */
export async function readOggFacts(blob: Blob): Promise<OggFacts> {
  const byteWindow = createByteWindow(createBlobSource(blob))
  const streamStarts = [0]
  let areHeaderPages = true
  for (let pageStart = 0; pageStart < blob.size; ) {
    const { bytes, start } = byteWindow.findLoadedPart(pageStart, MAX_PAGE_HEADER_BYTES) ?? (await byteWindow.load(pageStart))
    const pageOffset = pageStart - start
    if (readAsciiAt(bytes, pageOffset, 4) !== 'OggS') {
      // Damaged bytes are skipped, as decoders do.
      const next = bytes.indexOf(0x4f, pageOffset + 1)
      pageStart = next === -1 ? start + bytes.length : start + next
      continue
    }
    const isFirstPage = ((bytes[pageOffset + 5] ?? 0) & FIRST_PAGE_FLAG) !== 0
    if (isFirstPage && !areHeaderPages) streamStarts.push(pageStart)
    areHeaderPages = isFirstPage
    const segments = bytes.subarray(pageOffset + PAGE_HEADER_BYTES, pageOffset + PAGE_HEADER_BYTES + (bytes[pageOffset + 26] ?? 0))
    pageStart += PAGE_HEADER_BYTES + segments.length + segments.reduce((sum, size) => sum + size, 0)
  }
  const links = streamStarts.length === 1 ? [blob] : streamStarts.map((linkStart, index) => blob.slice(linkStart, streamStarts[index + 1]))
  const head = new Uint8Array(await blob.slice(0, 128).arrayBuffer())
  return { links, isSpeex: readAsciiAt(head, FIRST_PACKET_OFFSET, 8) === 'Speex   ', flac: readFlacHeader(head) }
}

function readFlacHeader(pageBytes: Uint8Array<ArrayBuffer>): OggFacts['flac'] {
  const flacFormat = readStreamInfo(pageBytes, FIRST_PACKET_OFFSET + STREAMINFO_OFFSET)
  if (flacFormat === undefined || readAsciiAt(pageBytes, FIRST_PACKET_OFFSET, 5) !== '\x7fFLAC') return undefined
  const { sampleRate, channels, frames } = flacFormat
  return {
    codec: 'other',
    isWorkerPreferred: false,
    isUncompressed: false,
    isStreamable: false,
    sampleRate,
    channels,
    channelMask: findCodecChannelMask(channels),
    expectedFrames: frames,
    declaredFrames: undefined,
  }
}
