import type { Section, SectionLayout } from './section-layout.ts'

/** A page of an Ogg file (RFC 3533, 6). */
interface OggPage {
  readonly startByte: number
  readonly endByte: number
  /** Whether the page starts inside a packet. */
  readonly isContinued: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  /** The number of frames up to the last packet that ends on the page; `undefined` if none ends on it. */
  readonly endFrame: number | undefined
  readonly serialNumber: number
}

/** The identification header of a Vorbis stream (Vorbis I specification, 4.2.2). */
interface VorbisFormat {
  readonly channels: number
  readonly sampleRate: number
  /** The size of the larger of the two windows. A packet of this size has half as many frames. */
  readonly windowFrames: number
}

/**
 * The length of a section in seconds. A section is longer than that of an MP3 file, because the decoder parses all headers for each
 * section. The page copies the samples of a section in about 5 ms.
 */
const SECTION_SECONDS = 24
const PAGE_HEADER_BYTES = 27
/** The maximum size of headers that are copied to each section. Headers may contain the cover picture. */
const MAX_HEADER_BYTES = 2 ** 21

/**
 * Splits an Ogg Vorbis file into runs of pages. A Vorbis packet depends only on the packet before it, because their windows overlap (Vorbis
 * I specification, 4.3.8). Returns undefined if the file is not one complete Vorbis stream, or if it is too short for two sections.
 */
export function splitOgg(file: Uint8Array, sectionSeconds = SECTION_SECONDS): SectionLayout | undefined {
  const pages = findPages(file)
  const format = pages && parseVorbisFormat(file, pages)
  if (pages === undefined || format === undefined) return undefined
  const { sampleRate, channels, windowFrames } = format
  const frames = endFrameOf(pages, pages.length)
  const sectionCount = Math.floor(frames / (sectionSeconds * sampleRate))
  // The frame number of a page on which headers end is 0.
  const firstAudioPage = pages.findLastIndex(({ endFrame }) => endFrame === 0) + 1
  const headerBytes = pages[firstAudioPage]?.startByte ?? 0
  const ends = sectionEnds(pages, firstAudioPage, sectionCount)
  if (firstAudioPage < 1 || ends.length < 2 || headerBytes > MAX_HEADER_BYTES) return undefined

  const sections = ends.map((endPage, index): Section => {
    const startPage = ends[index - 1] ?? firstAudioPage
    const startFrame = endFrameOf(pages, startPage)
    const endByte = pages[endPage - 1]?.endByte ?? 0
    const ownFrames = endFrameOf(pages, endPage) - startFrame
    if (index === 0) return { startByte: headerBytes, endByte, frames: ownFrames, warmUpFrames: 0, ownFrames }
    const warmUpPage = warmUpStart(pages, startPage, startFrame - 2 * windowFrames)
    const startByte = pages[warmUpPage]?.startByte ?? 0
    // The first packet of a section decodes to no samples, but its size determines how many samples the second packet decodes to.
    return { startByte, endByte, frames: undefined, warmUpFrames: startFrame - endFrameOf(pages, warmUpPage), ownFrames }
  })
  const repeatedFrames = windowFrames / 2
  // The frame numbers of a damaged file may go backwards.
  if (sections.some(({ ownFrames }) => ownFrames < repeatedFrames)) return undefined
  return { sampleRate, channels, frames, headerBytes, repeatedFrames, sections }
}

/** Returns the number of frames before a page. The previous page states this number; 0 if no packet ends on the previous page. */
const endFrameOf = (pages: readonly OggPage[], page: number): number => pages[page - 1]?.endFrame ?? 0

/** Whether a section can start at the page: a packet starts on it, and the number of frames before it is known. */
const isBoundary = (pages: readonly OggPage[], page: number): boolean =>
  pages[page - 1]?.endFrame !== undefined && pages[page]?.isContinued !== true

/** Returns for each section the page that follows its end. The sections are of about equal length. */
function sectionEnds(pages: readonly OggPage[], firstPage: number, sectionCount: number): readonly number[] {
  const sectionFrames = endFrameOf(pages, pages.length) / sectionCount
  const ends: number[] = []
  for (let page = firstPage + 1; page < pages.length; page++)
    if (isBoundary(pages, page) && endFrameOf(pages, page) >= (ends.length + 1) * sectionFrames) ends.push(page)
  return [...ends, pages.length]
}

/** Returns the last page before `page` that starts with a packet at `frame` or earlier. */
function warmUpStart(pages: readonly OggPage[], page: number, frame: number): number {
  let first = page - 1
  while (first > 1 && !(isBoundary(pages, first) && endFrameOf(pages, first) <= frame)) first -= 1
  return first
}

/** Finds the pages of a file. Undefined unless the pages are one complete stream, without gaps from its first page to its last page. */
function findPages(file: Uint8Array): readonly OggPage[] | undefined {
  const pages: OggPage[] = []
  for (let pageStart = 0; pageStart < file.length; ) {
    const page = parsePage(file, pageStart)
    if (page === undefined || page.isFirst !== (pageStart === 0) || page.serialNumber !== (pages[0] ?? page).serialNumber) return undefined
    if (page.isLast !== (page.endByte === file.length)) return undefined
    pages.push(page)
    pageStart = page.endByte
  }
  return pages.length === 0 || pages.at(-1)?.endFrame === undefined ? undefined : pages
}

function parsePage(file: Uint8Array, pageStart: number): OggPage | undefined {
  if (pageStart + PAGE_HEADER_BYTES > file.length) return undefined
  const view = new DataView(file.buffer, file.byteOffset + pageStart, PAGE_HEADER_BYTES)
  const CAPTURE_PATTERN = 0x4f676753
  const segmentsEnd = pageStart + PAGE_HEADER_BYTES + view.getUint8(26)
  if (view.getUint32(0) !== CAPTURE_PATTERN || view.getUint8(4) !== 0 || segmentsEnd > file.length) return undefined
  const flags = view.getUint8(5)
  const granulePosition = view.getBigInt64(6, true)
  const endByte = file.subarray(pageStart + PAGE_HEADER_BYTES, segmentsEnd).reduce((sum, bytes) => sum + bytes, segmentsEnd)
  if (endByte > file.length || granulePosition < -1n || granulePosition > Number.MAX_SAFE_INTEGER) return undefined
  return {
    startByte: pageStart,
    endByte,
    isContinued: (flags & 1) !== 0,
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    endFrame: granulePosition === -1n ? undefined : Number(granulePosition),
    serialNumber: view.getUint32(14, true),
  }
}

function parseVorbisFormat(file: Uint8Array, pages: readonly OggPage[]): VorbisFormat | undefined {
  const HEADER_BYTES = 30
  const startByte = PAGE_HEADER_BYTES + 1
  // The first page contains the identification header only.
  if (pages[0]?.endByte !== startByte + HEADER_BYTES) return undefined
  const view = new DataView(file.buffer, file.byteOffset + startByte, HEADER_BYTES)
  const id = new TextDecoder('latin1').decode(file.subarray(startByte, startByte + 7))
  if (id !== '\u0001vorbis' || view.getUint32(7, true) !== 0) return undefined
  return { channels: view.getUint8(11), sampleRate: view.getUint32(12, true), windowFrames: 2 ** (view.getUint8(28) >> 4) }
}
