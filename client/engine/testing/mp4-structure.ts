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
  readonly durations: readonly number[]
  readonly sizes: readonly number[]
  readonly offsets: readonly number[]
  readonly keyFrames: readonly number[] | undefined
  readonly hasEditList: boolean
  readonly hasCompositionOffsets: boolean
  readonly entry: Box | undefined
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
  const faults: string[] = []
  const topBoxes = listBoxes(view, 0, bytes.length)
  const order = topBoxes.map(({ type }) => type)
  if (topBoxes.at(-1)?.end !== bytes.length) faults.push('the boxes do not end with the file')
  if (order[0] !== 'ftyp') faults.push('ftyp is not first')
  if (!(order.indexOf('moov') >= 0 && order.indexOf('moov') < order.indexOf('mdat'))) faults.push('moov is not before mdat')
  const moov = topBoxes.find(({ type }) => type === 'moov')
  const tracks = moov === undefined ? [] : childrenOf(view, moov, 'trak').map((trak) => readTrack(view, trak))
  const video = tracks.find(({ kind }) => kind === 'vide')
  const sound = tracks.find(({ kind }) => kind === 'soun')
  if (tracks.length !== 2 || video === undefined || sound === undefined) {
    faults.push(`the tracks are ${tracks.map(({ kind }) => kind).join(', ') || 'none'}`)
    return { faults, profile: undefined, level: undefined, pictures: 0, packets: 0 }
  }
  const mdats = topBoxes.filter(({ type }) => type === 'mdat')
  for (const track of tracks) faults.push(...trackFaults(track, mdats))
  faults.push(...soundFaults(view, bytes, sound, expectedVideo))
  const { faults: pictureFaults, profile, level } = videoFaults(view, bytes, video, expectedVideo)
  faults.push(...pictureFaults)
  const [videoS, soundS] = [video, sound].map(({ durations, timescale }) => sum(durations) / timescale)
  if (videoS !== undefined && soundS !== undefined && (videoS < soundS - 1e-6 || videoS - soundS > 1 / expectedVideo.frameRate + 1e-6))
    faults.push(`the pictures last ${videoS.toFixed(4)} s, the sound ${soundS.toFixed(4)} s`)
  return { faults, profile, level, pictures: video.sizes.length, packets: sound.sizes.length }
}

function trackFaults(track: Track, mdats: readonly Box[]): string[] {
  const { kind, durations, sizes, offsets, hasEditList } = track
  const faults: string[] = []
  if (hasEditList) faults.push(`${kind}: an edit list`)
  if (durations.length !== sizes.length) faults.push(`${kind}: stts counts ${durations.length} samples, stsz ${sizes.length}`)
  if (offsets.length !== sizes.length) faults.push(`${kind}: the chunks hold ${offsets.length} samples, stsz ${sizes.length}`)
  const isOutside = offsets.some(
    (offset, index) => !mdats.some(({ contentStart: from, end }) => offset >= from && offset + (sizes[index] ?? 0) <= end),
  )
  if (isOutside) faults.push(`${kind}: samples outside of mdat`)
  if (sizes.some((size) => size === 0)) faults.push(`${kind}: an empty sample`)
  return faults
}

function soundFaults(view: DataView, bytes: Uint8Array, track: Track, { durationS }: ExpectedVideo): string[] {
  const faults: string[] = []
  const { timescale, durations, sizes, offsets, entry } = track
  if (entry?.type !== 'mp4a') return [`soun: the codec is ${entry?.type}`]
  const config = audioSpecificConfig(view, bytes, entry)
  if (config === undefined) faults.push('soun: no AudioSpecificConfig')
  else if (config.objectType !== AAC_LC_OBJECT_TYPE) faults.push(`soun: audio object type ${config.objectType} instead of AAC-LC`)
  else if (config.sampleRate !== timescale) faults.push(`soun: the configuration has ${config.sampleRate} Hz, the track ${timescale}`)
  if (offsets.some((offset) => bytes[offset] === 0xff && ((bytes[offset + 1] ?? 0) & 0xf6) === 0xf0))
    faults.push('soun: packets with ADTS headers')
  if (durations.some((duration) => duration !== AAC_PACKET_FRAMES)) faults.push('soun: packets of other lengths than 1024 samples')
  const totalS = sum(durations) / timescale
  // The encoder's delay adds one packet before the sound, and silence fills the last packet.
  if (totalS < durationS + AAC_PACKET_FRAMES / timescale - 1e-6 || totalS > durationS + (2 * AAC_PACKET_FRAMES) / timescale + 1e-6)
    faults.push(`soun: stts sums up to ${totalS.toFixed(4)} s for ${durationS.toFixed(4)} s of sound`)
  if (new Set(sizes).size === 1 && sizes.length > 8) faults.push('soun: all packets have one size')
  return faults
}

