import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkMp4 } from '../client/engine/testing/mp4-structure.ts'
import { joinBytes } from '../dsp/byte-source.ts'

/** A video that the maker made: 3 s of a tone over a still picture, 320 x 180. */
const videoBytes = new Uint8Array(readFileSync(new URL('../client/engine/testing/still.mp4', import.meta.url)))
const EXPECTED_STRUCTURE = { frameRate: 30, gopFrames: 15, durationS: 3 }

const findFaults = (bytes: Uint8Array, expected = EXPECTED_STRUCTURE) => checkMp4(bytes, expected).faults.join('\n')

/** Returns the byte offset of the content of the `boxIndex`-th box of a type: the first byte after the box's header. */
function findContentStart(bytes: Uint8Array, boxType: string, boxIndex = 0): number {
  const typeCodes = [...boxType].map((character) => character.charCodeAt(0))
  let foundOffset = -1
  for (let index = 0; index <= boxIndex; index++) {
    do foundOffset++
    while (foundOffset < bytes.length && !typeCodes.every((byte, offset) => bytes[foundOffset + offset] === byte))
  }
  expect(foundOffset).toBeLessThan(bytes.length)
  return foundOffset + 4
}

type FileEdit = (view: DataView, bytes: Uint8Array) => void

function editVideo(edit: FileEdit): Uint8Array {
  const bytes = videoBytes.slice()
  edit(new DataView(bytes.buffer), bytes)
  return bytes
}

/** The indexes of the tracks, in their order in the file. */
const SOUND_TRACK_INDEX = 0
const VIDEO_TRACK_INDEX = 1

it('mp4 structure: a video of the maker has no fault', () => {
  expect(checkMp4(videoBytes, EXPECTED_STRUCTURE)).toEqual({
    faults: [],
    profile: expect.any(Number),
    level: expect.any(Number),
    pictures: 91,
    packets: 142,
  })
})

const plantedFaults: readonly (readonly [name: string, edit: FileEdit, message: string])[] = [
  [
    'the sound is HE-AAC',
    (view, fileBytes) => {
      // The AudioSpecificConfig of AAC-LC at 48 kHz in stereo begins with 0x1190; its first five bits are the object type.
      const config = fileBytes.indexOf(0x11, findContentStart(fileBytes, 'esds'))
      expect(view.getUint16(config)).toBe(0x1190)
      view.setUint8(config, (5 << 3) | 1)
    },
    'audio object type 5',
  ],
  ['a packet has an ADTS header', (view, bytes) => view.setUint16(findFirstOffset(view, bytes, SOUND_TRACK_INDEX), 0xfff1), 'ADTS headers'],
  [
    'the times of the sound are too short',
    (view, bytes) => view.setUint32(findContentStart(bytes, 'stts', SOUND_TRACK_INDEX) + 12, 1000),
    'other lengths than 1024',
  ],
  [
    'a packet has no time',
    (view, bytes) => addToUint32(view, findContentStart(bytes, 'stts', SOUND_TRACK_INDEX) + 8, -1),
    'stts counts 141 samples, stsz 142',
  ],
  [
    'a packet has no size',
    (view, bytes) => addToUint32(view, findContentStart(bytes, 'stsz', SOUND_TRACK_INDEX) + 8, -1),
    'the chunks hold 142 samples, stsz 141',
  ],
  [
    'the frame rate changes',
    (view, bytes) => addToUint32(view, findContentStart(bytes, 'stts', VIDEO_TRACK_INDEX) + 12, 1),
    'the frame rate is not constant',
  ],
  [
    'a key frame is not listed',
    (view, bytes) => addToUint32(view, findContentStart(bytes, 'stss') + 8 + 4, 1),
    'IDR picture, and stss says otherwise',
  ],
  [
    'key frames are too rare',
    (view, bytes) => addToUint32(view, findContentStart(bytes, 'stss') + 4, -1),
    'from one key frame to the next',
  ],
  [
    'two key frames in succession have one id',
    (view, fileBytes) => {
      const chunks = findContentStart(fileBytes, 'stco', VIDEO_TRACK_INDEX)
      view.setUint32(chunks + 12, view.getUint32(chunks + 8))
    },
    'repeats the id',
  ],
  [
    'the profile is one that few players have',
    (view, fileBytes) => {
      view.setUint8(findContentStart(fileBytes, 'avcC') + 1, 88)
      view.setUint8(findContentStart(fileBytes, 'avcC') + 9, 88)
    },
    'profile 88',
  ],
  ['the level is too low', (view, bytes) => view.setUint8(findContentStart(bytes, 'avcC') + 11, 10), 'level 1 is too low'],
  ['the index follows the content', (_, bytes) => bytes.set(moveIndexToEnd(bytes)), 'moov is not before mdat'],
  ['the track has an edit list', (_, bytes) => bytes.set(insertEditList(bytes)), 'an edit list'],
]

it.each(plantedFaults)('mp4 structure: the check finds this fault: %s', (_, edit, message) => {
  expect(findFaults(editVideo(edit))).toContain(message)
})

it('mp4 structure: a sound that is shorter than the exported sound is reported', () => {
  expect(findFaults(videoBytes, { ...EXPECTED_STRUCTURE, durationS: 3.1 })).toContain('for 3.1000 s of sound')
})

it('mp4 structure: a file that is cut off is reported', () => {
  expect(findFaults(videoBytes.subarray(0, videoBytes.length - 100))).toContain('samples outside of mdat')
})

const addToUint32 = (view: DataView, at: number, change: number) => view.setUint32(at, view.getUint32(at) + change)
const findFirstOffset = (view: DataView, bytes: Uint8Array, track: number | undefined) =>
  view.getUint32(findContentStart(bytes, 'stco', track) + 8)

function listTopBoxes(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer)
  const boxes: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += view.getUint32(at)) boxes.push(bytes.slice(at, at + view.getUint32(at)))
  return boxes
}

function moveIndexToEnd(bytes: Uint8Array): Uint8Array {
  const [type, index, ...rest] = listTopBoxes(bytes)
  return joinBytes([type, ...rest, index].filter((box) => box !== undefined))
}

/** Adds an edit list to the first track. The space for it is taken from the free space after the index. */
function insertEditList(bytes: Uint8Array): Uint8Array {
  const editBox = new Uint8Array(36)
  const view = new DataView(editBox.buffer)
  view.setUint32(0, 36)
  editBox.set(
    [...'edts'].map((character) => character.charCodeAt(0)),
    4,
  )
  view.setUint32(8, 28)
  editBox.set(
    [...'elst'].map((character) => character.charCodeAt(0)),
    12,
  )
  const trakStart = findContentStart(bytes, 'trak') - 8
  const moovStart = findContentStart(bytes, 'moov') - 8
  const freeStart = findContentStart(bytes, 'free') - 8
  const bytesCopy = bytes.slice()
  const sizesView = new DataView(bytesCopy.buffer)
  for (const [startByte, sizeChangeBytes] of [
    [trakStart, 36],
    [moovStart, 36],
    [freeStart, -36],
  ] as const)
    addToUint32(sizesView, startByte, sizeChangeBytes)
  const trakEnd = trakStart + sizesView.getUint32(trakStart) - 36
  return joinBytes([
    bytesCopy.subarray(0, trakEnd),
    editBox,
    bytesCopy.subarray(trakEnd, freeStart + 8),
    bytesCopy.subarray(freeStart + 8 + 36),
  ])
}
