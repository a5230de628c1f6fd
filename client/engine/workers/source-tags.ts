import { BlobSource, Input } from 'mediabunny'
import { asciiAt } from '../../../dsp/byte-source.ts'
import { COMMENT_NAMES } from '../../../dsp/flac-file.ts'
import { decodeText, parseWav } from '../../../dsp/read-wav.ts'
import { sniffFile } from '../../../dsp/sniff.ts'
import { createBlobSource } from '../blob-source.ts'
import { MEDIA_FORMATS } from './media-source.ts'
import { readId3v1, readId3v2 } from './read-id3.ts'
import type { SourceTags } from './sample-source.ts'

const MAX_TEXT_CHARACTERS = 300
const MAX_TEXT_BYTES = 2 ** 16
/** Larger pictures are left out: tags of some formats could not carry them, and players do not show them. */
const MAX_COVER_BYTES = 12 * 2 ** 20
/** The maximum number of chunks or blocks that are read: valid files have about a dozen, a damaged file may seem to have millions. */
const MAX_CHUNKS = 200
const VORBIS_COMMENT_BLOCK_TYPE = 4
const FLAC_PICTURE_BLOCK_TYPE = 6
const LAST_BLOCK_FLAG = 0x80
const MAX_COMMENT_BYTES = 2 ** 20

/**
 * Reads the tags of an audio file of any container. Texts are short and without control characters, and the cover is a picture. Never
 * rejects.
 */
export async function readSourceTags(file: Blob): Promise<SourceTags> {
  try {
    const { title, artist, album, year, cover } = await readTags(file)
    return {
      title: cleanText(title),
      artist: cleanText(artist),
      album: cleanText(album),
      year: year?.match(/\d{4}/)?.[0],
      cover: cover && (await checkCover(cover)),
    }
  } catch {
    return {}
  }
}

async function readTags(file: Blob): Promise<SourceTags> {
  const sniffed = await sniffFile(createBlobSource(file))
  const content = file.slice(sniffed?.startByte ?? 0)
  switch (sniffed?.kind) {
    case 'mp3':
    case 'mp2':
    case 'aac':
      return mergeTags(await readId3v2(file), await readId3v1(file))
    case 'flac':
      return mergeTags(await readFlacTags(content), await readId3v2(file))
    case 'wav':
      return readWavTags(content)
    case 'aiff':
      return readAiffTags(content)
    case 'mp4':
    case 'ogg':
    case 'matroska':
      return readMediaTags(content)
    default:
      return {}
  }
}

/** Returns for each tag the value of the first source that has this tag. */
function mergeTags(...sources: readonly SourceTags[]): SourceTags {
  const textsOf = (name: 'title' | 'artist' | 'album' | 'year') => sources.map((tags) => tags[name]).find((text) => text?.trim())
  return {
    title: textsOf('title'),
    artist: textsOf('artist'),
    album: textsOf('album'),
    year: textsOf('year'),
    cover: sources.map(({ cover }) => cover).find((cover) => cover !== undefined),
  }
}

async function readWavTags(file: Blob): Promise<SourceTags> {
  const wav = await parseWav(createBlobSource(file))
  if (wav === undefined) return {}
  const id3 = wav.id3 === undefined ? {} : await readId3v2(file.slice(wav.id3.start, wav.id3.end))
  return mergeTags(wav.tags, id3)
}

/** Reads the text chunks and the ID3 tag of an AIFF file. */
async function readAiffTags(file: Blob): Promise<SourceTags> {
  let tags: SourceTags = {}
  for (let chunkStart = 12, chunkCount = 0; chunkCount < MAX_CHUNKS && chunkStart + 8 <= file.size; chunkCount++) {
    const header = new DataView(await file.slice(chunkStart, chunkStart + 8).arrayBuffer())
    const id = asciiAt(new Uint8Array(header.buffer), 0, 4)
    const [start, bytes] = [chunkStart + 8, header.getUint32(4)]
    chunkStart = start + bytes + (bytes & 1)
    if (id === 'ID3 ') tags = mergeTags(tags, await readId3v2(file.slice(start, start + bytes)))
    else if (id === 'NAME' || id === 'AUTH') {
      const text = decodeText(new Uint8Array(await file.slice(start, start + Math.min(bytes, MAX_TEXT_BYTES)).arrayBuffer()))
      tags = mergeTags(id === 'NAME' ? { title: text } : { artist: text }, tags)
    }
  }
  return tags
}