function videoFaults(view: DataView, bytes: Uint8Array, track: Track, { frameRate, gopFrames }: ExpectedVideo) {
  const faults: string[] = []
  const { timescale, durations, sizes, offsets, keyFrames, entry, hasCompositionOffsets } = track
  if (entry?.type !== 'avc1') return { faults: [`vide: the codec is ${entry?.type}`], profile: undefined, level: undefined }
  if (hasCompositionOffsets) faults.push('vide: composition offsets')
  if (durations.some((duration) => duration * frameRate !== timescale)) faults.push('vide: the frame rate is not constant')
  const keys = keyFrames ?? []
  if (keys[0] !== 1) faults.push('vide: the first picture is no key frame')
  const gaps = keys.map((key, index) => (keys[index + 1] ?? sizes.length + 1) - key)
  if (gaps.some((gap) => gap > gopFrames)) faults.push(`vide: ${Math.max(...gaps)} pictures from one key frame to the next`)
  const avcC = listBoxes(view, entry.contentStart + 78, entry.end).find(({ type }) => type === 'avcC')
  const sps = avcC && readSps(bytes, avcC)
  if (sps === undefined) return { faults: [...faults, 'vide: no sequence parameter set'], profile: undefined, level: undefined }
  if (!ACCEPTED_H264_PROFILES.includes(sps.profile)) faults.push(`vide: profile ${sps.profile}`)
  if (sps.chroma !== 1) faults.push('vide: the colour is not 4:2:0')
  if (avcC !== undefined && (bytes[avcC.contentStart + 1] !== sps.profile || bytes[avcC.contentStart + 3] !== sps.level))
    faults.push('vide: avcC and the sequence parameter set differ in profile or level')
  const macroblocks = Math.ceil(view.getUint16(entry.contentStart + 24) / 16) * Math.ceil(view.getUint16(entry.contentStart + 26) / 16)
  const maxMacroblocksPerSecond = LEVEL_MACROBLOCKS.find(([level]) => level === sps.level)?.[1] ?? 0
  if (macroblocks * frameRate > maxMacroblocksPerSecond) faults.push(`vide: level ${sps.level / 10} is too low for the size`)
  const keySet = new Set(keys)
  let lastId: number | undefined
  for (const [index, offset] of offsets.entries()) {
    const slice = firstSlice(view, bytes, offset, sizes[index] ?? 0, sps.frameNumBits)
    if (slice === undefined) {
      faults.push(`vide: picture ${index} has no slice`)
      break
    }
    if (slice.isIdr !== keySet.has(index + 1)) {
      faults.push(`vide: picture ${index} is ${slice.isIdr ? 'an' : 'no'} IDR picture, and stss says otherwise`)
      break
    }
    if (!slice.isIdr) continue
    if (slice.id === lastId) {
      faults.push(`vide: picture ${index} repeats the id of the IDR picture before it`)
      break
    }
    lastId = slice.id
  }
  return { faults, profile: sps.profile, level: sps.level }
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

function listBoxes(view: DataView, startByte: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let start = startByte; start + 8 <= end; ) {
    const size32 = view.getUint32(start)
    const isLarge = size32 === 1
    const size = isLarge ? Number(view.getBigUint64(start + 8)) : size32
    const boxEnd = size32 === 0 ? end : start + size
    if (size32 !== 0 && (size < 8 || boxEnd > end)) break
    boxes.push({ type: fourCharacters(view, start + 4), start, contentStart: start + (isLarge ? 16 : 8), end: boxEnd })
    start = boxEnd
  }
  return boxes
}

const fourCharacters = (view: DataView, at: number) => String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)))
const childrenOf = (view: DataView, box: Box, type: string) =>
  listBoxes(view, box.contentStart, box.end).filter((child) => child.type === type)

function descend(view: DataView, box: Box, ...boxTypes: readonly string[]): Box | undefined {
  let found: Box | undefined = box
  for (const type of boxTypes) found = found && childrenOf(view, found, type)[0]
  return found
}

function readTrack(view: DataView, trak: Box): Track {
  const mdhd = descend(view, trak, 'mdia', 'mdhd')
  const hdlr = descend(view, trak, 'mdia', 'hdlr')
  const stbl = descend(view, trak, 'mdia', 'minf', 'stbl')
  const findTable = (type: string) => stbl && descend(view, stbl, type)
  const stsd = findTable('stsd')
  const sizes = readSizes(view, findTable('stsz'))
  return {
    kind: hdlr === undefined ? '' : fourCharacters(view, hdlr.contentStart + 8),
    timescale: mdhd === undefined ? 0 : view.getUint32(mdhd.contentStart + (view.getUint8(mdhd.contentStart) === 1 ? 20 : 12)),
    durations: entriesOf(view, findTable('stts'), 8).flatMap((at) => Array<number>(view.getUint32(at)).fill(view.getUint32(at + 4))),
    sizes,
    offsets: readOffsets(view, findTable('stsc'), findTable('stco'), findTable('co64'), sizes),
    keyFrames: findTable('stss') && entriesOf(view, findTable('stss'), 4).map((at) => view.getUint32(at)),
    hasEditList: descend(view, trak, 'edts') !== undefined,
    hasCompositionOffsets: findTable('ctts') !== undefined,
    entry: stsd && listBoxes(view, stsd.contentStart + 8, stsd.end)[0],
  }
}

