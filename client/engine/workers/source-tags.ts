import { BlobSource, Input } from 'mediabunny'
import { readAsciiAt } from '../../../dsp/byte-source.ts'
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
export async function readSourceTags(soundFile: Blob): Promise<SourceTags> {
  try {
    const { title, artist, album, year, cover } = await readTags(soundFile)
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

async function readTags(soundFile: Blob): Promise<SourceTags> {
  const sniffedFile = await sniffFile(createBlobSource(soundFile))
  const fileContent = soundFile.slice(sniffedFile?.startByte ?? 0)
  switch (sniffedFile?.kind) {
    case 'mp3':
    case 'mp2':
    case 'aac':
      return mergeTags(await readId3v2(soundFile), await readId3v1(soundFile))
    case 'flac':
      return mergeTags(await readFlacTags(fileContent), await readId3v2(soundFile))
    case 'wav':
      return readWavTags(fileContent)
    case 'aiff':
      return readAiffTags(fileContent)
    case 'mp4':
    case 'ogg':
    case 'matroska':
      return readMediaTags(fileContent)
    default:
      return {}
  }
}

/** Returns for each tag the value of the first source that has this tag. */
function mergeTags(...sources: readonly SourceTags[]): SourceTags {
  const findText = (name: 'title' | 'artist' | 'album' | 'year') => sources.map((tags) => tags[name]).find((text) => text?.trim())
  return {
    title: findText('title'),
    artist: findText('artist'),
    album: findText('album'),
    year: findText('year'),
    cover: sources.map(({ cover }) => cover).find((cover) => cover !== undefined),
  }
}

async function readWavTags(soundFile: Blob): Promise<SourceTags> {
  const wav = await parseWav(createBlobSource(soundFile))
  if (wav === undefined) return {}
  const id3 = wav.id3 === undefined ? {} : await readId3v2(soundFile.slice(wav.id3.start, wav.id3.end))
  return mergeTags(wav.tags, id3)
}

/** Reads the text chunks and the ID3 tag of an AIFF file. */
async function readAiffTags(soundFile: Blob): Promise<SourceTags> {
  let tags: SourceTags = {}
  for (let chunkStart = 12, chunkCount = 0; chunkCount < MAX_CHUNKS && chunkStart + 8 <= soundFile.size; chunkCount++) {
    const chunkHeader = new DataView(await soundFile.slice(chunkStart, chunkStart + 8).arrayBuffer())
    const chunkId = readAsciiAt(new Uint8Array(chunkHeader.buffer), 0, 4)
    const [contentStart, chunkBytes] = [chunkStart + 8, chunkHeader.getUint32(4)]
    chunkStart = contentStart + chunkBytes + (chunkBytes & 1)
    if (chunkId === 'ID3 ') tags = mergeTags(tags, await readId3v2(soundFile.slice(contentStart, contentStart + chunkBytes)))
    else if (chunkId === 'NAME' || chunkId === 'AUTH') {
      const text = decodeText(
        new Uint8Array(await soundFile.slice(contentStart, contentStart + Math.min(chunkBytes, MAX_TEXT_BYTES)).arrayBuffer()),
      )
      tags = mergeTags(chunkId === 'NAME' ? { title: text } : { artist: text }, tags)
    }
  }
  return tags
}

/** Reads the metadata blocks of a FLAC file (RFC 9639, 8). */
async function readFlacTags(soundFile: Blob): Promise<SourceTags> {
  let tags: SourceTags = {}
  let isCoverFront = false
  let isLastBlock = false
  for (let blockStart = 4, blockCount = 0; !isLastBlock && blockCount < MAX_CHUNKS && blockStart + 4 <= soundFile.size; blockCount++) {
    const [blockType = LAST_BLOCK_FLAG, ...sizeBytes] = new Uint8Array(await soundFile.slice(blockStart, blockStart + 4).arrayBuffer())
    const contentStart = blockStart + 4
    const contentEnd = contentStart + sizeBytes.reduce((sum, byte) => sum * 256 + byte, 0)
    if ((blockType & 0x7f) === VORBIS_COMMENT_BLOCK_TYPE) {
      const comments = readComments(
        new Uint8Array(await soundFile.slice(contentStart, Math.min(contentEnd, contentStart + MAX_COMMENT_BYTES)).arrayBuffer()),
      )
      tags = mergeTags(tags, comments)
    } else if ((blockType & 0x7f) === FLAC_PICTURE_BLOCK_TYPE && contentEnd <= soundFile.size && !isCoverFront) {
      const picture = await readPicture(soundFile.slice(contentStart, contentEnd))
      if (picture !== undefined && (tags.cover === undefined || picture.isFront)) tags = { ...tags, cover: picture.blob }
      isCoverFront = picture?.isFront === true
    }
    isLastBlock = blockType >= LAST_BLOCK_FLAG
    blockStart = contentEnd
  }
  return tags
}

/** Reads a Vorbis comment: the name of a program, a count, and texts like `TITLE=…`, each after its size. */
function readComments(blockBytes: Uint8Array<ArrayBuffer>): SourceTags {
  const view = new DataView(blockBytes.buffer, blockBytes.byteOffset, blockBytes.byteLength)
  const textByName = new Map<string, string>()
  const readSizeAt = (at: number) => (at + 4 <= blockBytes.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY)
  for (let commentStart = 4 + readSizeAt(0) + 4; commentStart < blockBytes.length; commentStart += 4 + readSizeAt(commentStart)) {
    const [commentName = '', ...commentValue] = new TextDecoder()
      .decode(blockBytes.subarray(commentStart + 4, commentStart + 4 + readSizeAt(commentStart)))
      .split('=')
    const key = commentName.toUpperCase()
    if (!textByName.has(key)) textByName.set(key, commentValue.join('='))
  }
  return {
    title: textByName.get(COMMENT_NAMES.title),
    artist: textByName.get(COMMENT_NAMES.artist),
    album: textByName.get(COMMENT_NAMES.album),
    year: textByName.get(COMMENT_NAMES.year) ?? textByName.get('YEAR'),
  }
}

async function readPicture(pictureBlock: Blob): Promise<{ readonly blob: Blob; readonly isFront: boolean } | undefined> {
  const FRONT_COVER_PICTURE_TYPE = 3
  const readNumberAt = async (at: number) => new DataView(await pictureBlock.slice(at, at + 4).arrayBuffer()).getUint32(0)
  const mimeTypeOffset = 8 + (await readNumberAt(4))
  // Width, height, depth and number of colours follow the description.
  const pictureSizeOffset = mimeTypeOffset + 4 + (await readNumberAt(mimeTypeOffset)) + 16
  const size = await readNumberAt(pictureSizeOffset)
  if (pictureSizeOffset + 4 + size > pictureBlock.size) return undefined
  return {
    blob: pictureBlock.slice(pictureSizeOffset + 4, pictureSizeOffset + 4 + size),
    isFront: (await readNumberAt(0)) === FRONT_COVER_PICTURE_TYPE,
  }
}

/** Reads the tags of an MP4, Ogg or Matroska file. */
async function readMediaTags(soundFile: Blob): Promise<SourceTags> {
  const input = new Input({ source: new BlobSource(soundFile), formats: MEDIA_FORMATS })
  try {
    const { title, artist, album, date, images = [] } = await input.getMetadataTags()
    const cover = images.find(({ kind }) => kind === 'coverFront') ?? images[0]
    return { title, artist, album, year: date?.getUTCFullYear().toString(), cover: cover && new Blob([new Uint8Array(cover.data)]) }
  } finally {
    input.dispose()
  }
}

/** Returns the text on one line, without control characters and lone surrogates; `undefined` if nothing is left. */
function cleanText(tagText: string | undefined): string | undefined {
  const textLine = tagText
    ?.slice(0, MAX_TEXT_CHARACTERS)
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return textLine === '' ? undefined : textLine
}

/** Returns the picture with the media type of its content; `undefined` if players do not support its type. */
async function checkCover(cover: Blob): Promise<Blob | undefined> {
  if (cover.size > MAX_COVER_BYTES) return undefined
  const headText = readAsciiAt(new Uint8Array(await cover.slice(0, 12).arrayBuffer()), 0, 12)
  const mimeType = headText.startsWith('\xff\xd8\xff')
    ? 'image/jpeg'
    : headText.startsWith('\x89PNG\r\n\x1a\n')
      ? 'image/png'
      : headText.startsWith('GIF8')
        ? 'image/gif'
        : headText.startsWith('RIFF') && headText.endsWith('WEBP')
          ? 'image/webp'
          : undefined
  return mimeType && cover.slice(0, cover.size, mimeType)
}
