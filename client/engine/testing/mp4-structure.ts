/** The properties that `checkMp4` expects of a video. */
export interface ExpectedVideo {
  readonly frameRate: number
  /** The maximum number of pictures from one key frame to the next. */
  readonly gopFrames: number
  /** The length of the sound in seconds. */
  readonly durationS: number
}

interface Box {
  readonly type: string
  readonly start: number
  /** The offset of the first byte after the box header. */
  readonly contentStart: number
  readonly end: number
}

interface Track {
  readonly kind: string
  readonly timescale: number
  readonly sampleDurations: readonly number[]
  readonly sampleSizes: readonly number[]
  readonly sampleOffsets: readonly number[]
  readonly keyFrameNumbers: readonly number[] | undefined
  readonly hasEditList: boolean
  readonly hasCompositionOffsets: boolean
  readonly sampleEntry: Box | undefined
}

export interface Mp4Report {
  /** One sentence for each fault; empty if the structure meets the requirements of video platforms. */
  readonly faults: readonly string[]
  readonly profile: number | undefined
  readonly level: number | undefined
  readonly pictures: number
  readonly packets: number
}

/** The values of profile_idc of the profiles Baseline, Main and High (ITU-T H.264, annex A). */
const ACCEPTED_H264_PROFILES = [66, 77, 100]
const AAC_LC_OBJECT_TYPE = 2
const AAC_PACKET_FRAMES = 1024

/**
 * Checks an MP4 file of H.264 and AAC (ISO/IEC 14496-12, -14, -15 and -3) for faults of its structure that decoders tolerate, but some
 * players and video platforms do not.
 */
export function checkMp4(bytes: Uint8Array, expectedVideo: ExpectedVideo): Mp4Report {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const faultTexts: string[] = []
  const topBoxes = listBoxes(view, 0, bytes.length)
  const boxTypes = topBoxes.map(({ type }) => type)
  if (topBoxes.at(-1)?.end !== bytes.length) faultTexts.push('the boxes do not end with the file')
  if (boxTypes[0] !== 'ftyp') faultTexts.push('ftyp is not first')
  if (!(boxTypes.indexOf('moov') >= 0 && boxTypes.indexOf('moov') < boxTypes.indexOf('mdat'))) faultTexts.push('moov is not before mdat')
  const movieBox = topBoxes.find(({ type }) => type === 'moov')
  const trackFacts = movieBox === undefined ? [] : findChildren(view, movieBox, 'trak').map((trak) => readTrack(view, trak))
  const videoTrack = trackFacts.find(({ kind }) => kind === 'vide')
  const soundTrack = trackFacts.find(({ kind }) => kind === 'soun')
  if (trackFacts.length !== 2 || videoTrack === undefined || soundTrack === undefined) {
    faultTexts.push(`the tracks are ${trackFacts.map(({ kind }) => kind).join(', ') || 'none'}`)
    return { faults: faultTexts, profile: undefined, level: undefined, pictures: 0, packets: 0 }
  }
  const mediaDataBoxes = topBoxes.filter(({ type }) => type === 'mdat')
  for (const track of trackFacts) faultTexts.push(...findTrackFaults(track, mediaDataBoxes))
  faultTexts.push(...findSoundFaults(view, bytes, soundTrack, expectedVideo))
  const { faults: pictureFaults, profile, level } = findVideoFaults(view, bytes, videoTrack, expectedVideo)
  faultTexts.push(...pictureFaults)
  const [videoDurationS, soundDurationS] = [videoTrack, soundTrack].map(
    ({ sampleDurations, timescale }) => sum(sampleDurations) / timescale,
  )
  if (
    videoDurationS !== undefined &&
    soundDurationS !== undefined &&
    (videoDurationS < soundDurationS - 1e-6 || videoDurationS - soundDurationS > 1 / expectedVideo.frameRate + 1e-6)
  )
    faultTexts.push(`the pictures last ${videoDurationS.toFixed(4)} s, the sound ${soundDurationS.toFixed(4)} s`)
  return { faults: faultTexts, profile, level, pictures: videoTrack.sampleSizes.length, packets: soundTrack.sampleSizes.length }
}

