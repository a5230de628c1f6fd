import { sniffFile } from '../../dsp/sniff.ts'
import { createBlobSource } from './blob-source.ts'
import { decodeSections } from './decode-sections.ts'
import { attenuatePackets, MP3_RESTORING_GAIN } from './mp3-attenuation.ts'
import { findPackets } from './mp3-repair.ts'
import { splitMp3 } from './mp3-sections.ts'
import { splitOgg } from './ogg-sections.ts'
import type { SectionLayout } from './section-layout.ts'
import type { Channels } from './workers/calls.ts'

/** A file that the page parses by itself, while the decode worker starts. */
export interface ParsedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The factor by which the decoded samples must be multiplied to restore their level. */
  readonly gain: number
  /** The samples of the sections. Their decoding has already started. `undefined` if the file cannot be decoded in sections. */
  readonly sections: SectionDecoding | undefined
}

interface SectionDecoding {
  readonly layout: SectionLayout
  readonly chunks: AsyncIterable<Channels>
}

const FLOAT_BYTES = 4
/** The smallest ratio of decoded to encoded size of an MP3 or Ogg file: MP3 of 320 kbit/s, mono, 32 kHz. */
const MIN_DECODED_SIZE_RATIO = 3.2

/**
 * Starts decoding an MP3 or Ogg Vorbis file in sections. The packets of an MP3 file are attenuated, so that the browser does not clip them.
 * Resolves with `undefined` if the file is of another type, if its format changes within the file, or if it decodes to more than
 * `maxBytes`.
 */
export async function parseFile(blob: Blob, maxBytes: number): Promise<ParsedFile | undefined> {
  if (blob.size * MIN_DECODED_SIZE_RATIO > maxBytes) return undefined
  const { kind, startByte = 0 } = (await sniffFile(createBlobSource(blob))) ?? {}
  if (kind !== 'mp3' && kind !== 'ogg') return undefined
  const fileBytes = new Uint8Array(await blob.slice(kind === 'ogg' ? startByte : 0).arrayBuffer())
  if (kind === 'ogg') return toParsedFile(fileBytes, splitOgg(fileBytes), 1, maxBytes)
  const foundPackets = await findPackets(fileBytes, startByte)
  if (foundPackets === undefined) return undefined
  const { bytes, packets } = foundPackets
  attenuatePackets(bytes, packets)
  return toParsedFile(bytes, splitMp3(bytes, packets), MP3_RESTORING_GAIN, maxBytes)
}

function toParsedFile(
  bytes: Uint8Array<ArrayBuffer>,
  layout: SectionLayout | undefined,
  sampleGain: number,
  maxBytes: number,
): ParsedFile | undefined {
  if (layout === undefined) return { bytes, gain: sampleGain, sections: undefined }
  if (layout.frames * layout.channels * FLOAT_BYTES > maxBytes) return undefined
  return { bytes, gain: sampleGain, sections: { layout, chunks: decodeSections(bytes, layout) } }
}