/** Reads the metadata blocks of a FLAC file (RFC 9639, 8). */
async function readFlacTags(file: Blob): Promise<SourceTags> {
  let tags: SourceTags = {}
  let isCoverFront = false
  let isLast = false
  for (let blockStart = 4, blockCount = 0; !isLast && blockCount < MAX_CHUNKS && blockStart + 4 <= file.size; blockCount++) {
    const [type = LAST_BLOCK_FLAG, ...sizeBytes] = new Uint8Array(await file.slice(blockStart, blockStart + 4).arrayBuffer())
    const start = blockStart + 4
    const end = start + sizeBytes.reduce((sum, byte) => sum * 256 + byte, 0)
    if ((type & 0x7f) === VORBIS_COMMENT_BLOCK_TYPE) {
      const comments = readComments(new Uint8Array(await file.slice(start, Math.min(end, start + MAX_COMMENT_BYTES)).arrayBuffer()))
      tags = mergeTags(tags, comments)
    } else if ((type & 0x7f) === FLAC_PICTURE_BLOCK_TYPE && end <= file.size && !isCoverFront) {
      const picture = await readPicture(file.slice(start, end))
      if (picture !== undefined && (tags.cover === undefined || picture.isFront)) tags = { ...tags, cover: picture.blob }
      isCoverFront = picture?.isFront === true
    }
    isLast = type >= LAST_BLOCK_FLAG
    blockStart = end
  }
  return tags
}

/** Reads a Vorbis comment: the name of a program, a count, and texts like `TITLE=…`, each after its size. */
function readComments(block: Uint8Array<ArrayBuffer>): SourceTags {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
  const texts = new Map<string, string>()
  const sizeAt = (at: number) => (at + 4 <= block.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY)
  for (let commentStart = 4 + sizeAt(0) + 4; commentStart < block.length; commentStart += 4 + sizeAt(commentStart)) {
    const [name = '', ...value] = new TextDecoder()
      .decode(block.subarray(commentStart + 4, commentStart + 4 + sizeAt(commentStart)))
      .split('=')
    const key = name.toUpperCase()
    if (!texts.has(key)) texts.set(key, value.join('='))
  }
  return {
    title: texts.get(COMMENT_NAMES.title),
    artist: texts.get(COMMENT_NAMES.artist),
    album: texts.get(COMMENT_NAMES.album),
    year: texts.get(COMMENT_NAMES.year) ?? texts.get('YEAR'),
  }
}

async function readPicture(block: Blob): Promise<{ readonly blob: Blob; readonly isFront: boolean } | undefined> {
  const FRONT_COVER = 3
  const numberAt = async (at: number) => new DataView(await block.slice(at, at + 4).arrayBuffer()).getUint32(0)
  const typeAt = 8 + (await numberAt(4))
  // Width, height, depth and number of colours follow the description.
  const sizeAt = typeAt + 4 + (await numberAt(typeAt)) + 16
  const size = await numberAt(sizeAt)
  if (sizeAt + 4 + size > block.size) return undefined
  return { blob: block.slice(sizeAt + 4, sizeAt + 4 + size), isFront: (await numberAt(0)) === FRONT_COVER }
}

/** Reads the tags of an MP4, Ogg or Matroska file. */
async function readMediaTags(file: Blob): Promise<SourceTags> {
  const input = new Input({ source: new BlobSource(file), formats: MEDIA_FORMATS })
  try {
    const { title, artist, album, date, images = [] } = await input.getMetadataTags()
    const cover = images.find(({ kind }) => kind === 'coverFront') ?? images[0]
    return { title, artist, album, year: date?.getUTCFullYear().toString(), cover: cover && new Blob([new Uint8Array(cover.data)]) }
  } finally {
    input.dispose()
  }
}

/** Returns a text of one line without control characters and halves of characters; `undefined` if nothing is left. */
function cleanText(text: string | undefined): string | undefined {
  const line = text
    ?.slice(0, MAX_TEXT_CHARACTERS)
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line === '' ? undefined : line
}

/** Returns the picture with the media type of its content; `undefined` if players do not support its type. */
async function checkCover(cover: Blob): Promise<Blob | undefined> {
  if (cover.size > MAX_COVER_BYTES) return undefined
  const head = asciiAt(new Uint8Array(await cover.slice(0, 12).arrayBuffer()), 0, 12)
  const type = head.startsWith('\xff\xd8\xff')
    ? 'image/jpeg'
    : head.startsWith('\x89PNG\r\n\x1a\n')
      ? 'image/png'
      : head.startsWith('GIF8')
        ? 'image/gif'
        : head.startsWith('RIFF') && head.endsWith('WEBP')
          ? 'image/webp'
          : undefined
  return type && cover.slice(0, cover.size, type)
}