function findTrackFaults(track: Track, mdats: readonly Box[]): string[] {
  const { kind, sampleDurations, sampleSizes, sampleOffsets, hasEditList } = track
  const faultTexts: string[] = []
  if (hasEditList) faultTexts.push(`${kind}: an edit list`)
  if (sampleDurations.length !== sampleSizes.length)
    faultTexts.push(`${kind}: stts counts ${sampleDurations.length} samples, stsz ${sampleSizes.length}`)
  if (sampleOffsets.length !== sampleSizes.length)
    faultTexts.push(`${kind}: the chunks hold ${sampleOffsets.length} samples, stsz ${sampleSizes.length}`)
  const isOffsetOutside = sampleOffsets.some(
    (offset, index) => !mdats.some(({ contentStart: from, end }) => offset >= from && offset + (sampleSizes[index] ?? 0) <= end),
  )
  if (isOffsetOutside) faultTexts.push(`${kind}: samples outside of mdat`)
  if (sampleSizes.some((size) => size === 0)) faultTexts.push(`${kind}: an empty sample`)
  return faultTexts
}

function findSoundFaults(view: DataView, bytes: Uint8Array, track: Track, { durationS }: ExpectedVideo): string[] {
  const faultTexts: string[] = []
  const { timescale, sampleDurations, sampleSizes, sampleOffsets, sampleEntry } = track
  if (sampleEntry?.type !== 'mp4a') return [`soun: the codec is ${sampleEntry?.type}`]
  const config = readAudioSpecificConfig(view, bytes, sampleEntry)
  if (config === undefined) faultTexts.push('soun: no AudioSpecificConfig')
  else if (config.objectType !== AAC_LC_OBJECT_TYPE) faultTexts.push(`soun: audio object type ${config.objectType} instead of AAC-LC`)
  else if (config.sampleRate !== timescale) faultTexts.push(`soun: the configuration has ${config.sampleRate} Hz, the track ${timescale}`)
  if (sampleOffsets.some((offset) => bytes[offset] === 0xff && ((bytes[offset + 1] ?? 0) & 0xf6) === 0xf0))
    faultTexts.push('soun: packets with ADTS headers')
  if (sampleDurations.some((duration) => duration !== AAC_PACKET_FRAMES))
    faultTexts.push('soun: packets of other lengths than 1024 samples')
  const trackDurationS = sum(sampleDurations) / timescale
  // The encoder's delay adds one packet before the sound, and silence fills the last packet.
  if (
    trackDurationS < durationS + AAC_PACKET_FRAMES / timescale - 1e-6 ||
    trackDurationS > durationS + (2 * AAC_PACKET_FRAMES) / timescale + 1e-6
  )
    faultTexts.push(`soun: stts sums up to ${trackDurationS.toFixed(4)} s for ${durationS.toFixed(4)} s of sound`)
  if (new Set(sampleSizes).size === 1 && sampleSizes.length > 8) faultTexts.push('soun: all packets have one size')
  return faultTexts
}