/** Returns the offsets of the entries of a table. The table consists of version, flags and count, then entries of `entryBytes` bytes. */
const entriesOf = (view: DataView, box: Box | undefined, entryBytes: number): number[] =>
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
  sizes: readonly number[],
): number[] {
  const chunks = stco
    ? entriesOf(view, stco, 4).map((at) => view.getUint32(at))
    : entriesOf(view, co64, 8).map((at) => Number(view.getBigUint64(at)))
  const runs = entriesOf(view, stsc, 12).map((at) => ({ firstChunk: view.getUint32(at), samples: view.getUint32(at + 4) }))
  const offsets: number[] = []
  for (const [index, chunkOffset] of chunks.entries()) {
    const { samples = 0 } = runs.findLast(({ firstChunk }) => firstChunk <= index + 1) ?? {}
    let offset = chunkOffset
    for (let sample = 0; sample < samples; sample++) {
      offsets.push(offset)
      offset += sizes[offsets.length - 1] ?? 0
    }
  }
  return offsets
}

const SAMPLE_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]

/** Reads the AudioSpecificConfig of the descriptors in `esds` (ISO/IEC 14496-1, 7.2.6; -3, 1.6.2.1). */
function audioSpecificConfig(view: DataView, bytes: Uint8Array, entry: Box) {
  const esds = listBoxes(view, entry.contentStart + 28, entry.end).find(({ type }) => type === 'esds')
  if (esds === undefined) return undefined
  let offset = esds.contentStart + 4
  while (offset < esds.end) {
    const tag = bytes[offset++]
    let size = 0
    for (let byte = 0x80; (byte & 0x80) !== 0 && offset < esds.end; ) {
      byte = bytes[offset++] ?? 0
      size = (size << 7) | (byte & 0x7f)
    }
    if (tag === 3) offset += 3
    else if (tag === 4) offset += 13
    else if (tag === 5) {
      if (size < 2) return undefined
      const word = view.getUint16(offset)
      return { objectType: word >> 11, sampleRate: SAMPLE_RATES[(word >> 7) & 15] }
    } else offset += size
  }
  return undefined
}

/** Reads bits of a NAL unit, without the bytes that prevent start codes (ITU-T H.264, 7.3.1). */
function bitReader(unit: Uint8Array) {
  const payload = unit.filter((byte, index) => !(byte === 3 && unit[index - 1] === 0 && unit[index - 2] === 0))
  let bitOffset = 0
  const readBits = (bitCount: number) => {
    let value = 0
    for (let index = 0; index < bitCount; index++, bitOffset++)
      value = value * 2 + (((payload[bitOffset >> 3] ?? 0) >> (7 - (bitOffset & 7))) & 1)
    return value
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
  const length = ((bytes[avcC.contentStart + 6] ?? 0) << 8) | (bytes[avcC.contentStart + 7] ?? 0)
  if (spsCount === 0 || length < 4) return undefined
  const unit = bytes.subarray(avcC.contentStart + 8, avcC.contentStart + 8 + length)
  const { bits, unsigned } = bitReader(unit.subarray(1))
  const [profile, , level] = [bits(8), bits(8), bits(8)]
  unsigned()
  let chroma = 1
  if ([100, 110, 122, 244].includes(profile)) {
    chroma = unsigned()
    unsigned()
    unsigned()
    bits(1)
    if (bits(1) === 1) return undefined
  }
  return { profile, level, chroma, frameNumBits: unsigned() + 4 }
}

/** Reads the header of the first slice of a picture (ITU-T H.264, 7.3.3). */
function firstSlice(view: DataView, bytes: Uint8Array, offset: number, size: number, frameNumBits: number) {
  for (let unitStart = offset; unitStart + 5 <= offset + size; unitStart += 4 + view.getUint32(unitStart)) {
    const type = (bytes[unitStart + 4] ?? 0) & 31
    if (type !== 1 && type !== 5) continue
    const { bits, unsigned } = bitReader(bytes.subarray(unitStart + 5, Math.min(unitStart + 29, offset + size)))
    unsigned()
    unsigned()
    unsigned()
    bits(frameNumBits)
    return { isIdr: type === 5, id: type === 5 ? unsigned() : undefined }
  }
  return undefined
}
