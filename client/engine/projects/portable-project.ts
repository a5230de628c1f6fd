import type { OutputOptions, ProjectImportFailure } from '../engine.ts'
import { clampSettings, DEFAULT_SETTINGS } from '../render-settings.ts'
import type { NewProject } from './project-files.ts'
import { isNumberValue, isObject, isStringValue, type ProjectRecord, parseEdit } from './project-record.ts'
import { cleanTitle, createSongTitle } from './project-title.ts'
import { CHOSEN_COVER_PX, toSquarePicture } from './square-picture.ts'

/* A project as a single file that another device can open. It consists of a head of 16 bytes, the description as JSON, the bytes of the
   song, and those of the cover. The head consists of `FILE_SIGNATURE`, the version of the format and the length of the description, both as
   little-endian numbers of 32 bits. */

/** The first bytes of every file. Its line break shows whether a program has changed the file as if it were a text. */
const FILE_SIGNATURE = new TextEncoder().encode('VSEDIT\r\n')
const FILE_VERSION = 1
const HEAD_BYTES = FILE_SIGNATURE.length + 8
/** The maximum size of a description in bytes. That of a history with 100 steps has about 30,000. */
const MAX_DESCRIPTION_BYTES = 2 ** 20
const MAX_COVER_BYTES = 2 ** 24
/** The maximum numbers of characters of a file name, a tag and a name pattern. */
const MAX_TEXT_LENGTH = 300
/** Lengths and tempos in a file that exceed these limits are ignored. They are not needed, because opening the project measures both. */
const MAX_LENGTH_S = 1_000_000
const MAX_BPM = 1000

/** Why a file is not a project that can be opened. */
type PortableFailure = Exclude<ProjectImportFailure['kind'], 'no-room' | 'no-storage'>

/** The members of a project that its file contains. The device that opens the file adds the other members. */
export type PortableProject = Omit<NewProject, 'owner' | 'changedAtMs'>

/** Returns the file of a project. The returned file refers to its parts instead of copying them, so that it takes no memory. */
export function createPortableProject(record: ProjectRecord, sound: Blob, cover: Blob | undefined): Blob {
  const { name, title, artist, lengthS } = record
  const editRecord = { ...parseEdit({ ...record }), name, title, artist, lengthS, soundBytes: sound.size, coverBytes: cover?.size ?? 0 }
  const descriptionBytes = new TextEncoder().encode(JSON.stringify(editRecord))
  const numbersView = new DataView(new ArrayBuffer(8))
  numbersView.setUint32(0, FILE_VERSION, true)
  numbersView.setUint32(4, descriptionBytes.length, true)
  return new Blob([FILE_SIGNATURE, numbersView, descriptionBytes, sound, ...(cover ? [cover] : [])], { type: 'application/octet-stream' })
}

/**
 * Reads the file of a project. The song is a part of the file. The content of the file is not trusted: values out of range are limited or
 * left out.
 */
export async function readPortableProject(portableFile: Blob): Promise<PortableProject | PortableFailure> {
  try {
    const headBytes = await readBytes(portableFile, 0, HEAD_BYTES)
    if (!hasSignature(headBytes)) return 'other'
    if (headBytes.length < HEAD_BYTES) return 'incomplete'
    const numbersView = new DataView(headBytes.buffer, FILE_SIGNATURE.length)
    const [formatVersion, descriptionBytes] = [numbersView.getUint32(0, true), numbersView.getUint32(4, true)]
    if (formatVersion > FILE_VERSION) return 'newer'
    if (formatVersion !== FILE_VERSION || descriptionBytes > MAX_DESCRIPTION_BYTES) return 'invalid'
    const soundStart = HEAD_BYTES + descriptionBytes
    if (portableFile.size < soundStart) return 'incomplete'
    const description = parseDescription(new TextDecoder().decode(await readBytes(portableFile, HEAD_BYTES, soundStart)))
    if (description === undefined) return 'invalid'
    const { soundBytes, coverBytes, edit } = description
    const soundEnd = soundStart + soundBytes
    if (portableFile.size !== soundEnd + coverBytes) return 'incomplete'
    const coverPx = edit.hasChosenCover ? CHOSEN_COVER_PX : undefined
    const cover = coverBytes === 0 ? undefined : await toSquarePicture(portableFile.slice(soundEnd), coverPx)
    return { ...edit, sound: portableFile.slice(soundStart, soundEnd, edit.type), cover }
  } catch {
    return 'unreadable'
  }
}

const hasSignature = (head: Uint8Array) => FILE_SIGNATURE.every((byte, index) => head[index] === byte)

const readBytes = async (file: Blob, start: number, end: number) => new Uint8Array(await file.slice(start, end).arrayBuffer())

/** Reads a description; `undefined` if it is not valid. */
function parseDescription(descriptionText: string) {
  const descriptionJson = parseJson(descriptionText)
  if (!isObject(descriptionJson)) return undefined
  const { name, title, artist, lengthS, soundBytes, coverBytes } = descriptionJson
  if (!isStringValue(name) || !isStringValue(title) || !isByteCountValue(soundBytes) || soundBytes === 0 || !isByteCountValue(coverBytes))
    return undefined
  if (coverBytes > MAX_COVER_BYTES) return undefined
  const { settings, bpm, output, ...edit } = parseEdit(descriptionJson)
  const fileName = name.slice(0, MAX_TEXT_LENGTH)
  const artistName = isStringValue(artist) ? cleanTitle(artist) : ''
  return {
    soundBytes,
    coverBytes,
    edit: {
      ...edit,
      name: fileName,
      title: createSongTitle(fileName, title),
      settings: clampSettings(DEFAULT_SETTINGS, settings),
      ...(output !== undefined && { output: truncateTexts(output) }),
      ...(artistName !== '' && { artist: artistName }),
      ...(isNumberValue(lengthS) && lengthS > 0 && lengthS < MAX_LENGTH_S && { lengthS }),
      ...(bpm !== undefined && bpm > 0 && bpm < MAX_BPM && { bpm }),
    },
  }
}

/** Shortens the texts of the output options to the length to which the tags of opened files are shortened. */
const truncateTexts = ({ tags, namePattern, targetLufs }: OutputOptions): OutputOptions => ({
  tags: Object.fromEntries(Object.entries(tags).map(([name, text]) => [name, text?.slice(0, MAX_TEXT_LENGTH)])),
  namePattern: namePattern.slice(0, MAX_TEXT_LENGTH),
  targetLufs,
})

function parseJson(jsonText: string): unknown {
  try {
    return JSON.parse(jsonText)
  } catch {
    return undefined
  }
}

const isByteCountValue = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