function findVideoFaults(view: DataView, bytes: Uint8Array, track: Track, { frameRate, gopFrames }: ExpectedVideo) {
  const faultTexts: string[] = []
  const { timescale, sampleDurations, sampleSizes, sampleOffsets, keyFrameNumbers: keyFrames, sampleEntry, hasCompositionOffsets } = track
  if (sampleEntry?.type !== 'avc1') return { faults: [`vide: the codec is ${sampleEntry?.type}`], profile: undefined, level: undefined }
  if (hasCompositionOffsets) faultTexts.push('vide: composition offsets')
  if (sampleDurations.some((duration) => duration * frameRate !== timescale)) faultTexts.push('vide: the frame rate is not constant')
  const keyFrameNumbers = keyFrames ?? []
  if (keyFrameNumbers[0] !== 1) faultTexts.push('vide: the first picture is no key frame')
  const keyFrameGaps = keyFrameNumbers.map((key, index) => (keyFrameNumbers[index + 1] ?? sampleSizes.length + 1) - key)
  if (keyFrameGaps.some((gap) => gap > gopFrames))
    faultTexts.push(`vide: ${Math.max(...keyFrameGaps)} pictures from one key frame to the next`)
  const avcC = listBoxes(view, sampleEntry.contentStart + 78, sampleEntry.end).find(({ type }) => type === 'avcC')
  const spsFacts = avcC && readSps(bytes, avcC)
  if (spsFacts === undefined) return { faults: [...faultTexts, 'vide: no sequence parameter set'], profile: undefined, level: undefined }
  if (!ACCEPTED_H264_PROFILES.includes(spsFacts.profile)) faultTexts.push(`vide: profile ${spsFacts.profile}`)
  if (spsFacts.chroma !== 1) faultTexts.push('vide: the colour is not 4:2:0')
  if (avcC !== undefined && (bytes[avcC.contentStart + 1] !== spsFacts.profile || bytes[avcC.contentStart + 3] !== spsFacts.level))
    faultTexts.push('vide: avcC and the sequence parameter set differ in profile or level')
  const macroblockCount =
    Math.ceil(view.getUint16(sampleEntry.contentStart + 24) / 16) * Math.ceil(view.getUint16(sampleEntry.contentStart + 26) / 16)
  const maxMacroblocksPerSecond = LEVEL_MACROBLOCKS.find(([level]) => level === spsFacts.level)?.[1] ?? 0
  if (macroblockCount * frameRate > maxMacroblocksPerSecond) faultTexts.push(`vide: level ${spsFacts.level / 10} is too low for the size`)
  const keyFrameSet = new Set(keyFrameNumbers)
  let lastIdrPictureId: number | undefined
  for (const [index, sampleOffset] of sampleOffsets.entries()) {
    const slice = readFirstSlice(view, bytes, sampleOffset, sampleSizes[index] ?? 0, spsFacts.frameNumBits)
    if (slice === undefined) {
      faultTexts.push(`vide: picture ${index} has no slice`)
      break
    }
    if (slice.isIdr !== keyFrameSet.has(index + 1)) {
      faultTexts.push(`vide: picture ${index} is ${slice.isIdr ? 'an' : 'no'} IDR picture, and stss says otherwise`)
      break
    }
    if (!slice.isIdr) continue
    if (slice.id === lastIdrPictureId) {
      faultTexts.push(`vide: picture ${index} repeats the id of the IDR picture before it`)
      break
    }
    lastIdrPictureId = slice.id
  }
  return { faults: faultTexts, profile: spsFacts.profile, level: spsFacts.level }
}

/** Levels by level_idc, and the macroblocks per second that they allow (ITU-T H.264, table A-1). */
const LEVEL_MACROBLOCKS: readonly (readonly [level: number, perSecond: number])[] = [
  [10, 1485],
  [11, 3000],
  [12, 6000],
  [13, 11_880],
  [20, 11_880],
  [21, 19_800],
  [22, 20_250],
  [30, 40_500],
  [31, 108_000],
  [32, 216_000],
  [40, 245_760],
  [41, 245_760],
  [42, 522_240],
  [50, 589_824],
  [51, 983_040],
  [52, 2_073_600],
]

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function listBoxes(view: DataView, startByte: number, endByte: number): Box[] {
  const foundBoxes: Box[] = []
  for (let boxStart = startByte; boxStart + 8 <= endByte; ) {
    const shortSize = view.getUint32(boxStart)
    const isLarge = shortSize === 1
    const boxSize = isLarge ? Number(view.getBigUint64(boxStart + 8)) : shortSize
    const boxEnd = shortSize === 0 ? endByte : boxStart + boxSize
    if (shortSize !== 0 && (boxSize < 8 || boxEnd > endByte)) break
    foundBoxes.push({
      type: readFourCharacters(view, boxStart + 4),
      start: boxStart,
      contentStart: boxStart + (isLarge ? 16 : 8),
      end: boxEnd,
    })
    boxStart = boxEnd
  }
  return foundBoxes
}

