import type { FileSection, SectionLayout } from './section-layout.ts'

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
export function splitOgg(fileBytes: Uint8Array, sectionSeconds = SECTION_SECONDS): SectionLayout | undefined {
  const pages = findPages(fileBytes)
  const vorbisFormat = pages && parseVorbisFormat(fileBytes, pages)
  if (pages === undefined || vorbisFormat === undefined) return undefined
  const { sampleRate, channels, windowFrames } = vorbisFormat
  const frameCount = findEndFrame(pages, pages.length)
  const sectionCount = Math.floor(frameCount / (sectionSeconds * sampleRate))
  // The frame number of a page on which headers end is 0.
  const firstAudioPage = pages.findLastIndex(({ endFrame }) => endFrame === 0) + 1
  const headerBytes = pages[firstAudioPage]?.startByte ?? 0
  const endPages = findSectionEnds(pages, firstAudioPage, sectionCount)
  if (firstAudioPage < 1 || endPages.length < 2 || headerBytes > MAX_HEADER_BYTES) return undefined

  const fileSections = endPages.map((endPage, index): FileSection => {
    const startPage = endPages[index - 1] ?? firstAudioPage
    const startFrame = findEndFrame(pages, startPage)
    const endByte = pages[endPage - 1]?.endByte ?? 0
    const ownFrames = findEndFrame(pages, endPage) - startFrame
    if (index === 0) return { startByte: headerBytes, endByte, frames: ownFrames, warmUpFrames: 0, ownFrames }
    const warmUpPage = findWarmUpStart(pages, startPage, startFrame - 2 * windowFrames)
    const startByte = pages[warmUpPage]?.startByte ?? 0
    // The first packet of a section decodes to no samples, but its size determines how many samples the second packet decodes to.
    return { startByte, endByte, frames: undefined, warmUpFrames: startFrame - findEndFrame(pages, warmUpPage), ownFrames }
  })
  const repeatedFrames = windowFrames / 2
  // The frame numbers of a damaged file may go backwards.
  if (fileSections.some(({ ownFrames }) => ownFrames < repeatedFrames)) return undefined
  return { sampleRate, channels, frames: frameCount, headerBytes, repeatedFrames, sections: fileSections }
}

/** Returns the number of frames before a page. The previous page states this number; 0 if no packet ends on the previous page. */
const findEndFrame = (pages: readonly OggPage[], page: number): number => pages[page - 1]?.endFrame ?? 0

/** Whether a section can start at the page: a packet starts on it, and the number of frames before it is known. */
const isPageBoundary = (pages: readonly OggPage[], page: number): boolean =>
  pages[page - 1]?.endFrame !== undefined && pages[page]?.isContinued !== true

/** Returns for each section the page that follows its end. The sections are of about equal length. */
function findSectionEnds(pages: readonly OggPage[], firstPageIndex: number, sectionCount: number): readonly number[] {
  const sectionFrames = findEndFrame(pages, pages.length) / sectionCount
  const endPages: number[] = []
  for (let page = firstPageIndex + 1; page < pages.length; page++)
    if (isPageBoundary(pages, page) && findEndFrame(pages, page) >= (endPages.length + 1) * sectionFrames) endPages.push(page)
  return [...endPages, pages.length]
}

/** Returns the last page before `pageIndex` that starts with a packet at `granuleFrame` or earlier. */
function findWarmUpStart(pages: readonly OggPage[], pageIndex: number, granuleFrame: number): number {
  let first = pageIndex - 1
  while (first > 1 && !(isPageBoundary(pages, first) && findEndFrame(pages, first) <= granuleFrame)) first -= 1
  return first
}

/** Finds the pages of a file. Undefined unless the pages are one complete stream, without gaps from its first page to its last page. */
function findPages(fileBytes: Uint8Array): readonly OggPage[] | undefined {
  const oggPages: OggPage[] = []
  for (let pageStart = 0; pageStart < fileBytes.length; ) {
    const page = parsePage(fileBytes, pageStart)
    if (page === undefined || page.isFirst !== (pageStart === 0) || page.serialNumber !== (oggPages[0] ?? page).serialNumber)
      return undefined
    if (page.isLast !== (page.endByte === fileBytes.length)) return undefined
    oggPages.push(page)
    pageStart = page.endByte
  }
  return oggPages.length === 0 || oggPages.at(-1)?.endFrame === undefined ? undefined : oggPages
}

function parsePage(fileBytes: Uint8Array, pageStart: number): OggPage | undefined {
  if (pageStart + PAGE_HEADER_BYTES > fileBytes.length) return undefined
  const view = new DataView(fileBytes.buffer, fileBytes.byteOffset + pageStart, PAGE_HEADER_BYTES)
  const CAPTURE_PATTERN = 0x4f676753
  const segmentsEnd = pageStart + PAGE_HEADER_BYTES + view.getUint8(26)
  if (view.getUint32(0) !== CAPTURE_PATTERN || view.getUint8(4) !== 0 || segmentsEnd > fileBytes.length) return undefined
  const pageFlags = view.getUint8(5)
  const granulePosition = view.getBigInt64(6, true)
  const endByte = fileBytes.subarray(pageStart + PAGE_HEADER_BYTES, segmentsEnd).reduce((sum, bytes) => sum + bytes, segmentsEnd)
  if (endByte > fileBytes.length || granulePosition < -1n || granulePosition > Number.MAX_SAFE_INTEGER) return undefined
  return {
    startByte: pageStart,
    endByte,
    isContinued: (pageFlags & 1) !== 0,
    isFirst: (pageFlags & 2) !== 0,
    isLast: (pageFlags & 4) !== 0,
    endFrame: granulePosition === -1n ? undefined : Number(granulePosition),
    serialNumber: view.getUint32(14, true),
  }
}

function parseVorbisFormat(fileBytes: Uint8Array, pages: readonly OggPage[]): VorbisFormat | undefined {
  const HEADER_BYTES = 30
  const startByte = PAGE_HEADER_BYTES + 1
  // The first page contains the identification header only.
  if (pages[0]?.endByte !== startByte + HEADER_BYTES) return undefined
  const view = new DataView(fileBytes.buffer, fileBytes.byteOffset + startByte, HEADER_BYTES)
  const id = new TextDecoder('latin1').decode(fileBytes.subarray(startByte, startByte + 7))
  if (id !== '\u0001vorbis' || view.getUint32(7, true) !== 0) return undefined
  return { channels: view.getUint8(11), sampleRate: view.getUint32(12, true), windowFrames: 2 ** (view.getUint8(28) >> 4) }
}
