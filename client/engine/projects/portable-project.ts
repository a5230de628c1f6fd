import type { OutputOptions, ProjectImportFailure } from '../engine.ts'
import { clampSettings, DEFAULT_SETTINGS } from '../render-settings.ts'
import type { NewProject } from './project-files.ts'
import { isNumber, isObject, isString, type ProjectRecord, parseEdit } from './project-record.ts'
import { cleanTitle, songTitle } from './project-title.ts'
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
  const edit = { ...parseEdit({ ...record }), name, title, artist, lengthS, soundBytes: sound.size, coverBytes: cover?.size ?? 0 }
  const description = new TextEncoder().encode(JSON.stringify(edit))
  const numbers = new DataView(new ArrayBuffer(8))
  numbers.setUint32(0, FILE_VERSION, true)
  numbers.setUint32(4, description.length, true)
  return new Blob([FILE_SIGNATURE, numbers, description, sound, ...(cover ? [cover] : [])], { type: 'application/octet-stream' })
}

/**
 * Reads the file of a project. The song is a part of the file. The content of the file is not trusted: values out of range are limited or
 * left out.
 */
export async function readPortableProject(file: Blob): Promise<PortableProject | PortableFailure> {
  try {
    const head = await readBytes(file, 0, HEAD_BYTES)
    if (!hasMagic(head)) return 'other'
    if (head.length < HEAD_BYTES) return 'incomplete'
    const numbers = new DataView(head.buffer, FILE_SIGNATURE.length)
    const [version, descriptionBytes] = [numbers.getUint32(0, true), numbers.getUint32(4, true)]
    if (version > FILE_VERSION) return 'newer'
    if (version !== FILE_VERSION || descriptionBytes > MAX_DESCRIPTION_BYTES) return 'invalid'
    const soundStart = HEAD_BYTES + descriptionBytes
    if (file.size < soundStart) return 'incomplete'
    const description = parseDescription(new TextDecoder().decode(await readBytes(file, HEAD_BYTES, soundStart)))
    if (description === undefined) return 'invalid'
    const { soundBytes, coverBytes, edit } = description
    const soundEnd = soundStart + soundBytes
    if (file.size !== soundEnd + coverBytes) return 'incomplete'
    const coverPx = edit.hasChosenCover ? CHOSEN_COVER_PX : undefined
    const cover = coverBytes === 0 ? undefined : await toSquarePicture(file.slice(soundEnd), coverPx)
    return { ...edit, sound: file.slice(soundStart, soundEnd, edit.type), cover }
  } catch {
    return 'unreadable'
  }
}

const hasMagic = (head: Uint8Array) => FILE_SIGNATURE.every((byte, index) => head[index] === byte)

const readBytes = async (file: Blob, start: number, end: number) => new Uint8Array(await file.slice(start, end).arrayBuffer())

/** Reads a description; `undefined` if it is not valid. */
function parseDescription(text: string) {
  const description = parseJson(text)
  if (!isObject(description)) return undefined
  const { name, title, artist, lengthS, soundBytes, coverBytes } = description
  if (!isString(name) || !isString(title) || !isByteCount(soundBytes) || soundBytes === 0 || !isByteCount(coverBytes)) return undefined
  if (coverBytes > MAX_COVER_BYTES) return undefined
  const { settings, bpm, output, ...edit } = parseEdit(description)
  const fileName = name.slice(0, MAX_TEXT_LENGTH)
  const artistName = isString(artist) ? cleanTitle(artist) : ''
  return {
    soundBytes,
    coverBytes,
    edit: {
      ...edit,
      name: fileName,
      title: songTitle(fileName, title),
      settings: clampSettings(DEFAULT_SETTINGS, settings),
      ...(output !== undefined && { output: cutTexts(output) }),
      ...(artistName !== '' && { artist: artistName }),
      ...(isNumber(lengthS) && lengthS > 0 && lengthS < MAX_LENGTH_S && { lengthS }),
      ...(bpm !== undefined && bpm > 0 && bpm < MAX_BPM && { bpm }),
    },
  }
}

/** Shortens the texts of the output options to the length to which the tags of opened files are shortened. */
const cutTexts = ({ tags, namePattern, targetLufs }: OutputOptions): OutputOptions => ({
  tags: Object.fromEntries(Object.entries(tags).map(([name, text]) => [name, text?.slice(0, MAX_TEXT_LENGTH)])),
  namePattern: namePattern.slice(0, MAX_TEXT_LENGTH),
  targetLufs,
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isByteCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