const readFourCharacters = (view: DataView, at: number) => String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)))
const findChildren = (view: DataView, box: Box, type: string) =>
  listBoxes(view, box.contentStart, box.end).filter((child) => child.type === type)

function findDescendant(view: DataView, box: Box, ...boxTypes: readonly string[]): Box | undefined {
  let found: Box | undefined = box
  for (const type of boxTypes) found = found && findChildren(view, found, type)[0]
  return found
}

function readTrack(view: DataView, trak: Box): Track {
  const mediaHeaderBox = findDescendant(view, trak, 'mdia', 'mdhd')
  const handlerBox = findDescendant(view, trak, 'mdia', 'hdlr')
  const sampleTableBox = findDescendant(view, trak, 'mdia', 'minf', 'stbl')
  const findTable = (type: string) => sampleTableBox && findDescendant(view, sampleTableBox, type)
  const descriptionBox = findTable('stsd')
  const sizes = readSizes(view, findTable('stsz'))
  return {
    kind: handlerBox === undefined ? '' : readFourCharacters(view, handlerBox.contentStart + 8),
    timescale:
      mediaHeaderBox === undefined
        ? 0
        : view.getUint32(mediaHeaderBox.contentStart + (view.getUint8(mediaHeaderBox.contentStart) === 1 ? 20 : 12)),
    sampleDurations: readEntries(view, findTable('stts'), 8).flatMap((at) =>
      Array<number>(view.getUint32(at)).fill(view.getUint32(at + 4)),
    ),
    sampleSizes: sizes,
    sampleOffsets: readOffsets(view, findTable('stsc'), findTable('stco'), findTable('co64'), sizes),
    keyFrameNumbers: findTable('stss') && readEntries(view, findTable('stss'), 4).map((at) => view.getUint32(at)),
    hasEditList: findDescendant(view, trak, 'edts') !== undefined,
    hasCompositionOffsets: findTable('ctts') !== undefined,
    sampleEntry: descriptionBox && listBoxes(view, descriptionBox.contentStart + 8, descriptionBox.end)[0],
  }
}

/** Returns the offsets of the entries of a table. The table consists of version, flags and count, then entries of `entryBytes` bytes. */
const readEntries = (view: DataView, box: Box | undefined, entryBytes: number): number[] =>
  box === undefined
    ? []
    : Array.from({ length: view.getUint32(box.contentStart + 4) }, (_, index) => box.contentStart + 8 + index * entryBytes)

function readSizes(view: DataView, stsz: Box | undefined): number[] {
  if (stsz === undefined) return []
  const [size, count] = [view.getUint32(stsz.contentStart + 4), view.getUint32(stsz.contentStart + 8)]
  return Array.from({ length: count }, (_, index) => (size > 0 ? size : view.getUint32(stsz.contentStart + 12 + 4 * index)))
}

function readOffsets(
  view: DataView,
  stsc: Box | undefined,
  stco: Box | undefined,
  co64: Box | undefined,
  sampleSizes: readonly number[],
): number[] {
  const chunkOffsets = stco
    ? readEntries(view, stco, 4).map((at) => view.getUint32(at))
    : readEntries(view, co64, 8).map((at) => Number(view.getBigUint64(at)))
  const chunkRuns = readEntries(view, stsc, 12).map((at) => ({ firstChunk: view.getUint32(at), samples: view.getUint32(at + 4) }))
  const sampleOffsets: number[] = []
  for (const [index, chunkOffset] of chunkOffsets.entries()) {
    const { samples = 0 } = chunkRuns.findLast(({ firstChunk }) => firstChunk <= index + 1) ?? {}
    let sampleOffset = chunkOffset
    for (let sample = 0; sample < samples; sample++) {
      sampleOffsets.push(sampleOffset)
      sampleOffset += sampleSizes[sampleOffsets.length - 1] ?? 0
    }
  }
  return sampleOffsets
}

const SAMPLE_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]

