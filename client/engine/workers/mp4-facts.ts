const MAX_MOVIE_BYTES = 64 * 2 ** 20
const MAX_BOXES = 1000

export interface Mp4Facts {
  /**
   * The reason for which an MP4 file cannot be decoded. Either the audio is protected against copying (the sample description has the type
   * `enca`, ISO/IEC 14496-12, 8.12, or Apple's `drms`), or the file ends before its index, the `moov` box.
   */
  readonly failure: 'protected' | 'incomplete' | undefined
  /** Whether a comment by iTunes announces the encoder's delay and padding. Only `decodeAudioData` evaluates this comment. */
  readonly hasItunesDelay: boolean
  /** The edits of each track, by its id. */
  readonly editsByTrackId: ReadonlyMap<number, readonly EditListEntry[]>
}

/** A part of a track that is played. Its times are in seconds from the start of the track. */
export interface EditListEntry {
  readonly startS: number
  /** The length of the part; Infinity if the part extends to the end of the track. */
  readonly durationS: number
}

const NO_FACTS: Mp4Facts = { failure: undefined, hasItunesDelay: false, editsByTrackId: new Map() }

/** Reads the index of an MP4 file. */
export async function readMp4Facts(blob: Blob): Promise<Mp4Facts> {
  const movieView = await findMovie(blob)
  if (movieView === undefined) return { ...NO_FACTS, failure: 'incomplete' }
  const movieText = new TextDecoder('latin1').decode(movieView)
  return {
    failure: isProtected(movieText) ? 'protected' : undefined,
    hasItunesDelay: movieText.includes('iTunSMPB'),
    editsByTrackId: readEdits(new DataView(movieView)),
  }
}

function isProtected(movieText: string): boolean {
  for (let at = movieText.indexOf('stsd'); at !== -1; at = movieText.indexOf('stsd', at + 4)) {
    // The box type is followed by version and flags, a count, and the size of the first sample description, each of 4 bytes.
    if (['enca', 'drms'].includes(movieText.slice(at + 16, at + 20))) return true
  }
  return false
}

/** Returns the content of the `moov` box; undefined if the file has none, or ends inside it. */
async function findMovie(blob: Blob): Promise<ArrayBuffer | undefined> {
  let boxStart = 0
  for (let boxCount = 0; boxCount < MAX_BOXES && boxStart + 8 <= blob.size; boxCount++) {
    const boxHeader = new DataView(await blob.slice(boxStart, boxStart + 16).arrayBuffer())
    const box = readBox(boxHeader, 0, blob.size - boxStart)
    if (box === undefined) return undefined
    if (box.type === 'moov')
      return boxStart + box.end > blob.size
        ? undefined
        : blob.slice(boxStart + box.start, boxStart + Math.min(box.end, MAX_MOVIE_BYTES)).arrayBuffer()
    boxStart += box.end
  }
  return undefined
}

interface Box {
  readonly type: string
  /** Where the content of the box starts and ends. */
  readonly start: number
  readonly end: number
}

/** @param bytesLeft the number of bytes up to the end of the enclosing box or of the file */
function readBox(view: DataView, boxStart: number, bytesLeft: number): Box | undefined {
  if (boxStart + 8 > view.byteLength) return undefined
  const boxSize = view.getUint32(boxStart)
  // A size of 1 means that a 64-bit size follows the type, a size of 0 that the box is the last one.
  const isLargeBox = boxSize === 1 && boxStart + 16 <= view.byteLength
  const boxBytes = isLargeBox ? Number(view.getBigUint64(boxStart + 8)) : boxSize === 0 ? bytesLeft : boxSize
  if (boxBytes < 8) return undefined
  const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(boxStart + offset)))
  return { type, start: boxStart + (isLargeBox ? 16 : 8), end: boxStart + boxBytes }
}

/** Returns the boxes of a type in a range. */
function listBoxes(view: DataView, byteRange: Pick<Box, 'start' | 'end'>, boxType: string): readonly Box[] {
  const foundBoxes: Box[] = []
  const endByte = Math.min(byteRange.end, view.byteLength)
  for (let boxStart = byteRange.start; boxStart < endByte; ) {
    const box = readBox(view, boxStart, endByte - boxStart)
    if (box === undefined) break
    if (box.type === boxType) foundBoxes.push({ ...box, end: Math.min(box.end, endByte) })
    boxStart = box.end
  }
  return foundBoxes
}

/** Reads the edit list of each track (ISO/IEC 14496-12, 8.6.6). Empty edits, which delay a track, are left out. */
function readEdits(movieView: DataView): ReadonlyMap<number, readonly EditListEntry[]> {
  const editsByTrackId = new Map<number, readonly EditListEntry[]>()
  const wholeRange = { start: 0, end: movieView.byteLength }
  const readTimescaleOf = (box: Box | undefined) => box && readTimescale(movieView, box)
  const movieTimescale = readTimescaleOf(listBoxes(movieView, wholeRange, 'mvhd')[0])
  for (const trackBox of listBoxes(movieView, wholeRange, 'trak')) {
    const [trackHeader] = listBoxes(movieView, trackBox, 'tkhd')
    const [mediaBox] = listBoxes(movieView, trackBox, 'mdia')
    const trackTimescale = readTimescaleOf(mediaBox && listBoxes(movieView, mediaBox, 'mdhd')[0])
    const [editList] = listBoxes(movieView, trackBox, 'edts').flatMap((box) => listBoxes(movieView, box, 'elst'))
    if (trackHeader === undefined || editList === undefined || !movieTimescale || !trackTimescale) continue
    const idAt = trackHeader.start + (isVersion1(movieView, trackHeader) ? 20 : 12)
    if (idAt + 4 <= trackHeader.end)
      editsByTrackId.set(movieView.getUint32(idAt), readEditList(movieView, editList, movieTimescale, trackTimescale))
  }
  return editsByTrackId
}

/** Reads the time units per second of an `mvhd` or `mdhd` box. */
function readTimescale(view: DataView, box: Box): number | undefined {
  const at = box.start + (isVersion1(view, box) ? 20 : 12)
  return at + 4 <= box.end ? view.getUint32(at) : undefined
}

/** Whether the times of a box have 64 bits. */
const isVersion1 = (view: DataView, { start, end }: Box): boolean => start < end && view.getUint8(start) === 1

function readEditList(view: DataView, box: Box, movieTimescale: number, trackTimescale: number): readonly EditListEntry[] {
  const { start, end } = box
  const editEntries: EditListEntry[] = []
  const has64BitTimes = isVersion1(view, box)
  const editBytes = has64BitTimes ? 20 : 12
  for (let editStart = start + 8; editStart + editBytes <= end; editStart += editBytes) {
    const editDuration = has64BitTimes ? Number(view.getBigUint64(editStart)) : view.getUint32(editStart)
    const mediaTime = has64BitTimes ? Number(view.getBigInt64(editStart + 8)) : view.getInt32(editStart + 4)
    if (mediaTime >= 0)
      editEntries.push({
        startS: mediaTime / trackTimescale,
        durationS: editDuration === 0 ? Number.POSITIVE_INFINITY : editDuration / movieTimescale,
      })
  }
  return editEntries
}