/** Reads the AudioSpecificConfig of the descriptors in `descriptorBox` (ISO/IEC 14496-1, 7.2.6; -3, 1.6.2.1). */
function readAudioSpecificConfig(view: DataView, bytes: Uint8Array, entry: Box) {
  const descriptorBox = listBoxes(view, entry.contentStart + 28, entry.end).find(({ type }) => type === 'esds')
  if (descriptorBox === undefined) return undefined
  let byteOffset = descriptorBox.contentStart + 4
  while (byteOffset < descriptorBox.end) {
    const descriptorTag = bytes[byteOffset++]
    let descriptorSize = 0
    for (let byte = 0x80; (byte & 0x80) !== 0 && byteOffset < descriptorBox.end; ) {
      byte = bytes[byteOffset++] ?? 0
      descriptorSize = (descriptorSize << 7) | (byte & 0x7f)
    }
    if (descriptorTag === 3) byteOffset += 3
    else if (descriptorTag === 4) byteOffset += 13
    else if (descriptorTag === 5) {
      if (descriptorSize < 2) return undefined
      const word = view.getUint16(byteOffset)
      return { objectType: word >> 11, sampleRate: SAMPLE_RATES[(word >> 7) & 15] }
    } else byteOffset += descriptorSize
  }
  return undefined
}

/** Reads bits of a NAL unit, without the bytes that prevent start codes (ITU-T H.264, 7.3.1). */
function createBitReader(unitBytes: Uint8Array) {
  const payloadBytes = unitBytes.filter((byte, index) => !(byte === 3 && unitBytes[index - 1] === 0 && unitBytes[index - 2] === 0))
  let bitOffset = 0
  const readBits = (bitCount: number) => {
    let bitValue = 0
    for (let index = 0; index < bitCount; index++, bitOffset++)
      bitValue = bitValue * 2 + (((payloadBytes[bitOffset >> 3] ?? 0) >> (7 - (bitOffset & 7))) & 1)
    return bitValue
  }
  /** Reads an Exp-Golomb code (ITU-T H.264, 9.1). */
  const readUnsigned = () => {
    let zeros = 0
    while (zeros < 32 && readBits(1) === 0) zeros++
    return 2 ** zeros - 1 + readBits(zeros)
  }
  return { bits: readBits, unsigned: readUnsigned }
}

function readSps(bytes: Uint8Array, avcC: Box) {
  const spsCount = (bytes[avcC.contentStart + 5] ?? 0) & 31
  const spsLength = ((bytes[avcC.contentStart + 6] ?? 0) << 8) | (bytes[avcC.contentStart + 7] ?? 0)
  if (spsCount === 0 || spsLength < 4) return undefined
  const spsUnit = bytes.subarray(avcC.contentStart + 8, avcC.contentStart + 8 + spsLength)
  const { bits, unsigned } = createBitReader(spsUnit.subarray(1))
  const [profileIdc, , levelIdc] = [bits(8), bits(8), bits(8)]
  unsigned()
  let chromaFormat = 1
  if ([100, 110, 122, 244].includes(profileIdc)) {
    chromaFormat = unsigned()
    unsigned()
    unsigned()
    bits(1)
    if (bits(1) === 1) return undefined
  }
  return { profile: profileIdc, level: levelIdc, chroma: chromaFormat, frameNumBits: unsigned() + 4 }
}

/** Reads the header of the first slice of a picture (ITU-T H.264, 7.3.3). */
function readFirstSlice(view: DataView, bytes: Uint8Array, byteOffset: number, sampleBytes: number, frameNumBits: number) {
  for (let unitStart = byteOffset; unitStart + 5 <= byteOffset + sampleBytes; unitStart += 4 + view.getUint32(unitStart)) {
    const unitType = (bytes[unitStart + 4] ?? 0) & 31
    if (unitType !== 1 && unitType !== 5) continue
    const { bits, unsigned } = createBitReader(bytes.subarray(unitStart + 5, Math.min(unitStart + 29, byteOffset + sampleBytes)))
    unsigned()
    unsigned()
    unsigned()
    bits(frameNumBits)
    return { isIdr: unitType === 5, id: unitType === 5 ? unsigned() : undefined }
  }
  return undefined
}
